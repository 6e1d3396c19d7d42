(ns packord.core
  "MessagePack for ClojureScript's data: the functions, options and bytes of `packord.core` on the JVM.

      (require '[packord.core :refer [pack unpack]])

      (unpack (pack {:a 1 \"b\" [1 2 3]}))       ;=> {\"a\" 1, \"b\" [1 2 3]}
      (unpack (pack {:a 1}) {:key-fn true})     ;=> {:a 1}

  Packed: nil, booleans, numbers (integers up to 2^53 as integers, so also 1.0), bigints, strings, keywords,
  symbols and UUIDs as text, as keys too, arrays of bytes (Uint8Array, ArrayBuffer, DataView) as bin, other
  typed arrays as arrays, maps with any keys, vectors, lists, seqs, sets as arrays, records as maps, js/Date
  as a timestamp, `packord.core/ext` values, and the arrays, plain objects and Maps of JavaScript.

  Unpacked: integers as numbers, beyond 2^53 as bigints, strings, bin as Uint8Array, vectors, maps,
  timestamps as js/Date, finer ones as a Date with nanoseconds, unknown exts as values that pack to the same
  bytes again.

  Every failure is an ExceptionInfo whose data are those of the JVM:

      (try (unpack (js/Uint8Array.of 0x93 1))
           (catch ExceptionInfo e (ex-data e)))
      ;=> {:type :packord/error, :kind :eof, :path \"$\", :offset 2}"
  (:require
   ["packord/host" :as host]
   [clojure.string :as str]
   [goog.object :as gobject]
   [packord.extension :as extension :refer [TypeExtension]]
   [packord.extension.clojure :as ext.clj]
   [packord.options :as options]))

;; ---------------------------------------------------------------- keys

(def ^{:arglists '([k])} stringify-keys-mapper
  "Key function for packing: keywords become strings, their namespace kept as `ns/name`; other
  keys stay. The same as `:key-fn true`."
  options/stringify-keys-mapper)

(def ^{:arglists '([k])} keywordize-keys-mapper
  "Key function for unpacking: strings become keywords, `\"ns/name\"` with a namespace; other keys
  stay. The same as `:key-fn true`."
  options/keywordize-keys-mapper)

(def ^:private known-keyword (ext.clj/remembering keyword))

(defn- reading-key-fn [key-fn]
  (if (options/keyword-keys? key-fn)
    (fn [k] (if (string? k) (known-keyword k) k))
    (or (options/user-key-fn key-fn) identity)))

;; ---------------------------------------------------------------- options

(defn- lists [structures]
  (clj->js (mapv vec structures)))

(defn- set-structures [^js o structures]
  (let [shared? (satisfies? IDeref structures)]
    (gobject/set o "structures" (lists (if shared? @structures structures)))
    (when shared?
      (gobject/set o "getStructures" #(lists @structures))
      (gobject/set o "saveStructures"
                   (fn [longer compatible?]
                     (let [now @structures]
                       (and (compatible? (lists now))
                            (compare-and-set! structures now (js->clj longer)))))))))

(defn- js-name
  "The name of an option in JavaScript."
  [option]
  (str/replace (name option) #"-(\w)" (fn [[_ letter]] (str/upper-case letter))))

(defn- js-options [given]
  (let [{:keys [max-len structures]} given
        lengths (when max-len (zipmap options/lengths (repeat max-len)))
        o #js {}]
    (doseq [[option v] (merge lengths (dissoc given :max-len :structures :key-fn :extensions))]
      (gobject/set o (js-name option) (cond (= :date v) "native" (keyword? v) (name v) :else v)))
    (when structures
      (set-structures o structures))
    o))

;; ---------------------------------------------------------------- the host of the JavaScript codec

(defn- fail [^js encoder detail]
  (throw (.fail encoder "unsupported_type" detail)))

(defn- finder
  "A function that finds the extension for a value, or returns nil. Where types decide, the answer is
  remembered by constructor."
  [extensions]
  (let [by-type? (every? #(instance? TypeExtension %) extensions)
        find-first (fn [value]
                     (loop [xs (seq extensions)]
                       (when xs
                         (if (extension/can-pack? (first xs) value) (first xs) (recur (next xs))))))
        known (js/WeakMap.)]
    (if-not by-type?
      find-first
      (fn [value]
        (let [c (.-constructor value)]
          (if (or (nil? c) (identical? "bigint" (goog/typeOf value)))
            (find-first value)
            (let [found (.get known c)]
              (if (undefined? found)
                (let [x (find-first value)]
                  (.set known c x)
                  x)
                found))))))))

(defn- write-extension [^js encoder x value opts]
  (let [^extension/Packer packer (extension/Packer. encoder false)]
    (try
      (extension/pack x packer value opts)
      (catch :default e
        (if (gobject/get e "kind") (throw e) (fail encoder (ex-message e)))))
    (when-not (.close packer)
      (fail encoder "an extension must write one value"))))

(defn- native?
  "Whether packord for JavaScript writes the value itself."
  [value]
  (or (array? value) (object? value) (inst? value)
      (js/ArrayBuffer.isView value) (instance? js/ArrayBuffer value)
      (instance? host/ExtData value) (instance? js/Map value)
      (= "rich" (unchecked-get value "~packord"))))

(defn- pairs
  "The keys and values of a map by turns, in an array."
  [m ->key skip-nil?]
  (let [a (array)
        add (fn [^js a k v]
              (when-not (and skip-nil? (nil? v))
                (.push a (->key k) v))
              a)]
    (if (record? m)
      (run! (fn [e] (add a (key e) (val e))) m)
      (reduce-kv add a m))
    a))

(defn- shown
  "A key as JavaScript has it, for the path of an error."
  [k]
  (cond
    (keyword? k) (.-fqn ^Keyword k)
    (or (symbol? k) (uuid? k)) (str k)
    (map? k) (js/Map. (to-array (map (fn [[k v]] #js [(shown k) (shown v)]) k)))
    (coll? k) (to-array (map shown k))
    :else k))

(defn- elements [coll]
  (if (and (vector? coll) (not (map-entry? coll)))
    (reduce (fn [^js a x] (.push a x) a) (array) coll)
    (to-array coll)))

(defn- writing-key-fn
  "The function from a key to what is written for it."
  [key-fn extension-for]
  (if-let [f (options/user-key-fn key-fn)]
    f
    (let [names? (options/standard-key-fn? key-fn)]
      (fn [k]
        (if (and (keyword? k) (or names? (not (extension-for k)))) (.-fqn ^Keyword k) k)))))

(defn- writer [opts]
  (let [extensions (:extensions opts)
        extension-for (if (seq extensions) (finder extensions) (constantly nil))
        ->key (writing-key-fn (:key-fn opts) extension-for)
        skip-nil? (:skip-nil opts)]
    (fn [^js encoder value]
      (if-let [x (extension-for value)]
        (write-extension encoder x value opts)
        (cond
          (keyword? value) (.string encoder (.-fqn ^Keyword value))
          (map? value) (.pairs encoder (pairs value (if (nil? (.-trail encoder)) ->key (comp shown ->key)) skip-nil?))
          (vector? value) (.array encoder (elements value))
          (set? value) (.elements encoder (to-array value))
          (sequential? value) (.array encoder (elements value))
          (or (symbol? value) (uuid? value)) (.string encoder (str value))
          (native? value) false
          (or (string? value) (number? value) (boolean? value)
              (identical? "bigint" (goog/typeOf value))) false
          :else (fail encoder (pr-str (type value))))))))

(defn- vector-of [^js a]
  (if (< (.-length a) 33)
    (.fromArray PersistentVector a true)
    (vec a)))

(defn- unify
  "Makes keys of the same bytes one object, because arrays are equal by identity only."
  [^js a]
  (loop [i 0 firsts nil]
    (when (< i (.-length a))
      (let [k (aget a i)]
        (if (instance? js/Uint8Array k)
          (let [^js firsts (or firsts (js/Map.))
                text (.join k)]
            (if (.has firsts text)
              (aset a i (.get firsts text))
              (.set firsts text k))
            (recur (+ i 2) firsts))
          (recur (+ i 2) firsts))))))

(defn- map-of [^js a]
  (unify a)
  (if (<= (.-length a) 16)
    (.createAsIfByAssoc PersistentArrayMap a)
    (loop [m (transient {}) i 0]
      (if (< i (.-length a))
        (recur (assoc! m (aget a i) (aget a (inc i))) (+ i 2))
        (persistent! m)))))

(defn- reader [opts]
  (let [known (js/Map.)
        find-reader (fn [ext-type]
                      (when-let [x (first (filter #(extension/can-unpack? % ext-type) (:extensions opts)))]
                        (if (instance? TypeExtension x)
                          (let [read (.-read ^TypeExtension x)]
                            (fn [^js payload] (read payload (.-remaining payload))))
                          (fn [^js payload]
                            (extension/unpack x payload
                                              {:type ext-type :length (.-remaining payload)}
                                              opts)))))]
    (if (empty? (:extensions opts))
      (constantly js/undefined)
      (fn [ext-type]
        (when-not (.has known ext-type)
          (.set known ext-type (or (find-reader ext-type) js/undefined)))
        (.get known ext-type)))))

(defn- takes-primitives? [extensions]
  (boolean (some (fn [x] (or (not (instance? TypeExtension x))
                             (some #(extension/can-pack? x %) ["" 1 true])))
                 extensions)))

(defn- host-of [opts]
  (let [write (writer opts)]
    #js {"takesPrimitives" (takes-primitives? (:extensions opts))
         "array" vector-of
         "key" (reading-key-fn (:key-fn opts))
         "hash" hash
         "map" map-of
         "reader" (reader opts)
         "write" (fn [encoder value] (not (false? (write encoder value))))}))

;; ---------------------------------------------------------------- codecs

(deftype ^:private Codec [opts ^js codec])

(defn- new-codec [opts]
  (when-not (or (nil? opts) (map? opts))
    (options/refuse "options" "a map or a codec" opts))
  (let [given (options/checked opts)
        extended (cond-> opts (:rich opts) (update :extensions concat ext.clj/extensions))]
    (Codec. opts (host/HostCodec. (host-of extended) (js-options given)))))

(defn codec
  "Compiles options into an object that every function accepts instead of the map, and that saves
  reading the map with each call.

      (def c (codec {:key-fn true, :records true}))
      (unpack (pack [{:a 1} {:a 2}] c) c)   ;=> [{:a 1} {:a 2}]

  The options are those of the JVM, with the same defaults; its docstring has their table. `:timestamps`
  is `:native` (also `:date`), a js/Date if it holds the time and else a Date with nanoseconds, or
  `:timestamp`, always the latter. A `:key-fn` is called for each key, and is not `:exact`; there are no
  `:types` and no `:columns`. With `:rich`, ratios, decimals, dates, times and durations are values with a `toString`, which
  pack to the same bytes."
  [opts]
  (if (instance? Codec opts) opts (new-codec opts)))

(def ^:private default-codec (delay (codec nil)))

(def ^:private recent
  "The codec that a map of options was compiled to last, so that options given inline cost little."
  (volatile! nil))

(defn- as-codec [opts]
  (cond
    (nil? opts) @default-codec
    (instance? Codec opts) opts
    :else (let [^Codec last @recent]
            (if (and last (= opts (.-opts last)))
              last
              (vreset! recent (codec opts))))))

(defn- error-of
  "The error of packord as an ExceptionInfo; others as they are."
  [e]
  (if (or (instance? host/MsgpackDecodeError e) (instance? host/MsgpackEncodeError e))
    (let [^js e e
          offset (.-offset e)]
      (ex-info (.-message e)
               (cond-> {:type :packord/error
                        :kind (keyword (str/replace (.-kind e) "_" "-"))
                        :path (or (.-path e) "$")}
                 (some? offset) (assoc :offset offset))
               (if (some? (.-cause e)) (.-cause e) e)))
    e))

(defn- bytes-view
  "The bytes that any view shows."
  [^js view]
  (js/Uint8Array. (.-buffer view) (.-byteOffset view) (.-byteLength view)))

(defn- bytes-of [resource]
  (cond
    (instance? js/Uint8Array resource) resource
    (instance? js/ArrayBuffer resource) (js/Uint8Array. resource)
    (js/ArrayBuffer.isView resource) (bytes-view resource)
    :else (throw (js/Error. (str "cannot unpack from " (pr-str (type resource)))))))

;; ---------------------------------------------------------------- packing

(defn pack
  "Packs `value` to a Uint8Array with memory of its own.

      (pack {:a 1})                          ; 81 a1 61 01
      (unpack (pack {:a 1} {:key-fn str}))   ;=> {\":a\" 1}

  `opts`: see [[codec]]. Throws ExceptionInfo."
  ([value]
   (pack value nil))
  ([value opts]
   (let [^js c (.-codec ^Codec (as-codec opts))]
     (try
       (.pack c value)
       (catch :default e (throw (error-of e)))))))

(defn pack-stream
  "Packs `value` and writes it to `out`: a stream of Node, a writer of a WritableStream, or anything
  with a method `write`. Nothing is written when a value cannot be packed. Returns what `write`
  returned."
  ([out value]
   (pack-stream out value nil))
  ([^js out value opts]
   (.write out (pack value opts))))

(defn pack-all-stream
  "Packs all values of a collection or any other reducible to `out`, as [[pack-stream]] does, one
  message after another. With `:sequential true` record definitions last from one message to the next.
  Returns the number of messages."
  ([out values]
   (pack-all-stream out values nil))
  ([^js out values opts]
   (let [c (new-codec (if (instance? Codec opts) (.-opts ^Codec opts) opts))]
     (reduce (fn [n value] (.write out (pack value c)) (inc n)) 0 values))))

;; ---------------------------------------------------------------- unpacking

(defn unpack
  "Unpacks the one value of a Uint8Array, ArrayBuffer or other view of bytes.

      (unpack (js/Uint8Array.of 0x81 0xa1 0x61 0x01))                   ;=> {\"a\" 1}
      (unpack (js/Uint8Array.of 0x81 0xa1 0x61 0x01) {:key-fn true})    ;=> {:a 1}

  `opts`: see [[codec]]. Throws ExceptionInfo; never returns nil for missing bytes."
  ([resource]
   (unpack resource nil))
  ([resource opts]
   (let [^js c (.-codec ^Codec (as-codec opts))]
     (try
       (.unpack c (bytes-of resource))
       (catch :default e (throw (error-of e)))))))

(defn- messages [^js iterator f init]
  (loop [acc init]
    (if (reduced? acc)
      @acc
      (let [^js step (try (.next iterator) (catch :default e (throw (error-of e))))]
        (if (.-done step)
          acc
          (recur (f acc (.-value step))))))))

(deftype ^:private Messages [opts chunks]
  IReduce
  (-reduce [this f]
    (let [result (-reduce this (fn [acc v] (if (identical? acc this) v (f acc v))) this)]
      (if (identical? result this) (f) result)))
  (-reduce [_ f init]
    (let [^js c (.-codec ^Codec (new-codec opts))]
      (messages (.unpackAll c chunks) f init)))
  ISeqable
  (-seq [_]
    (let [^js c (.-codec ^Codec (new-codec opts))
          iterator (.unpackAll c chunks)]
      ((fn step []
         (let [^js next (try (.next ^js iterator) (catch :default e (throw (error-of e))))]
           (when-not (.-done next)
             (cons (.-value next) (lazy-seq (step))))))))))

(defn unpack-stream
  "Returns all values of bytes, or of a sequence or iterable of chunks of bytes that were cut anywhere,
  as a reducible and seqable. It is read again with each use.

      (into [] (unpack-stream (js/Uint8Array.of 1 2 3)))   ;=> [1 2 3]

  With `:sequential true` record definitions last from one message to the next. For chunks that arrive
  later, see [[unpack-async]]."
  ([resource]
   (unpack-stream resource nil))
  ([resource opts]
   (Messages. (if (instance? Codec opts) (.-opts ^Codec opts) opts)
              (cond
                (or (sequential? resource) (array? resource)) (mapv bytes-of resource)
                (and (some? resource) (not (js/ArrayBuffer.isView resource))
                     (not (instance? js/ArrayBuffer resource))
                     (fn? (gobject/get resource js/Symbol.iterator))) resource
                :else #js [(bytes-of resource)]))))

(defn unpack-async
  "Calls `f` with each value of a ReadableStream, a stream of Node, a Blob or another async iterable of
  chunks of bytes. Returns a promise of the number of values, which fails as [[unpack]] does. If `f`
  returns a promise, the next value waits for it; `reduced` stops."
  ([resource f]
   (unpack-async resource f nil))
  ([resource f opts]
   (let [^js c (.-codec ^Codec (new-codec (if (instance? Codec opts) (.-opts ^Codec opts) opts)))
         iterator (.unpackAsync c resource)
         stop (fn [n]
                (-> (js/Promise.resolve (when-let [end (gobject/get iterator "return")]
                                          (.call end iterator)))
                    (.then (constantly n))))
         step (fn step [n]
                (-> (.next ^js iterator)
                    (.catch (fn [e] (throw (error-of e))))
                    (.then (fn [^js next]
                             (if (.-done next)
                               n
                               (-> (js/Promise.resolve (f (.-value next)))
                                   (.then #(if (reduced? %) (stop (inc n)) (step (inc n))))))))))]
     (step 0))))

;; ---------------------------------------------------------------- values

(defn ext
  "Returns an ext value of `type` (-128 to 127) with the bytes `data`.

      (pack (ext 5 (js/Uint8Array.of 0)))   ; d4 05 00"
  [type data]
  (host/ExtData. type (bytes-of data)))

(defn timestamp
  "Returns a point in time with nanoseconds, which packs as a timestamp."
  [seconds nanoseconds]
  (host/Timestamp. seconds nanoseconds))

(defn- same-bytes? [^js a ^js b]
  (and (= (.-length a) (.-length b))
       (.every a (fn [x i] (== x (aget b i))))))

(extend-type host/ExtData
  IEquiv
  (-equiv [^js a ^js b]
    (and (instance? host/ExtData b)
         (== (.-type a) (.-type b))
         (same-bytes? (.-data a) (.-data b))))
  IHash
  (-hash [^js a] (hash [(.-type a) (vec (.-data a))])))

(extend-type host/Timestamp
  IEquiv
  (-equiv [^js a ^js b]
    (and (instance? host/Timestamp b)
         (identical? (.-seconds a) (.-seconds b))
         (== (.-nanoseconds a) (.-nanoseconds b))))
  IHash
  (-hash [^js a] (hash [(str (.-seconds a)) (.-nanoseconds a)]))
  Inst
  (inst-ms* [^js a] (.getTime a)))
