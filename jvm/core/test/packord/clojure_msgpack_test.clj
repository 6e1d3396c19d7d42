(ns packord.clojure-msgpack-test
  "What users of clojure-msgpack know, under the compatibility namespace."
  (:require
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.child :as child]
   [packord.compat.clojure-msgpack :as msg :refer [defext extend-msgpack]]
   [packord.compat.clojure-msgpack-extensions]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream DataInput DataInputStream DataOutputStream File
            RandomAccessFile)))

(set! *warn-on-reflection* true)

(def ^:private golden
  "What clojure-msgpack 1.2.1 itself packs, or `:error`: options and pairs of value and bytes."
  (partition 2 (edn/read-string (slurp (io/resource "packord/clojure_msgpack_golden.edn")))))

(defn- made [value]
  (if-let [[f n more] (and (seq? value) (symbol? (first value)) value)]
    (case f
      repeat (apply str (repeat n more))
      bytes (byte-array n (byte 7))
      vec (vec (range n))
      ext (msg/ext n (byte-array more (byte 9))))
    value))

(defn- shortened [s]
  (if (< 600 (count s))
    (str (subs s 0 80) "…" (count s) "…" (hash s))
    s))

(deftest all-values-are-packed-as-by-clojure-msgpack
  (is (= 3 (count golden)))
  (doseq [[opts pairs] golden
          :let [opts (when (map? opts) opts)]
          [value expected] (partition 2 pairs)]
    (is (= expected (try (shortened (v/bytes->hex (msg/pack (made value) opts)))
                         (catch ExceptionInfo _ :error)))
        (pr-str opts value))))

(deftest values-come-back
  (doseq [[opts pairs] golden
          :when (not (map? opts))
          [value expected] (partition 2 pairs)
          :let [value (made value)]
          :when (not (or (= :error expected) (= 5 (:type value))))
          back [(msg/unpack (msg/pack value)) (msg/unpack (vec (msg/pack value)))]]
    (cond
      (:type value) (is (= [(:type value) (seq (:data value))] [(:type back) (seq (:data back))]))
      (bytes? value) (is (= (seq value) (seq back)))
      (decimal? value) (is (= (double value) back))
      :else (is (= value back)))))

(deftest without-extensions-loaded-identifiers-are-an-error
  (is (= {:exit 0 :out "4\n"}
         (child/clojure [] "packord.clojure-msgpack-test/count-errors"))))

(defn count-errors
  "What the child does, in which no class is registered."
  []
  (swap! @#'msg/state (constantly (@#'msg/packing [])))
  (println (count (filter #(try (msg/pack %) false (catch ExceptionInfo _ true))
                          [:a 'b \c 1/2]))))

(deftest strings-are-bytes-in-compatibility-mode
  (let [old {:compatibility-mode true}
        text #(String. ^bytes % "UTF-8")]
    (doseq [s ["" "abc" (apply str (repeat 40 "é")) (apply str (repeat 70000 "x"))]]
      (is (= s (text (msg/unpack (msg/pack s old) old))))
      (is (= s (msg/unpack (msg/pack s old)))))
    (let [[[k n] :as entries] (seq (msg/unpack (msg/pack {"k" [1 "v"]} old) old))]
      (is (= 1 (count entries)))
      (is (= ["k" 1 "v"] [(text k) (first n) (text (second n))])))
    (is (= [255 254] (map #(bit-and 0xff %) (msg/unpack (v/hex->bytes "a2fffe") old)))
        "raw of other programs need not be UTF-8")
    (is (= [1] (vec (msg/unpack (v/hex->bytes "c40101") old))))))

(defrecord Person [name])
(defrecord Employee [name])
(definterface Marked)
(deftype Mark [n] Marked)

(extend-msgpack Person 100
  [person] (.getBytes ^String (:name person) "UTF-8")
  [payload] (->Person (String. ^bytes payload "UTF-8")))

(defext Employee 101 #(map byte (:name %)))

(extend-msgpack Marked 102 [_] (byte-array 1) [_] :marked)

(deftest classes-are-registered-as-ext
  (is (= [(->Person "bob") 5 "test"] (msg/unpack (msg/pack [(->Person "bob") 5 "test"]))))
  (is (= "c70365426f62" (v/bytes->hex (msg/pack (->Employee "Bob")))))
  (testing "a type without a method is an Ext"
    (let [e (msg/unpack (msg/pack (->Employee "Bob")))]
      (is (= [101 [66 111 98]] [(:type e) (vec (:data e))]))
      (is (= "c70365426f62" (v/bytes->hex (msg/pack e))))))
  (is (= "d6ff00000001" (v/bytes->hex (msg/pack (msg/unpack (v/hex->bytes "d6ff00000001"))))))
  (testing "interfaces, and classes before what they extend, in either order of registration"
    (is (= :marked (msg/unpack (msg/pack (->Mark 1)))))
    (msg/register Mark 103 (fn [_] (byte-array 2)))
    (is (= "d5670000" (v/bytes->hex (msg/pack (->Mark 1)))))
    (msg/register Marked 102 (fn [_] (byte-array 1)))
    (is (= "d5670000" (v/bytes->hex (msg/pack (->Mark 1))))))
  (is (thrown? IllegalArgumentException (msg/register Mark 128 identity)))
  (is (thrown? IllegalArgumentException (msg/register Mark -1 identity))))

(deftest streams-of-java-are-written-and-read-one-value-at-a-time
  (doseq [opts [nil {:compatibility-mode true}]
          :let [out (ByteArrayOutputStream.)
                data (DataOutputStream. out)]]
    (is (nil? (msg/pack-stream [1 2] out opts)))
    (is (nil? (msg/pack-stream 3 data opts)))
    (msg/pack-stream [] out opts)
    (let [in (DataInputStream. (ByteArrayInputStream. (.toByteArray out)))]
      (is (= [1 2] (msg/unpack-stream in opts)))
      (is (= 3 (msg/unpack in opts)))
      (is (= [] (msg/unpack in)))
      (is (thrown? ExceptionInfo (msg/unpack in)))))
  (testing "a DataInput or DataOutput that is not a stream"
    (let [path (File/createTempFile "packord" ".mp")]
      (try
        (with-open [file (RandomAccessFile. path "rw")]
          (msg/pack-stream {"a" "bc"} file)
          (msg/pack-stream 7 file)
          (.seek file 0)
          (is (= {"a" "bc"} (msg/unpack file)))
          (is (= 7 (msg/unpack-stream file))))
        (finally (.delete path))))
    (let [in (DataInputStream. (ByteArrayInputStream. (msg/pack ["abc" 1])))
          only-data (reify DataInput (readUnsignedByte [_] (.readUnsignedByte in)))]
      (is (= ["abc" 1] (msg/unpack only-data)))
      (is (thrown? ExceptionInfo (msg/unpack only-data)))))
  (is (= 1 (msg/unpack (byte-array [1 2]))) "bytes after the value are ignored"))

(deftest payloads-within-payloads-are-bounded
  (let [nested (fn [n] (nth (iterate hash-set 1) n))]
    (is (= (nested 60) (msg/unpack (msg/pack (nested 60)))))
    (is (= :invalid-ext (try (msg/unpack (msg/pack (nested 100)))
                             (catch ExceptionInfo e (:kind (ex-data e))))))))

(deftest options-of-packord-work-too
  (is (= {:a 1} (msg/unpack (msg/pack {:a 1} {:key-fn true}) {:key-fn true})))
  (is (= :length-limit (try (msg/unpack (msg/pack "abc") {:max-str-len 2 :compatibility-mode true})
                            (catch ExceptionInfo e (:kind (ex-data e)))))))
