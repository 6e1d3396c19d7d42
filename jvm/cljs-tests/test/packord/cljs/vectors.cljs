(ns packord.cljs.vectors
  "The vectors of spec/vectors. The harness has expanded their bytes, and says of each case what
  JavaScript's numbers cannot express."
  (:require
   [packord.cljs.generated :refer [hex unhex]]
   [packord.core :as packord]
   [packord.extension.clojure :as ext.clj]))

;; ---------------------------------------------------------------- values

(defn- double-of [bits]
  (let [view (js/DataView. (js/ArrayBuffer. 8))]
    (.setBigUint64 view 0 (js/BigInt (str "0x" bits)))
    (.getFloat64 view 0)))

(defn- integer-of [digits]
  (let [n (js/BigInt digits)]
    (if (js/Number.isSafeInteger (js/Number n)) (js/Number n) n)))

(defn- repeated [x]
  (if (map? x) (.repeat (get x "repeat") (get x "times")) x))

(defn- entries [x]
  (if (map? x)
    (let [{:strs [count value digits]} x]
      (for [i (range count)]
        [(if digits {"str" (.padStart (str i) digits "0")} {"int" (str i)}) value]))
    x))

(defn build
  "The value of a VALUE member. Maps keep their order."
  [v]
  (if-not (map? v)
    v
    (let [tag (first (filter #(contains? v %) ["int" "f64" "str" "bin" "ext" "timestamp" "array" "map" "nest"]))
          x (get v tag)]
      (case tag
        "int" (integer-of x)
        "f64" (double-of x)
        "str" (repeated x)
        "bin" (unhex (repeated x))
        "ext" (packord/ext (first x) (unhex (repeated (second x))))
        "timestamp" (packord/timestamp (js/BigInt (first x)) (second x))
        "array" (if (map? x) (vec (repeat (get x "times") (build (get x "repeat")))) (mapv build x))
        "map" (let [kvs (to-array (mapcat (fn [[k v]] [(build k) (build v)]) (entries x)))]
                (.fromArray PersistentArrayMap kvs true true))
        "nest" (nth (iterate vector (build (get x "inner"))) (get x "array"))))))

(defn same?
  "Whether a value that was read is the expected one."
  [expected actual]
  (cond
    (number? expected) (and (number? actual) (js/Object.is expected actual))
    (instance? js/Uint8Array expected) (and (instance? js/Uint8Array actual)
                                            (= (vec expected) (vec actual)))
    (vector? expected) (and (vector? actual)
                            (= (count expected) (count actual))
                            (loop [e (seq expected) a (seq actual)]
                              (cond
                                (nil? e) true
                                (same? (first e) (first a)) (recur (next e) (next a))
                                :else false)))
    (map? expected) (and (map? actual)
                         (= (count expected) (count actual))
                         (if (<= (count expected) 8)
                           (every? true? (map (fn [[ek ev] [ak av]] (and (same? ek ak) (same? ev av)))
                                              expected actual))
                           (every? (fn [[k v]] (same? v (get actual k ::none))) expected)))
    :else (= expected actual)))

;; ---------------------------------------------------------------- options

(def ^:private handlers
  (zipmap [80 81 85 86 116] ext.clj/extensions))

(defn- options
  "The options of a case, or nil where ClojureScript has no type for an ext, or none of the options."
  [c]
  (let [given (get c "options")
        types (get given "ext_types")]
    (when (and (every? handlers types) (not-any? #{"columns" "max_expansion"} (keys given)))
      (into (cond-> {:timestamps :timestamp} (= "records" (get c "class")) (assoc :records true))
            (for [[k v] given]
              (case k
                "shared_structures" [:structures (atom v)]
                "ext_types" [:extensions (mapv handlers types)]
                [(keyword (.replaceAll k "_" "-")) (if (string? v) (keyword v) v)]))))))

(defn- outcome [f]
  (try
    {:value (f)}
    (catch ExceptionInfo e
      (let [{:keys [kind offset path]} (ex-data e)]
        (if kind
          {:error {"kind" (.replaceAll (name kind) "-" "_") "offset" offset "path" path}}
          (throw e))))))

(defn- fails?
  "Whether an outcome is this error, whose members may be some of those of an outcome."
  [expected outcome]
  (= expected (select-keys (:error outcome) (keys expected))))

(defn- chunks [bytes size]
  (mapv #(.subarray bytes % (min (.-length bytes) (+ size %))) (range 0 (.-length bytes) size)))

(defn- read-stream [pieces opts]
  (let [values (volatile! [])
        end (outcome #(run! (fn [v] (vswap! values conj v)) (packord/unpack-stream pieces opts)))]
    [@values (or (:error end) "clean")]))

;; ---------------------------------------------------------------- checks

(def ^:private faults (volatile! []))
(def ^:private counts (volatile! {}))

(defn- check [right? & what]
  (when-not right?
    (vswap! faults conj (apply str what))))

(defn- skip [reason]
  (vswap! counts update reason inc))

(defn- prefixes [n]
  (if (< n 300) (range n) (concat (range 40) (range 40 n (quot n 40)))))

(defn- check-damaged [c bytes opts]
  (when (nil? (:trailing opts))
    (let [n (.-length bytes)
          more (js/Uint8Array. (inc n))]
      (doseq [i (prefixes n)]
        (check (fails? {"kind" "eof" "offset" i}
                       (outcome #(packord/unpack (.subarray bytes 0 i) opts)))
               (get c "name") ": prefix of " i))
      (.set more bytes)
      (aset more n 0xc0)
      (check (fails? {"kind" "trailing_bytes" "offset" n "path" "$"} (outcome #(packord/unpack more opts)))
             (get c "name") ": trailing"))))

(defn- check-canonical [c bytes value]
  (let [canonical (get c "canonical")
        opts {:canonical true :timestamps :timestamp}]
    (when (some? canonical)
      (let [read (outcome #(packord/unpack bytes opts))]
        (if (true? canonical)
          (check (same? value (:value read)) (get c "name") ": canonical reading")
          (check (#{"not_canonical" "duplicate_key"} (get-in read [:error "kind"]))
                 (get c "name") ": refused when canonical")))
      (let [written (outcome #(hex (packord/pack value opts)))]
        (cond
          (not canonical) nil
          (map? canonical) (check (fails? canonical written) (get c "name") ": canonical writing")
          (not (get c "inexpressible-canonical"))
          (check (= {:value (if (true? canonical) (hex bytes) canonical)} written)
                 (get c "name") ": canonical writing"))))))

(defn- unordered?
  "Whether a value has a map of more than 8 entries, whose order ClojureScript does not keep."
  [value]
  (some #(and (map? %) (< 8 (count %))) (tree-seq coll? #(if (map? %) (mapcat identity %) %) value)))

(defn- check-again
  "What a default writer writes is read without options, and written as the same bytes."
  [c bytes value]
  (when (and (get c "default") (not (get c "inexpressible")) (not (unordered? value)))
    (vswap! counts update "again" inc)
    (check (= (hex bytes) (hex (packord/pack (packord/unpack bytes)))) (get c "name") ": again")))

(defn- check-valid [c bytes opts]
  (let [read (outcome #(packord/unpack bytes opts))
        title (get c "name")]
    (cond
      (#{"set of 1 and 1.0" "keys 2 and an inner 2.0"} title) (skip "1.0 beside 1")
      (get c "loose") (do (check (contains? read :value) title) (skip "floats as keys"))
      (contains? (get c "options") "ext_types")
      (do (check (contains? read :value) title ": " (pr-str read))
          (when (and (get c "default")
                     (not= [86] (get-in c ["options" "ext_types"]))
                     ;; Bytes are bin, in ClojureScript as in JavaScript.
                     (not (instance? js/Uint8Array (:value read)))
                     (not (instance? js/ArrayBuffer (:value read))))
            (check (= (hex bytes) (hex (packord/pack (:value read) opts))) title ": written")))
      :else
      (let [value (build (get c "value"))]
        (check (same? value (:value read)) title ": read " (subs (pr-str read) 0 300))
        (if (get c "inexpressible")
          (skip (get c "inexpressible"))
          (check (= (get c "default") (= (hex bytes) (hex (packord/pack value opts))))
                 title ": written"))
        (when-not (get c "options")
          (check-canonical c bytes value)
          (check-again c bytes value))
        (check-damaged c bytes opts)
        (when (nil? (:trailing opts))
          (check (same? [[value value] "clean"]
                        (read-stream (into (chunks bytes 7) (chunks bytes 4096)) opts))
                 title ": as a stream"))))))

(defn- check-stream [c bytes opts]
  (let [expected (mapv build (get c "values"))]
    (doseq [size [1 2 3 7 64 4096]]
      (let [[values end] (read-stream (chunks bytes size) opts)]
        (check (and (same? expected values) (= (get c "end") end))
               (get c "name") ": chunks of " size " " (pr-str end))))))

(defn- written-all [values opts]
  (let [c (packord/codec opts)]
    (apply str (map #(hex (packord/pack % c)) values))))

(defn- check-writing [c bytes opts]
  (let [values (mapv build (if (contains? c "values") (get c "values") [(get c "value")]))]
    (if (get c "inexpressible")
      (skip (get c "inexpressible"))
      (do (check (= (hex bytes) (written-all values opts)) (get c "name") ": written")
          (when-let [after (get c "shared_after")]
            (check (= after @(:structures opts)) (get c "name") ": shared " (pr-str @(:structures opts))))
          (check (same? [values "clean"]
                        (read-stream (chunks bytes 5) (update opts :structures #(some-> % deref))))
                 (get c "name") ": read again")))))

(defn- check-steps [c opts]
  (let [codec (packord/codec opts)]
    (doseq [{:strs [value bytes error]} (get c "steps")]
      (if (get c "encode")
        (let [{written :value failed :error} (outcome #(hex (packord/pack (build value) codec)))]
          (check (if error (= (get error "kind") (get failed "kind")) (= bytes written))
                 (get c "name") ": step"))
        (let [read (outcome #(packord/unpack (unhex bytes) codec))]
          (check (if error (fails? error read) (same? (build value) (:value read)))
                 (get c "name") ": step " (pr-str (:error read))))))
    (when-let [after (get c "shared_after")]
      (check (= after @(:structures opts)) (get c "name") ": shared"))))

(defn- check-records [c bytes opts]
  (cond
    (contains? c "steps") (check-steps c opts)
    (get c "encode") (check-writing c bytes opts)
    (contains? c "error") (check (fails? (get c "error") (outcome #(packord/unpack bytes opts)))
                                 (get c "name"))
    (contains? c "values") (check (same? [(mapv build (get c "values")) "clean"]
                                         (read-stream (chunks bytes 3) opts))
                                  (get c "name"))
    :else (check (same? (build (get c "value")) (:value (outcome #(packord/unpack bytes opts))))
                 (get c "name"))))

(defn- check-case [c]
  (let [opts (options c)
        bytes (some-> (get c "bytes") unhex)]
    (vswap! counts update "cases" inc)
    (try
      (cond
        (nil? opts) (skip "ext types without a type in ClojureScript")
        (= "valid" (get c "class")) (check-valid c bytes opts)
        (= "invalid" (get c "class"))
        (let [got (outcome #(packord/unpack bytes opts))]
          (check (fails? (get c "error") got) (get c "name") ": " (pr-str (:error got))))
        (= "stream" (get c "class")) (check-stream c bytes opts)
        :else (check-records c bytes opts))
      (catch :default e
        (check false (get c "name") " throws " (.-stack e))))))

(defn run
  "Checks the cases; returns the faults and the counts."
  [cases]
  (vreset! faults [])
  (vreset! counts {})
  (run! check-case cases)
  {"faults" @faults "counts" @counts})

(defn repacked
  "The values of the valid cases without options as ClojureScript packs them, for the JVM to read."
  [cases]
  (into {} (for [c cases
                 :when (and (= "valid" (get c "class")) (not (get c "options")) (not (get c "loose")))]
             [(get c "name") (hex (packord/pack (packord/unpack (unhex (get c "bytes")) {:timestamps :timestamp})))])))

(defn hostile
  "Reads a hostile case, whose bytes are given; returns what is wrong or nil."
  [c bytes]
  (when-let [opts (options c)]
    (let [{:keys [error] :as read} (outcome #(packord/unpack bytes opts))
          expected (get c "error")]
      (when (and (not (if expected (fails? expected read) (nil? error)))
                 ;; Maps whose keys collide are refused: ClojureScript cannot choose their hash.
                 (not (and (nil? expected) (= "length_limit" (get error "kind")))))
        (str (get c "name") ": " (pr-str error))))))
