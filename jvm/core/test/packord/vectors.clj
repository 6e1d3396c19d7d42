(ns packord.vectors
  "Reads the vectors of the specification: cases, bytes, values and options."
  (:require
   [clojure.java.io :as io]
   [packord.core :as packord]
   [packord.extension.clojure :as ext.clj]
   [packord.extension.types :refer [types-ext]])
  (:import
   (com.fasterxml.jackson.databind ObjectMapper)
   (java.io ByteArrayOutputStream File)
   (java.nio ByteBuffer)
   (java.util Arrays HexFormat LinkedHashMap List Map)
   (packord Ext Timestamp)))

(set! *warn-on-reflection* true)

(def ^:private members
  #{"name" "bytes" "options" "value" "values" "default" "canonical" "notation" "error" "end" "then"
    "encode" "steps" "shared_after" "class" "value_ok" "factor" "tag" "plain"
    "needs" "rows" "reads" "index" "splits" "ends" "blocks" "write" "unpacked"
    "text" "refused" "type" "languages" "again" "instead" "except" "kinds" "readers" "read"})

(def ^:private root
  (->> (iterate #(.getParentFile ^File %) (.getAbsoluteFile (io/file ".")))
       (take-while some?)
       (map #(io/file % "spec" "vectors"))
       (filter #(.isDirectory ^File %))
       first))

(defn ->clj
  "JSON as Clojure data; maps keep their order."
  [x]
  (cond
    (instance? Map x) (into (array-map) (map (fn [[k v]] [k (->clj v)])) x)
    (instance? List x) (mapv ->clj x)
    :else x))

(defn cases
  "All cases of a class. Fails when there are none, or when one has a member nobody knows."
  [class-name]
  (let [files (sort (filter #(.endsWith (.getName ^File %) ".json")
                            (file-seq (io/file root class-name))))
        all (for [^File f files
                  c (get (->clj (.readValue (ObjectMapper.) f Map)) "cases")]
              (assoc c :file (.getName f)))]
    (assert (seq all) (str "no vectors of class " class-name))
    (doseq [c all, m (keys (dissoc c :file))]
      (assert (members m) (str "unknown member " m)))
    all))

(defn hex->bytes ^bytes [^String s]
  (.parseHex (HexFormat/of) s))

(defn bytes->hex [^bytes b]
  (.formatHex (HexFormat/of) b))

(declare expand)

(defn- words [alphabet power]
  (if (zero? power)
    [""]
    (for [w (words alphabet (dec power)), letter alphabet] (str w letter))))

(defn- write-part [^ByteArrayOutputStream out part]
  (cond
    (string? part) (.writeBytes out (hex->bytes part))
    (get part "repeat") (let [^bytes b (expand (get part "repeat"))]
                          (dotimes [_ (get part "times")] (.writeBytes out b)))
    :else (let [prefix (hex->bytes (get part "prefix"))
                suffix (hex->bytes (get part "suffix"))
                around (fn [^bytes middle]
                         (.writeBytes out prefix)
                         (.writeBytes out middle)
                         (.writeBytes out suffix))]
            (if-let [alphabet (get part "product")]
              (run! #(around (hex->bytes %)) (words alphabet (get part "power")))
              (let [digits (get part "digits")
                    zeros (apply str (repeat digits "0"))]
                (dotimes [i (get part "counter")]
                  (let [s (str i)]
                    (around (.getBytes (str (subs zeros (count s)) s) "US-ASCII")))))))))

(defn expand
  "The bytes of a BYTES member."
  ^bytes [bytes]
  (let [out (ByteArrayOutputStream.)]
    (run! #(write-part out %) (if (string? bytes) [bytes] bytes))
    (.toByteArray out)))

(defn size
  "The length of what [[expand]] makes of a BYTES member."
  [bytes]
  (letfn [(part [p]
            (cond
              (string? p) (quot (count p) 2)
              (get p "repeat") (* (get p "times") (size (get p "repeat")))
              :else (let [around (+ (part (get p "prefix")) (part (get p "suffix")))]
                      (if-let [alphabet (get p "product")]
                        (let [letters (count alphabet)
                              power (get p "power")
                              total (reduce + (map part alphabet))]
                          (+ (* (long (Math/pow letters power)) around)
                             (* power (long (Math/pow letters (dec power))) total)))
                        (* (get p "counter") (+ around (get p "digits")))))))]
    (if (string? bytes) (part bytes) (reduce + (map part bytes)))))

(defn- repeated [x f]
  (if (map? x)
    (f (apply str (repeat (get x "times") (get x "repeat"))))
    (f x)))

(defn- linked-map [entries]
  (let [m (LinkedHashMap.)]
    (doseq [[k v] entries] (.put m k v))
    m))

(def ^:dynamic *big*
  "What integers beyond a long are built by."
  identity)

(defn build
  "The value of a VALUE member. Maps are LinkedHashMaps, so that they keep their order."
  [v]
  (if-not (map? v)
    v
    (let [[tag x] (first v)]
      (case tag
        "int" (let [n (bigint x)] (if (<= Long/MIN_VALUE n Long/MAX_VALUE) (long n) (*big* n)))
        "f64" (Double/longBitsToDouble (Long/parseUnsignedLong x 16))
        "f32" (Float/intBitsToFloat (Integer/parseUnsignedInt x 16))
        "str" (repeated x identity)
        "bin" (repeated x hex->bytes)
        "ext" (Ext. (int (first x)) (repeated (second x) hex->bytes))
        "timestamp" (Timestamp. (parse-long (first x)) (int (second x)))
        "array" (if (map? x)
                  (vec (repeat (get x "times") (build (get x "repeat"))))
                  (mapv build x))
        "map" (if (map? x)
                (let [{:strs [count value digits]} x
                      value (build value)]
                  (linked-map (for [i (range count)]
                                [(if digits (format (str "%0" digits "d") i) i) value])))
                (linked-map (for [[k v] x] [(build k) (build v)])))
        "nest" (nth (iterate vector (build (get x "inner"))) (get x "array"))))))

(declare read-plain)

(defn- map-of
  "A map of these entries, in their order, in which a key may be twice."
  [entries]
  (proxy [java.util.AbstractMap] []
    (entrySet []
      (proxy [java.util.AbstractSet] []
        (size [] (count entries))
        (iterator [] (.iterator ^Iterable entries))))))

(defn- read-bytes ^bytes [^ByteBuffer in n]
  (let [b (byte-array n)]
    (.get in b)
    b))

(defn- read-uint [^ByteBuffer in size]
  (case (long size)
    1 (bit-and 0xff (.get in))
    2 (bit-and 0xffff (.getShort in))
    4 (bit-and 0xffffffff (.getInt in))))

(defn- read-values [in n]
  (vec (repeatedly n #(read-plain in))))

(defn- read-map [in n]
  (map-of (mapv (fn [[k v]] (java.util.AbstractMap$SimpleEntry. k v)) (partition 2 (read-values in (* 2 n))))))

(defn- read-ext [^ByteBuffer in n]
  (let [type (.get in)]
    (Ext. (int type) (read-bytes in n))))

(defn- read-marked [^ByteBuffer in ^long m]
  (cond
    (= m 0xc0) nil
    (<= 0xc2 m 0xc3) (= m 0xc3)
    (<= 0xc4 m 0xc6) (read-bytes in (read-uint in (bit-shift-left 1 (- m 0xc4))))
    (<= 0xc7 m 0xc9) (read-ext in (read-uint in (bit-shift-left 1 (- m 0xc7))))
    (= m 0xca) (.getFloat in)
    (= m 0xcb) (.getDouble in)
    (<= 0xcc m 0xce) (read-uint in (bit-shift-left 1 (- m 0xcc)))
    (= m 0xcf) (let [n (.getLong in)] (if (neg? n) (*big* (+ 18446744073709551616N n)) n))
    (= m 0xd0) (long (.get in))
    (= m 0xd1) (long (.getShort in))
    (= m 0xd2) (long (.getInt in))
    (= m 0xd3) (.getLong in)
    (<= 0xd4 m 0xd8) (read-ext in (bit-shift-left 1 (- m 0xd4)))
    (<= 0xd9 m 0xdb) (String. (read-bytes in (read-uint in (bit-shift-left 1 (- m 0xd9)))) "UTF-8")
    (<= 0xdc m 0xdd) (read-values in (read-uint in (bit-shift-left 2 (- m 0xdc))))
    :else (read-map in (read-uint in (bit-shift-left 2 (- m 0xde))))))

(defn- read-plain [^ByteBuffer in]
  (let [m (bit-and 0xff (.get in))]
    (cond
      (< m 0x80) m
      (< m 0x90) (read-map in (bit-and m 0xf))
      (< m 0xa0) (read-values in (bit-and m 0xf))
      (< m 0xc0) (String. (read-bytes in (bit-and m 0x1f)) "UTF-8")
      (>= m 0xe0) (- m 256)
      :else (read-marked in m))))

(defn exact
  "The value of a plain message, which packs to the same bytes: floats have their width, maps their order and
  keys that are twice, and timestamps are exts."
  [^bytes message]
  (read-plain (ByteBuffer/wrap message)))

(declare same?)

(defn- same-map? [^Map expected ^Map actual]
  (and (= (.size expected) (.size actual))
       (if (<= (.size expected) 8)
         (every? true? (map (fn [e a] (and (same? (key e) (key a)) (same? (val e) (val a))))
                            expected actual))
         (every? (fn [e] (and (.containsKey actual (key e))
                              (same? (val e) (.get actual (key e)))))
                 expected))))

(defn- bits [^double d]
  (Double/doubleToRawLongBits d))

(def ^:private quiet-bit (bit-shift-left 1 51))

(defn same?
  "Whether a value that was read is the expected one, to the bits of its floats. A signalling NaN
  of 32 bits may have become quiet, as format.md section 7 allows."
  [expected actual]
  (cond
    (instance? Float expected)
    (and (double? actual)
         (or (= (bits (double expected)) (bits actual))
             (and (Float/isNaN expected)
                  (= (bit-or quiet-bit (long (bits (double expected)))) (bits actual)))))
    (double? expected) (and (double? actual) (= (bits expected) (bits actual)))
    (bytes? expected) (and (bytes? actual) (Arrays/equals ^bytes expected ^bytes actual))
    (instance? Timestamp expected) (= expected
                                      (if (instance? java.time.Instant actual)
                                        (Timestamp. (.getEpochSecond ^java.time.Instant actual)
                                                    (.getNano ^java.time.Instant actual))
                                        actual))
    (instance? Map expected) (and (instance? Map actual) (same-map? expected actual))
    (instance? List expected) (and (instance? List actual)
                                   (= (count expected) (count actual))
                                   (let [e (.iterator ^List expected)
                                         a (.iterator ^List actual)]
                                     (loop []
                                       (cond
                                         (not (.hasNext e)) true
                                         (same? (.next e) (.next a)) (recur)
                                         :else false))))
    (integer? expected) (and (integer? actual) (= expected actual))
    :else (= expected actual)))

(def handlers
  "Extensions by the ext types of the vectors' option `ext_types`."
  (assoc (zipmap [80 81 86 82 83 84 85 87 88 89 95 116] ext.clj/extensions)
         94 (types-ext {})))

(defn options
  "The options of a case, as those of packord.core."
  [c]
  (into (if (= "records" (:class c)) {:records true} {})
        (for [[k v] (get c "options")]
          (case k
            "shared_structures" [:structures (atom v)]
            "ext_types" [:extensions (mapv #(or (handlers %) (throw (ex-info "no handler" {:type %})))
                                           v)]
            [(keyword (.replace ^String k \_ \-)) (if (string? v) (keyword v) v)]))))

(defn outcome
  "The value that `f` returns, or its error as the vectors have it."
  [f]
  (try
    {:value (f)}
    (catch RuntimeException e
      {:error {"kind" (.id (.kind (packord.PackordException/of e))) "offset" (.offset (packord.PackordException/of e)) "path" (.path (packord.PackordException/of e))}})))

(defn fails?
  "Whether an outcome is this error, whose members may be some of those of an outcome."
  [expected outcome]
  (= expected (select-keys (:error outcome) (keys expected))))

(defn unpack-outcome [b opts]
  (outcome #(packord/unpack b opts)))
