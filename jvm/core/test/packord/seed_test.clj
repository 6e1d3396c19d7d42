(ns packord.seed-test
  "What users of msgpack-clj know, under packord's names and under the compatibility namespace."
  (:require
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.test :refer [deftest is testing]]
   [packord.compat.msgpack-clj :as compat]
   [packord.core :as packord
    :refer [pack pack-stream unpack keywordize-keys-mapper stringify-keys-mapper]]
   [packord.extension :as extension]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io File PipedInputStream PipedOutputStream)))

(set! *warn-on-reflection* true)

(deftest the-examples-of-msgpack-clj-hold
  (is (= {"a" 1 "b" [1 2 3]} (unpack (pack {:a 1 "b" [1 2 3]}))))
  (is (= {":a" 1} (unpack (pack {:a 1} {:key-fn str}))))
  (is (= {:a 1} (unpack (pack {:a 1}) {:key-fn keywordize-keys-mapper})))
  (is (= {"a" 1} (unpack (pack {:a 1} {:key-fn stringify-keys-mapper}))))
  (let [file (File/createTempFile "packord" ".dat")]
    (try
      (with-open [stream (io/output-stream file)]
        (is (nil? (pack-stream stream {:a 1}))))
      (with-open [stream (io/input-stream file)]
        (is (= {"a" 1} (unpack stream))))
      (finally (.delete file))))
  (let [opts {:extensions compat/extensions}]
    (is (= 'some-symbol (unpack (pack 'some-symbol opts) opts)))))

(deftest extensions-of-msgpack-clj-read-what-they-write
  (let [opts {:extensions compat/extensions}]
    (doseq [v [:a :a/a 'a #{:a 1} [:a {"k" #{'b}}]]]
      (is (= v (unpack (pack v opts) opts))))
    (is (= {:a :b} (unpack (pack {:a :b} opts) opts)) "keys are as other values, as in msgpack-clj")
    (is (= {"a" :b} (unpack (pack {:a :b} (assoc opts :key-fn true)) opts)))
    (is (= {:a :b} (unpack (pack {:a :b} (assoc opts :key-fn identity)) opts))
        "with a function of one's own, the extension has the key")
    (is (= {:a :b} (unpack (pack {:a :b} (assoc opts :key-fn false)) opts)))))

(deftest bytes-are-those-of-msgpack-clj
  (is (= [1] (vec (pack (int 1)))))
  (is (= [-50 0 1 -122 -96] (vec (pack 100000))))
  (is (= [-49 0 0 0 -24 -44 -91 16 0] (vec (pack (BigInteger/valueOf 1000000000000)))))
  (is (= 1000000000000 (unpack (pack (BigInteger/valueOf 1000000000000)))))
  (is (= [] (unpack (pack '()))))
  (is (= [1] (unpack (pack '(1)))))
  (is (= [1] (unpack (pack #{1}))))
  (is (= [] (unpack (pack #{}))))
  (is (= [] (vec (unpack (pack (byte-array 0))))))
  (is (= [1 2 3] (vec (unpack (pack (byte-array [1 2 3])))))))

(deftest a-value-is-read-from-an-open-pipe
  (let [source (PipedInputStream.)
        sink (PipedOutputStream. source)]
    (pack-stream sink {:a 1})
    (is (= {"a" 1} (unpack source)) "the pipe is still open")
    (pack-stream sink [1 2])
    (pack-stream sink 3)
    (is (= [1 2] (unpack source)))
    (is (= 3 (unpack source)))))

(deftest faults-of-msgpack-clj-are-gone
  (testing "doubles"
    (is (= 0.1 (unpack (pack 0.1)))))
  (testing "namespaces of keys"
    (is (= {"a/x" 1 "b/x" 2} (unpack (pack {:a/x 1 :b/x 2}))))
    (is (= {:a/x 1 :b/x 2} (unpack (pack {:a/x 1 :b/x 2}) {:key-fn true}))))
  (testing "lone surrogates, which become question marks"
    (doseq [f [pack compat/pack]]
      (is (= :invalid-utf8 (:kind (ex-data (is (thrown? ExceptionInfo (f "a\ud800"))))))))
    (is (= "a\ufffd" (unpack (compat/pack "a\ud800" {:utf8 :replace})))))
  (testing "keys that are not strings"
    (is (= {1 :one} (unpack (pack {1 :one} {:rich true})
                            {:rich true :key-fn keywordize-keys-mapper})))))

(deftest the-compatibility-namespace-has-the-types-of-msgpack-clj
  (is (= [1 Integer] ((juxt identity class) (compat/unpack (compat/pack (int 1))))))
  (is (instance? Long (compat/unpack (compat/pack 3000000000))))
  (is (instance? Integer (compat/unpack (compat/pack -5))))
  (is (instance? BigInteger (compat/unpack (compat/pack (BigInteger/valueOf 1000000000000)))))
  (is (= (float 0.1) (compat/unpack (compat/pack 0.1))))
  (is (= [0xca 0x3d 0xcc 0xcc 0xcd] (map #(bit-and 0xff %) (compat/pack 0.1))))
  (is (= {"x" 1} (compat/unpack (compat/pack {:a/x 1}))))
  (is (= {":x" 1} (compat/unpack (compat/pack {:x 1} {:key-fn str}))))
  (is (= {:x 1} (compat/unpack (compat/pack {:x 1}) {:key-fn compat/keywordize-keys-mapper})))
  (let [opts {:extensions compat/extensions}]
    (is (= 'b (compat/unpack (compat/pack 'a/b opts) opts)))
    (is (= :a/b (compat/unpack (compat/pack :a/b opts) opts)))
    (is (= #{1 :a} (compat/unpack (compat/pack #{1 :a} opts) opts))))
  (is (= 1 (compat/unpack (byte-array [1 2]))) "bytes after the value are ignored")
  (is (thrown? ExceptionInfo (compat/unpack (byte-array 0)))))

(def ^:private golden
  "What msgpack-clj itself packs, or `:error`: options with pairs of value and bytes."
  (for [[opts & pairs] (edn/read-string (slurp (io/resource "packord/seed_golden.edn")))]
    [opts (partition 2 pairs)]))

(defn- seed-options [opts stringify keywordize [keyword-ext symbol-ext set-ext]]
  (cond-> opts
    (:key-fn opts) (update :key-fn {'str str, 'identity identity
                                    'stringify stringify, 'keywordize keywordize})
    (:extensions opts) (update :extensions {'all [keyword-ext symbol-ext set-ext]
                                            '[set] [set-ext]
                                            '[keyword] [keyword-ext]})))

(defn- packed [pack value opts]
  (try (v/bytes->hex (pack value opts)) (catch ExceptionInfo _ :error)))

(deftest all-options-write-what-msgpack-clj-writes
  (is (= 14 (count golden)))
  (doseq [[opts pairs] golden
          [value expected] pairs]
    (is (= expected
           (packed compat/pack value
                   (seed-options opts compat/stringify-keys-mapper compat/keywordize-keys-mapper
                                 compat/extensions)))
        (pr-str "compat" opts value))
    ;; What differs in the core is in the guide: values that are an error in msgpack-clj, keys twice, doubles, namespaces
    ;; of keys and symbols, and keywordize-keys-mapper as the key function of a packer.
    (when-not (or (= :error expected) (= {:a 1 "a" 2} value) (= 'keywordize (:key-fn opts)) (some #(or (double? %) (and (ident? %) (namespace %))) (tree-seq coll? seq value)))
      (is (= expected
             (packed pack value (seed-options opts stringify-keys-mapper keywordize-keys-mapper compat/extensions)))
          (pr-str "core" opts value)))))

(deftest options-without-key-function-keep-keyword-keys
  (doseq [[pack unpack] [[pack unpack] [compat/pack compat/unpack]]
          more [{} {:key-fn nil}]
          :let [opts (assoc more :extensions compat/extensions)]]
    (is (= "81d4036101" (v/bytes->hex (pack {:a 1} opts))))
    (is (= {:a 1} (unpack (pack {:a 1} opts) opts)))
    (is (thrown? ExceptionInfo (compat/pack {:a 1} more))))
  (is (= {"a" 1} (unpack (pack {:a 1} {:float32 true}))) "packord's own options keep the default"))

(deftest doubles-beyond-float-32-are-an-error-in-the-compatibility-namespace
  (doseq [x [1e39 -1e300 ##Inf ##-Inf]]
    (is (= :out-of-range (try (compat/pack [x]) (catch ExceptionInfo e (:kind (ex-data e)))))))
  (is (= Float/MAX_VALUE (compat/unpack (compat/pack (double Float/MAX_VALUE)))))
  (is (NaN? (compat/unpack (compat/pack ##NaN)))))

(deftest the-compatibility-namespace-takes-a-codec
  (let [c (packord/codec {:key-fn keywordize-keys-mapper :extensions compat/extensions})]
    (is (= {:a (float 0.5)} (compat/unpack (compat/pack {:a 0.5} c) c)))))

(deftest an-extension-is-asked-last
  (let [asked (atom [])
        all (reify extension/MsgpackExtension
              (can-pack? [_ value] (swap! asked conj value) true)
              (can-unpack? [_ _] false)
              (pack [_ packer value _] (extension/write-ext packer 9 (.getBytes (pr-str value))))
              (unpack [_ _ _ _]))]
    (is (= "9301d5093a61a173" (v/bytes->hex (compat/pack [1 :a "s"] {:extensions [all]}))))
    (is (= [:a] (distinct @asked))))
  (testing "and by classes"
    (let [vectors (extension/by-class {:type 9 :classes [clojure.lang.IPersistentVector] :pack (fn [_] (byte-array 1)) :unpack identity})]
      (is (= "9101" (v/bytes->hex (compat/pack [1] {:extensions [vectors]})))))))
