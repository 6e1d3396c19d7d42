(ns packord.walker-test
  "The reader of tokens."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :as packord :refer [pack unpack]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream)
   (java.nio ByteBuffer)
   (java.util Arrays Random)
   (packord Token Unpacker Walker)))

(set! *warn-on-reflection* true)

(declare value-of)

(defn- elements [^Walker w n]
  (vec (repeatedly n #(value-of w (.next w)))))

(defn- end! [^Walker w]
  (when-not (= Token/END (.next w)) (throw (ex-info "no end" {}))))

(defn- value-of
  "The value of a token, built from tokens alone."
  [^Walker w token]
  (condp = token
    Token/NIL nil
    Token/BOOL (.booleanValue w)
    Token/INTEGER (let [n (bigint (.bigIntegerValue w))]
                    (if (<= Long/MIN_VALUE n Long/MAX_VALUE) (.longValue w) n))
    Token/FLOAT (.doubleValue w)
    Token/STR (.stringValue w)
    Token/BIN (.payload w)
    Token/EXT (.value w)
    Token/ARRAY (let [read (elements w (.size w))] (end! w) read)
    Token/MAP (let [read (apply array-map (elements w (* 2 (.size w))))] (end! w) read)
    Token/RECORD (let [ks (.keys w)
                       read (apply array-map (interleave ks (elements w (.size w))))]
                   (end! w)
                   read)))

(defn- walk [^Walker w]
  (loop [read []]
    (if (.nextMessage w)
      (let [value (value-of w (.next w))]
        (is (nil? (.next w)))
        (recur (conj read value)))
      read)))

(defn- walker ^Walker [^bytes b opts]
  (.walker (packord/unpacker opts) b))

(defn- pass
  "Steps to the end of the input."
  [^Walker w]
  (while (.nextMessage w)
    (while (.next w))))

(deftest valid-vectors-are-walked
  (doseq [c (concat (v/cases "valid") (remove #(or (contains? % "steps") (contains? % "values") (contains? % "error"))
                                              (v/cases "records")))
          :let [b (v/expand (get c "bytes"))
                opts (-> (v/options c)
                         (update :structures #(some-> % deref))
                         (dissoc :duplicate-key :canonical :max-nodes))
                expected (try (unpack b opts) (catch ExceptionInfo _ ::fault))]
          :when (and (not= :allow (:trailing opts)) (nil? (:utf8 opts)) (nil? (:extensions opts)) (not= ::fault expected))
          ;; array-map keeps only one of some keys that a hash map tells apart
          :when (not (re-find #"keys|duplicate|twice" (get c "name")))]
    (testing (get c "name")
      (is (v/same? [expected] (walk (walker b opts))))
      (is (v/same? [expected] (walk (.walker (packord/unpacker opts) (ByteBuffer/wrap b)))))
      (when (< (alength ^bytes b) 1000)
        (is (v/same? [expected expected]
                     (walk (.walker (packord/unpacker opts)
                                    (ByteArrayInputStream. (byte-array (concat b b)))))))))))

(deftest faults-are-those-of-unpack
  (doseq [c (v/cases "invalid")
          :let [b (v/expand (get c "bytes"))
                opts (v/options c)
                kind (get-in c ["error" "kind"])]
          ;; the others are checked where the value is asked for, or not at all
          :when (and (#{"eof" "reserved_marker" "depth_limit" "length_limit" "record_undefined" "record_malformed"} kind)
                     (seq b)
                     (not-any? #(contains? opts %) [:max-nodes :canonical :duplicate-key :extensions]))]
    (testing (get c "name")
      (let [outcome #(try (%) nil (catch ExceptionInfo e (ex-data e)))]
        (is (= (outcome #(unpack b opts)) (outcome #(pass (walker b opts)))))))))

(deftest damaged-messages-end-in-typed-errors
  (let [random (Random. 7)
        cases (mapv #(v/expand (get % "bytes")) (v/cases "valid"))]
    (dotimes [_ 5000]
      (let [^bytes b (Arrays/copyOf ^bytes (nth cases (.nextInt random (count cases))) (.nextInt random 60))]
        (when (pos? (alength b))
          (aset b (.nextInt random (alength b)) (unchecked-byte (.nextInt random))))
        (try (pass (walker b {:records true}))
             (catch ExceptionInfo _)
             (catch Throwable t
               (is (nil? t) (v/bytes->hex b))))))))

(deftest containers-are-skipped-or-read-whole
  (let [w (walker (pack [[1 [2 3]] {"a" [4]} 5 [6]]) nil)]
    (is (.nextMessage w))
    (is (= Token/ARRAY (.next w)))
    (is (= Token/ARRAY (.next w)))
    (is (= 2 (.depth w) (.size w)))
    (.skip w)
    (is (= 1 (.depth w)))
    (is (= Token/MAP (.next w)))
    (is (= {"a" [4]} (.value w)))
    (is (= Token/INTEGER (.next w)))
    (.skip w)
    (is (= 5 (.longValue w) (long (.doubleValue w))))
    (is (= 11 (.offset w)))
    (is (= :type-mismatch (:kind (ex-data (is (thrown-with-msg? ExceptionInfo #"expected a str, found integer"
                                                                (.stringValue w)))))))
    (is (= Token/ARRAY (.next w)) "a type that the program did not expect does not end the message")
    (is (= [Token/INTEGER Token/END Token/END nil] [(.next w) (.next w) (.next w) (.next w)]))
    (is (not (.nextMessage w)))))

(deftest what-is-asked-for-is-checked
  (let [w (walker (v/hex->bytes "93a1ffcfffffffffffffffffd5ff0000") nil)
        kind #(:kind (ex-data (is (thrown? ExceptionInfo (%)))))]
    (.nextMessage w)
    (.next w)
    (.next w)
    (is (= :invalid-utf8 (kind #(.stringValue w))))
    (is (nil? (.next w)) "a fault ends the message"))
  (let [w (walker (v/hex->bytes "92cfffffffffffffffffd5ff0000") nil)
        kind #(:kind (ex-data (is (thrown? ExceptionInfo (%)))))]
    (.nextMessage w)
    (.next w)
    (.next w)
    (is (= :out-of-range (kind #(.longValue w))))
    (is (= 18446744073709551615N (bigint (.bigIntegerValue w))))
    (is (= 1.8446744073709552E19 (.doubleValue w)))
    (.next w)
    (is (= -1 (.extType w)))
    (is (= :invalid-timestamp (kind #(.value w)))))
  (testing "options about the whole message"
    (is (thrown? IllegalArgumentException (walker (pack 1) {:canonical true})))))

(deftest messages-that-are-left-are-passed
  (let [w (.walker (Unpacker/standard) (ByteArrayInputStream. (byte-array (concat (pack [1 [2 3]]) (pack 4)))))]
    (is (.nextMessage w))
    (.next w)
    (is (.nextMessage w))
    (is (= Token/INTEGER (.next w)))
    (is (= 4 (.longValue w)))
    (is (not (.nextMessage w)))))

(deftest sequential-definitions-last
  (let [opts {:records true :sequential true :key-fn true}
        out (java.io.ByteArrayOutputStream.)]
    (packord/pack-all-stream out [{:a 1} {:a 2}] opts)
    (is (= [{:a 1} {:a 2}] (walk (walker (.toByteArray out) opts))))))
