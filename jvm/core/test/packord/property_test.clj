(ns packord.property-test
  (:require
   [clojure.test :refer [deftest is]]
   [clojure.test.check.clojure-test :refer [defspec]]
   [clojure.test.check.generators :as gen]
   [clojure.test.check.properties :as prop]
   [clojure.walk :as walk]
   [packord.core :refer [pack pack-all-stream unpack unpack-stream]]
   [packord.vectors :as v])
  (:import
   (clojure.lang ExceptionInfo)
   (java.io ByteArrayInputStream ByteArrayOutputStream)
   (java.util Arrays Random)
   (packord PackordException)))

(set! *warn-on-reflection* true)

(def ^:private text
  (gen/one-of [gen/string-ascii
               (gen/fmap #(apply str %)
                         (gen/vector (gen/fmap (fn [i] (String. (Character/toChars i)))
                                               (gen/such-that #(not (<= 0xd800 % 0xdfff))
                                                              (gen/choose 0 0x10ffff)))))]))

(def ^:private scalar
  (gen/one-of [(gen/return nil) gen/boolean gen/large-integer gen/small-integer
               (gen/double* {:NaN? false}) text
               (gen/fmap #(bigint (Long/toUnsignedString %)) (gen/choose Long/MIN_VALUE -1))
               (gen/fmap #(java.time.Instant/ofEpochSecond % 5) (gen/choose -1000000 100000000000))]))

(def ^:private value
  (gen/recursive-gen
   (fn [inner]
     (gen/one-of [(gen/vector inner)
                  (gen/map text inner)
                  (gen/map (gen/one-of [text gen/large-integer (gen/vector gen/small-integer)]) inner)
                  (gen/fmap (fn [vs] (mapv #(zipmap ["id" "name" "x"] %) (partition 3 vs)))
                            (gen/vector inner))]))
   scalar))

(defspec values-are-read-as-written 300
  (prop/for-all [x value]
    (= x (unpack (pack x)))))

(defspec records-are-read-as-written 300
  (prop/for-all [x value]
    (= x (unpack (pack x {:records true}) {:records true}))))

(defn- without-whole-floats
  "A value with integers for the floats that canonical form writes as integers."
  [x]
  (let [whole? #(and (double? %) (== (double %) (Math/rint %)) (<= -0x8000000000000000 % 0xffffffffffffffff))]
    (walk/postwalk #(if (whole? %) (bigint (BigDecimal. (double %))) %) x)))

(defspec equal-values-have-one-canonical-encoding 300
  (prop/for-all [x value]
    (let [b (pack x {:canonical true})]
      (and (= (without-whole-floats x) (unpack b {:canonical true}))
           (Arrays/equals b (pack (unpack (pack x)) {:canonical true}))
           (Arrays/equals b (pack (unpack b) {:canonical true}))))))

(defspec streams-are-read-as-written 100
  (prop/for-all [xs (gen/vector value)
                 opts (gen/elements [{} {:records true} {:records true :sequential true}
                                     {:records true :structures [["id" "name" "x"]]}])]
    (let [out (ByteArrayOutputStream.)]
      (pack-all-stream out xs opts)
      (= xs (into [] (unpack-stream (ByteArrayInputStream. (.toByteArray out)) opts))))))

(def ^:private readings
  [{} {:records true} {:canonical true} {:duplicate-key :error :bigint true :max-nodes 50}
   {:utf8 :replace :key-fn true} {:utf8 :raw :records true :duplicate-key :error}])

(defn- reading
  "`:value`, or the kind and offset of the error; any other exception is let through."
  [f]
  (try [:value (f)]
       (catch ExceptionInfo e [(.kind (PackordException/of e)) (.offset (PackordException/of e))])))

(def ^:private sorted
  {:bigint true :sort-keys true})

(defn- consistent?
  "Whether the array, the stream and Java's data agree on the bytes."
  [^bytes b opts]
  (let [[outcome x :as whole] (reading #(unpack b (assoc opts :trailing :allow)))
        streamed (reading #(unpack (ByteArrayInputStream. b) (assoc opts :max-buffer 10000000000)))]
    (if (= :value outcome)
      (and (= :value (first streamed))
           (Arrays/equals (pack x sorted) (pack (second streamed) sorted)))
      (= whole streamed))))

(defspec arrays-streams-and-java-agree-on-any-bytes 3000
  (prop/for-all [b gen/bytes
                 opts (gen/elements readings)]
    (consistent? b opts)))

(deftest arrays-streams-and-java-agree-on-damaged-vectors
  (let [r (Random. 5)
        originals (->> (mapcat v/cases ["valid" "invalid" "records" "stream"])
                       (map #(get % "bytes"))
                       (filter string?)
                       (map v/hex->bytes)
                       (filter #(pos? (alength ^bytes %))))]
    (doseq [^bytes original originals
            _ (range 4)
            :let [b (Arrays/copyOf original (alength original))]]
      (dotimes [_ (inc (.nextInt r 2))]
        (let [i (.nextInt r (alength b))]
          (aset b i (unchecked-byte (bit-xor (aget b i) (bit-shift-left 1 (.nextInt r 8)))))))
      (doseq [opts readings]
        (is (consistent? b opts) (v/bytes->hex b))))))
