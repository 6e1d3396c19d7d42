(ns packord.tokens-test
  "The writer of tokens; `walker-test` has the reader."
  (:require
   [clojure.string :as str]
   [clojure.test :refer [deftest is testing]]
   [clojure.test.check :as check]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [packord.core :as packord :refer [pack]]
   [packord.tokens :as tokens]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayOutputStream File IOException OutputStream)
   (packord TokenWriter)))

(set! *warn-on-reflection* true)

(defn- written
  "The bytes that `f` writes to a writer."
  ^bytes [opts f]
  (let [out (ByteArrayOutputStream.)]
    (with-open [w (tokens/writer out opts)]
      (f w))
    (.toByteArray out)))

(defn- write-all
  "Writes a value by its pieces."
  [w value]
  (cond
    (map? value) (do (tokens/begin-map w (count value))
                     (doseq [[k x] value] (write-all w k) (write-all w x))
                     (tokens/end w))
    (vector? value) (do (tokens/begin-array w (count value))
                        (run! #(write-all w %) value)
                        (tokens/end w))
    (int? value) (.writeLong ^TokenWriter w value)
    (double? value) (.writeDouble ^TokenWriter w value)
    :else (tokens/write w value)))

(deftest pieces-are-the-bytes-of-the-whole
  (let [result (check/quick-check
                300 (prop/for-all [value (gen/recursive-gen #(gen/one-of [(gen/vector %) (gen/map % %)])
                                                            (gen/one-of [gen/small-integer gen/string gen/double gen/keyword gen/boolean]))]
                      (let [opts nil]
                        (= (v/bytes->hex (pack value opts)) (v/bytes->hex (written opts #(write-all % value)))))))]
    (is (:pass? result) (pr-str (:shrunk result))))
  (testing "containers of each header"
    (doseq [n [0 1 15 16 65535 65536]]
      (is (= (v/bytes->hex (pack (vec (range n)))) (v/bytes->hex (written nil #(tokens/write-array % n (range n))))))
      (let [m (into (array-map) (map #(vector % nil)) (range (min n 20)))]
        (is (= (v/bytes->hex (pack m)) (v/bytes->hex (written nil #(tokens/write-map % (count m) m))))))))
  (testing "records"
    (let [opts {:records true :key-fn true}
          rows [{:a 1 :b 2} {:a 3 :b 4}]]
      (is (= (v/bytes->hex (pack rows opts)) (v/bytes->hex (written opts #(tokens/write-array % 2 rows)))))
      (is (= [rows rows] (into [] (packord/unpack-stream
                                   (written (assoc opts :sequential true) #(do (tokens/write-array % 2 rows) (tokens/write-array % 2 rows)))
                                   (assoc opts :sequential true)))))))
  (testing "messages one after another"
    (is (= [1 [2] "x"] (into [] (packord/unpack-stream (written nil #(do (tokens/write % 1) (tokens/write-array % 1 [2]) (tokens/write % "x")))))))))

(defn- fault [f]
  (ex-data (is (thrown? ExceptionInfo (written nil f)))))

(deftest counts-must-be-met
  (doseq [[path f] {"$" #(tokens/write-array % 2 [1])
                    "$ " #(tokens/write-array % 2 [1 2 3])
                    "$  " #(tokens/write-map % 1 [[1 2] [3 4]])
                    "$   " #(-> (tokens/begin-map % 1) (tokens/write 1) tokens/end)
                    "$    " #(tokens/begin-array % 1)
                    "$.a" #(-> (tokens/begin-map % 1) (tokens/write "a") (tokens/write-array 2 [1]))
                    "$[1]" #(-> (tokens/begin-array % 3) (tokens/write 1) (tokens/write-array 0 [1]))}]
    (is (= {:type :packord/error :kind :unsupported-type :path (str/trim path)} (fault f))))
  (is (thrown-with-msg? ExceptionInfo #"1 of 2 elements were written" (written nil #(tokens/write-array % 2 [1]))))
  (is (thrown? IllegalStateException (written nil tokens/end)))
  (is (thrown? IllegalArgumentException (written nil #(tokens/begin-array % -1)))))

(deftest errors-have-their-path-and-end-the-message
  (is (= "$.rows[1].x" (:path (fault #(-> (tokens/begin-map % 1) (tokens/write :rows) (tokens/write-array 2 [{} {:x (Object.)}]))))))
  (is (= "$" (:path (fault #(-> (tokens/begin-map % 1) (tokens/write (Object.)))))))
  (is (= :depth-limit (:kind (fault #(dotimes [_ 1025] (tokens/begin-array % 1))))))
  (let [out (ByteArrayOutputStream.)
        w (tokens/writer out)]
    (tokens/begin-array w 2)
    (is (thrown? ExceptionInfo (tokens/write w [1 2 (Object.)])))
    (is (thrown? IllegalStateException (tokens/write w 1)))
    (.close w)
    (is (= "92" (v/bytes->hex (.toByteArray out))) "of the value that failed nothing is written"))
  (testing "faults of the stream"
    (let [w (tokens/writer (proxy [OutputStream] []
                             (write [& _] (throw (IOException. "full")))
                             (close [])))]
      (tokens/write w 1)
      (is (thrown-with-msg? IOException #"full" (.flush w)))))
  (testing "options that need the whole message"
    (doseq [opts [{:canonical true} {:sort-keys true} {:structures []}]]
      (is (thrown? IllegalArgumentException (tokens/writer (ByteArrayOutputStream.) opts))))))

(deftest a-message-is-never-in-memory-as-a-whole
  (let [largest (volatile! 0)
        total (volatile! 0)
        out (proxy [OutputStream] []
              (write ([x] nil)
                     ([_ _ n]
                      (vswap! largest max n)
                      (vswap! total + n)))
              (flush [])
              (close []))]
    (with-open [w (tokens/writer out)]
      (tokens/write-array w 300000 (repeat 300000 "a string of some thirty letters")))
    (is (< 9000000 (long @total)))
    (is (< (long @largest) 200000))))

(deftest deep-values-need-a-stack-of-one-megabyte
  (let [on-stack (fn [kilobytes]
                   (let [result (promise)
                         work #(written nil (fn [w] (tokens/write w (nth (iterate vector 1) 1000))))]
                     (.start (Thread. nil (fn [] (deliver result (try (alength ^bytes (work)) (catch Throwable t t))))
                                      "small" (* kilobytes 1024)))
                     @result))]
    (is (= 1001 (on-stack 1024)))
    (is (= :depth-limit (:kind (ex-data (on-stack 180)))))))
