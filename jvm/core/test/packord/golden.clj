(ns packord.golden
  "Compares what this checkout reads and writes with what is recorded in `golden.edn`: for each reader a hash of the
  values and errors of a million mutated vectors, for each writer a hash of the bytes of 200,000 values, all from fixed
  seeds. A change of the code that is not to change behaviour leaves every hash as it is.

      make golden-jvm             # compares; QUICK=1 takes a twentieth of the messages and values
      make golden-jvm WRITE=1     # records"
  (:require
   [clojure.edn :as edn]
   [clojure.java.io :as io]
   [clojure.pprint :refer [pprint]]
   [clojure.walk :refer [postwalk]]
   [packord.compat.clojure-msgpack :as msg]
   [packord.compat.msgpack-clj :as msgpack-clj]
   [packord.core :as p]
   [packord.extension.clojure :as ext.clj]
   [packord.vectors :as v])
  (:import
   (clojure.lang Keyword PersistentHashMap)
   (java.io ByteArrayInputStream ByteArrayOutputStream)
   (java.nio ByteBuffer)
   (java.time Instant)
   (java.util Arrays Collection Map Map$Entry Random Set)
   (packord Ext Options Options$DuplicateKey Options$Timestamps Options$Utf8 PackordException Packer Token TypeRef Unpacker Walker)
   (packord.decode PlainMessages)))

(set! *warn-on-reflection* true)
(set! *unchecked-math* true)

(defn- mix ^long [^long h ^long x]
  (let [m (* (bit-xor h x) -7046029254386353131)]
    (bit-xor m (unsigned-bit-shift-right m 29))))

(defn- hash-of
  "A hash of a value that tells apart what `=` does not, and is the same in every process."
  ^long [x]
  (letfn [(each [^long seed xs] (reduce (fn [h x] (mix h (hash-of x))) seed xs))]
    (cond
      (nil? x) 1
      (instance? Long x) (mix 2 (long x))
      (string? x) (mix 3 (.hashCode ^String x))
      (instance? Double x) (mix 4 (Double/doubleToRawLongBits x))
      (instance? Boolean x) (if x 5 6)
      (instance? Keyword x) (mix 7 (.hashCode (str x)))
      (bytes? x) (mix 8 (Arrays/hashCode ^bytes x))
      ;; Their order depends on hashes, and those of exts and byte arrays on the process.
      (or (instance? PersistentHashMap x) (record? x)) (reduce (fn [^long h e] (+ h (hash-of (vec e)))) 9 x)
      (instance? Map x) (each (mix 9 (count x)) (mapcat (fn [^Map$Entry e] [(.getKey e) (.getValue e)]) (.entrySet ^Map x)))
      (instance? Set x) (reduce (fn [^long h x] (+ h (hash-of x))) 10 x)
      (instance? Collection x) (each (mix 11 (count x)) x)
      (instance? Ext x) (mix (mix 12 (.type ^Ext x)) (hash-of (.data ^Ext x)))
      (.isArray (class x)) (each 13 (seq x))
      :else (mix (.hashCode (.getName (class x))) (.hashCode (str x))))))

(defn- result
  "A hash of what a reader makes of bytes, or of its error."
  ^long [read ^bytes b]
  (try (hash-of (read b))
       (catch RuntimeException e
         (mix (mix (.hashCode (str (.kind (PackordException/of e)))) (.offset (PackordException/of e))) (.hashCode (.path (PackordException/of e)))))
       (catch Exception e (.hashCode (.getName (class e))))))

;; ---------------------------------------------------------------- messages

(def ^:private messages
  (delay
    (let [all (for [c (mapcat v/cases ["valid" "invalid" "records" "columns" "stream"])
                    :let [b (get c "bytes")]
                    :when (and b (< 0 (long (v/size b)) 2000))]
                (v/expand b))]
      (object-array all))))

(defn- mutated ^bytes [^Random r]
  (let [^objects all @messages
        pick #(aget all (.nextInt r (alength all)))
        ^bytes from (pick)
        b (Arrays/copyOf from (alength from))]
    (case (.nextInt r 6)
      0 b
      1 (Arrays/copyOf b (.nextInt r (alength b)))
      2 (let [^bytes more (pick)
              cut (.nextInt r (alength b))
              out (Arrays/copyOf b (+ cut (alength more)))]
          (System/arraycopy more 0 out cut (alength more))
          out)
      (do (dotimes [_ (inc (.nextInt r 3))]
            (aset b (.nextInt r (alength b)) (unchecked-byte (.nextInt r))))
          b))))

(defn- java-options ^Options [f]
  (.build ^packord.Options$Builder (f (Options/builder))))

(defn- tokens [^Walker walker]
  (loop [found (transient [])]
    (if-let [token (.next walker)]
      (recur (conj! found [(str token) (.offset walker) (.depth walker)
                           (when (#{Token/INTEGER Token/STR Token/FLOAT Token/EXT} token) (hash-of (.value walker)))]))
      (persistent! found))))

(defn- readers []
  (let [clj (fn [opts] (let [c (p/codec opts)] #(p/unpack % c)))
        java (fn [f] (let [u (Unpacker/of (java-options f))] #(.unpack u ^bytes %)))
        both (java-options #(-> ^packord.Options$Builder % (.records true) (.columns true)))
        typed (fn [^TypeRef type] (let [u (Unpacker/of both)] #(.unpack u ^bytes % type)))
        streamed (p/codec {:records true :sequential true})]
    {"clojure" (clj nil)
     "clojure keywords, records, columns" (clj {:key-fn true :records true :columns true})
     "clojure canonical" (clj {:canonical true})
     "clojure limits" (clj {:max-len 40 :max-nodes 30 :max-depth 5 :records true :columns true})
     "clojure extensions" (clj {:extensions ext.clj/extensions :columns true})
     "clojure rich, key function" (clj {:rich true :key-fn #(if (string? %) (str "x" %) %) :utf8 :raw :undefined-record :error :records true})
     "java" (java identity)
     "java records, columns" (java #(-> ^packord.Options$Builder % (.records true) (.columns true)))
     "java duplicates" (java #(-> ^packord.Options$Builder % (.duplicateKey Options$DuplicateKey/ERROR)
                                  (.columns true) (.timestamps Options$Timestamps/TIMESTAMP) (.utf8 Options$Utf8/REPLACE)))
     "java buffer" (let [u (Unpacker/of both)] #(.unpack u (ByteBuffer/wrap %)))
     "java stream" (let [u (Unpacker/of both)] #(.unpack u (ByteArrayInputStream. %)))
     "stream of messages" #(into [] (take 50) (p/unpack-stream (ByteArrayInputStream. %) streamed))
     "typed List" (typed (.list (TypeRef/of Object)))
     "typed Map" (typed (TypeRef/of Map))
     "typed String" (typed (TypeRef/of String))
     "typed long[]" (typed (TypeRef/of (Class/forName "[J")))
     "typed double[]" (typed (TypeRef/of (Class/forName "[D")))
     "typed Instant" (typed (TypeRef/of Instant))
     "walker" (let [u (Unpacker/of both)] #(let [w (.walker u ^bytes %)] (when (.nextMessage w) (tokens w))))
     "view" (let [u (Unpacker/of both)] #(let [v (.view u ^bytes %)] [(str (.type v)) (.unpack v)]))
     "plain messages" #(let [^ByteBuffer b (PlainMessages/of both % true Integer/MAX_VALUE)
                             a (byte-array (.remaining b))]
                         (.get b a)
                         a)
     "compat msgpack-clj" #(msgpack-clj/unpack %)
     ;; A path may show a record, whose entries are in the order of the hashes of its values.
     "compat clojure-msgpack" #(try (msg/unpack %) (catch RuntimeException e [(str (.kind (PackordException/of e))) (.offset (PackordException/of e))]))}))

;; ---------------------------------------------------------------- values

(defn- text [^Random r]
  (apply str (repeat (.nextInt r 40) (nth ["abc" "é" "日本" "😀x" "key"] (.nextInt r 5)))))

(declare value)

(defn- rows [^Random r ^long depth]
  (let [ks (vec (repeatedly (inc (.nextInt r 4)) #(.nextInt r 9)))
        column (fn [^long k] (case (int (mod k 4)) 0 (.nextInt r 3) 1 (text r) 2 (/ (.nextInt r 1000) 8.0) (value r depth)))]
    (vec (repeatedly (.nextInt r 30) #(into {} (for [k ks :when (< 0 (.nextInt r 8))] [(str "k" k) (column k)]))))))

(defn- value [^Random r ^long depth]
  (case (.nextInt r (if (pos? depth) 18 12))
    0 nil
    1 (.nextBoolean r)
    2 (long (.nextInt r 300))
    3 (- (long (.nextInt r 300)))
    4 (bit-shift-right (.nextLong r) (.nextInt r 64))
    5 (Double/longBitsToDouble (.nextLong r))
    6 (/ (.nextInt r 4000) 4.0)
    7 (text r)
    8 (let [b (byte-array (.nextInt r 40))] (.nextBytes r b) b)
    9 (Instant/ofEpochSecond (bit-shift-right (.nextLong r) (+ 10 (.nextInt r 50))) (* (.nextInt r 2) (.nextInt r 1000000000)))
    10 (Ext. (unchecked-byte (+ 10 (.nextInt r 5))) (byte-array (.nextInt r 20)))
    11 (keyword (str "k" (.nextInt r 9)))
    (12 13) (vec (repeatedly (.nextInt r 20) #(value r (dec depth))))
    (14 15) (into {} (repeatedly (.nextInt r 20) #(vector (text r) (value r (dec depth)))))
    16 (apply array-map (mapcat (fn [_] [(value r 0) (value r (dec depth))]) (range (.nextInt r 20))))
    (rows r (dec depth))))

(defn- writers []
  (let [clj (fn [opts] (let [c (p/codec opts)] #(p/pack % c)))
        java (fn [f] (let [packer (Packer/of (java-options f))] #(.pack packer %)))]
    {"clojure" (clj nil)
     "clojure records" (clj {:records true :key-fn true})
     "clojure columns" (clj {:columns true})
     "clojure columns, records" (clj {:columns true :records true :max-own-structures 200})
     "clojure canonical" (clj {:canonical true})
     "clojure sorted" (clj {:sort-keys true :float32 true :skip-nil true})
     "clojure rich" (clj {:rich true})
     "java" (java identity)
     "java records, columns" (java #(-> ^packord.Options$Builder % (.records true) (.columns true)))
     "stream" (let [c (p/codec {:records true :sequential true})]
                #(let [out (ByteArrayOutputStream.)] (p/pack-all-stream out [% %] c) (.toByteArray out)))
     "compat msgpack-clj" #(msgpack-clj/pack %)
     "compat clojure-msgpack" #(msg/pack %)}))

;; ---------------------------------------------------------------- the run

(defn- hashes
  "The hashes of what functions make of `n` inputs, in their order."
  [fs input ^long n]
  (let [random (Random. 7)
        step (fn [hashes x] (mapv (fn [f h] (mix h (result f x))) fs hashes))]
    (loop [i 0, hashes (mapv (constantly 17) fs)]
      (if (= i n) hashes (recur (inc i) (step hashes (input random)))))))

(defn- on-a-large-stack
  "A promise of what `f` returns, on a stack that holds what is done with the deepest values."
  [f]
  (let [done (promise)]
    (.start (Thread. nil #(deliver done (try (f) (catch Throwable t t))) "golden" (* 256 1024 1024)))
    done))

(defn- fold
  "The hashes of functions by their names. A few threads take them."
  [functions input n]
  (let [parts (partition-all 6 (sort functions))
        found (mapv (fn [part] (on-a-large-stack #(hashes (mapv val part) input n))) parts)
        found (mapcat deref found)]
    (into (sorted-map) (map (fn [k h] [k (format "%016x" h)]) (mapcat keys parts) found))))

(defn- run []
  (let [quick? (= "1" (System/getenv "QUICK"))
        size (if quick? "quick" "full")
        file (io/file "test" "packord" "golden.edn")
        known (if (.exists file) (edn/read-string (slurp file)) {})
        found {:readers (fold (readers) mutated (if quick? 50000 1000000))
               :writers (fold (writers) #(value % 4) (if quick? 10000 200000))}]
    (if (= "1" (System/getenv "WRITE"))
      (spit file (with-out-str (pprint (postwalk #(if (map? %) (into (sorted-map) %) %) (assoc known size found)))))
      (let [different (for [[side hashes] found, [k h] hashes :when (not= h (get-in known [size side k]))] [side k])]
        (run! #(println "differs:" %) different)
        (println (count (mapcat val found)) "groups compared," (count different) "differ")
        (System/exit (if (empty? different) 0 1))))))

(defn -main [& _]
  (run)
  (shutdown-agents))
