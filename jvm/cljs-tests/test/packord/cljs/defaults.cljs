(ns packord.cljs.defaults
  "The vectors of what is written and read without options. The harness has expanded their bytes."
  (:require
   [clojure.string :as str]
   [packord.cljs.generated :refer [hex unhex]]
   [packord.cljs.vectors :as vectors]
   [packord.core :as packord]))

(def ^:private language "clojurescript")

;; ---------------------------------------------------------------- natives

(defrecord PointOf [x y])
(defrecord LineOf [start end])
(defrecord SingleOf [x])
(defrecord EmptyOf [])

(declare build)

(defn- built [x]
  (mapv build x))

(def ^:private array-types
  {"i8" js/Int8Array, "i16" js/Int16Array, "u16" js/Uint16Array, "i32" js/Int32Array, "u32" js/Uint32Array
   "i64" js/BigInt64Array, "u64" js/BigUint64Array, "f32" js/Float32Array, "f64" js/Float64Array})

(defn- float32-of [bits]
  (let [view (js/DataView. (js/ArrayBuffer. 4))]
    (.setUint32 view 0 (js/parseInt bits 16))
    (.getFloat32 view 0)))

(defn- number-of [{:strs [int f32 f64] :as value}]
  (cond
    f32 (float32-of f32)
    f64 (vectors/build value)
    :else (js/BigInt int)))

(defn- array-of [type [size & more] values]
  (if more
    (to-array (map #(array-of type more %) (partition (/ (count values) size) values)))
    (.from (array-types type) (to-array (map #(if (str/ends-with? type "64")
                                                (if (= "f64" type) (js/Number %) (js/BigInt %))
                                                (js/Number %))
                                             values)))))

(defn- date-of [{[y m d] "date" [hour minute s n] "time" offset "offset"}]
  (let [date (js/Date. 0)]
    (.setUTCFullYear date y (dec m) d)
    (.setUTCHours date hour minute (- s offset) (quot n 1000000))
    date))

(defn- view-of [type digits]
  (let [buffer (.-buffer (unhex digits))]
    (case type
      "ArrayBuffer" buffer
      "DataView" (js/DataView. buffer)
      "Uint8ClampedArray" (js/Uint8ClampedArray. buffer))))

(defn- sequence-of [type elements]
  (case type
    "iterator" [(lazy-seq (seq elements)) (eduction (map identity) elements)]
    "queue" [(into #queue [] elements)]
    "linked_list" [(apply list elements)]
    "range" [(range (count elements))]))

(defn- natives
  "The values of ClojureScript's types that a native stands for."
  [{:strs [native type of value text name] :as n}]
  (case native
    "bigint" [(js/BigInt value)]
    "numbers" [(array-of type (get n "shape" [(count of)]) (map number-of of))]
    "bytes" [(view-of type (get n "hex"))]
    "utf16" [(.apply js/String.fromCharCode nil (to-array (get n "units")))]
    "keyword" [(keyword text)]
    "symbol" [(symbol text)]
    "uuid" [(uuid text)]
    "time" [(date-of n)]
    "invalid_date" [(js/Date. js/NaN)]
    "set" [(set (built of))]
    "sequence" (sequence-of type (built of))
    "struct" (let [values (map (comp build second) (get n "fields"))]
               [(case name
                  "Point" (apply ->PointOf values)
                  "Line" (apply ->LineOf values)
                  "Single" (apply ->SingleOf values)
                  "Empty" (->EmptyOf))])
    "function" [inc (fn [x] x)]
    "exception" [(js/TypeError. (get n "message")) (ex-info (get n "message") {})]
    "regexp" [(js/RegExp. (get n "source") (get n "flags"))]
    "reference" [(atom 1) (volatile! 1) (delay 1)]
    nil))

(def ^:dynamic *choice* 0)

(defn- build [x]
  (cond
    (not (map? x)) x
    (contains? x "native") (let [all (natives x)] (nth all (mod *choice* (count all))))
    (sequential? (get x "array")) (built (get x "array"))
    (sequential? (get x "map")) (apply array-map (mapcat (fn [[k v]] [(build k) (build v)]) (get x "map")))
    :else (vectors/build x)))

;; ---------------------------------------------------------------- checks

(def ^:private faults (volatile! []))
(def ^:private counts (volatile! {}))
(def ^:private exceptions (volatile! #{}))

(defn- check [right? c & what]
  (when-not right?
    (vswap! faults conj (str (get c "name") ": " (str/join " " (map #(subs (pr-str %) 0 300) what))))))

(defn- options [given]
  (into {} (for [[k v] given]
             [(keyword (str/replace k "_" "-")) (if (string? v) (keyword v) v)])))

(defn- pack [value c]
  (hex (if-let [given (get c "options")]
         (packord/pack value (options given))
         (packord/pack value))))

(defn- unpack [bytes c]
  (if-let [given (get c "options")]
    (packord/unpack bytes (options given))
    (packord/unpack bytes)))

(defn- outcome [f]
  (try
    {:value (f)}
    (catch ExceptionInfo e
      (let [{:keys [kind path offset]} (ex-data e)]
        (when-not kind (throw e))
        {"kind" (str/replace (name kind) "-" "_") "path" path "offset" offset :message (ex-message e)}))))

(defn- check-write [c]
  (doseq [choice (range 3)]
    (binding [*choice* choice]
      (let [got (outcome #(pack (build (get c "write")) c))]
        (if-let [{:strs [kind path option] :as error} (get c "error")]
          (check (and (contains? #{kind (get error "or")} (get got "kind"))
                      (or (nil? path) (= path (get got "path")))
                      (or (nil? option) (str/includes? (str (:message got)) option)))
                 c got)
          (check (= (get c "bytes") (:value got)) c got))))))

(defn- time-of
  "A point in time as seconds and nanoseconds."
  [date]
  (if (some? (unchecked-get date "nanoseconds"))
    [::time (str (unchecked-get date "seconds")) (unchecked-get date "nanoseconds")]
    (let [ms (.getTime date)
          s (js/Math.floor (/ ms 1000))]
      [::time (str s) (* 1000000 (- ms (* 1000 s)))])))

(defn- comparable [x]
  (cond
    (instance? js/Date x) (time-of x)
    (vector? x) (mapv comparable x)
    (map? x) (into (if (<= (count x) 8) (array-map) {}) (map (fn [[k v]] [(comparable k) (comparable v)])) x)
    :else x))

(defn- type-name [x]
  (cond
    (instance? js/Date x) (if (some? (unchecked-get x "nanoseconds")) "Timestamp" "Date")
    (= "bigint" (goog/typeOf x)) "bigint"))

(defn- kinds [path x]
  (cond
    (vector? x) (apply merge (map-indexed (fn [i e] (kinds (str path "[" i "]") e)) x))
    (map? x) (apply merge (map (fn [[k v]] (kinds (str path (if (string? k) (str "." k) (str "[key " k "]"))) v)) x))
    :else (when-let [t (type-name x)] {path t})))

(defn- check-again [c value]
  (let [again (get c "again")
        expected (if (true? again) (get c "bytes") again)
        written (pack value c)
        reason (get-in c ["except" language])
        instead (get-in c ["instead" language])]
    (when reason (vswap! exceptions conj reason))
    (cond
      (nil? reason) (check (= expected written) c written)
      instead (check (= (pack (vectors/build instead) c) written) c written)
      ;; The bits of a NaN may be kept.
      (not= "the bits of a NaN" reason) (check (not= expected written) c written))))

(defn- check-read [c]
  (let [got (outcome #(unpack (unhex (get c "bytes")) c))]
    (if-let [error (get c "error")]
      (check (= error (select-keys got (keys error))) c got)
      (let [value (:value got)
            expected (vectors/build (get-in c ["instead" language] (get c "value")))]
        (check (vectors/same? (comparable expected) (comparable value)) c got)
        (check (= (get-in c ["kinds" language] {}) (or (kinds "$" value) {})) c (kinds "$" value))
        (check-again c value)))))

(def ^:private texts
  "The text of the values that ClojureScript has classes for."
  {"decimal" #(get % "text")
   "fraction" #(str (get % "numerator") "/" (get % "denominator"))
   "uuid" #(get % "text")})

(defn- check-rich [c]
  (let [write (get c "write")]
    (when (some #{language} (get c "languages" [language]))
      (check-write c))
    (let [bytes (unhex (get c "bytes"))
          value (unpack bytes c)
          text (texts (get write "native"))]
      (if (some #{language} (get c "readers"))
        (do (check (or (= 5 value) (not= value (packord/unpack bytes))) c value)
            (when text (check (= (text write) (str value)) c (str value))))
        (check (= value (packord/unpack bytes)) c value))
      (check (= (get c "bytes") (pack value c)) c (pack value c)))))

(defn- check-case [c]
  (vswap! counts update (if (contains? c "write") "written" "read") inc)
  (try
    (cond
      ;; Error, RegExp and Set of msgpackr: elsewhere the ext is a message, and the array after it another.
      (= ["javascript"] (get c "readers")) nil
      (= true (get-in c ["options" "rich"])) (check-rich c)
      (not (some #{language} (get c "languages" [language]))) nil
      (contains? c "write") (check-write c)
      :else (check-read c))
    (catch :default e
      (check false c (str "throws " (.-stack e))))))

(defn run
  "Checks the cases; returns the faults and the counts."
  [cases]
  (vreset! faults [])
  (vreset! counts {})
  (vreset! exceptions #{})
  (run! check-case cases)
  (when-not (= #{"1.0 beside 1" "float 32" "the bits of a NaN" "the order of more than 8 entries"}
               (disj @exceptions "keys 0.0 and −0.0" "−0.0 as a key"))
    (vswap! faults conj (str "exceptions " (pr-str @exceptions))))
  {"faults" @faults "counts" @counts})
