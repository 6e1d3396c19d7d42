(ns packord.extension.clojure
  "Extensions for types of ClojureScript that MessagePack lacks. They write what the extensions of the
  JVM write, and read it.

      (def opts {:extensions ext.clj/extensions})
      (packord/unpack (packord/pack 'some-symbol opts) opts)   ;=> 'some-symbol

  | extension | values | ext type |
  |-----------|--------|----------|
  | [[keyword-ext]] | keywords, with their namespace | 3 |
  | [[symbol-ext]] | symbols, with their namespace | 4 |
  | [[set-ext]] | sets | 5 |
  | [[uuid-ext]] | UUID | 85 |
  | [[bigint-ext]] | bigint beyond 64 bits | 66 |
  | [[typed-array-ext]] | typed arrays but Uint8Array, which is bin | 116 |

  [[extensions]] has all but the last. In [[portable-extensions]] keywords, symbols and sets have
  packord's own types 80, 81 and 86. Either reads both. Characters, ratios, decimals, dates, times and
  durations, which ClojureScript has no types for, are kept as exts and packed to the same bytes."
  (:require
   ["packord/host" :as host]
   [packord.extension :as extension :refer [TypeExtension]]))

(defn- malformed [what]
  (throw (js/Error. (str "not a " what))))

(def ^:private max-known
  "Entries of a table of names, so that foreign bytes cannot fill the memory."
  2048)

(defn- remembering
  "`make`, a function of a string, with a table of its results for short strings."
  [make]
  (let [known (js/Map.)]
    (fn [s]
      (let [found (.get known s)]
        (if (undefined? found)
          (let [made (make s)]
            (when (and (< (.-size known) max-known) (< (.-length s) 64))
              (.set known s made))
            made)
          found)))))

(def ^:private utf8
  (let [encoder (js/TextEncoder.)]
    (remembering #(.encode encoder %))))

(defn- named-ext [type types packs? ->name ->value]
  (let [value-of (remembering ->value)]
    (TypeExtension. types
                    packs?
                    (fn [packer value] (extension/write-ext packer type (utf8 (->name value))))
                    (fn [^js unpacker length]
                      (if (zero? length)
                        (malformed "name")
                        (value-of (.readText unpacker length)))))))

(defn- keyword-extension [type]
  (named-ext type #{3 80} keyword? (fn [^Keyword k] (.-fqn k)) keyword))

(defn- symbol-extension [type]
  (named-ext type #{4 81} symbol? str symbol))

(def ^:private few
  "Elements of a set whose hashes need no check."
  64)

(defn- unique [elements]
  (when (< few (count elements))
    (let [^js guard (host/HashGuard.)]
      (run! #(when-not (.accepts guard (hash %)) (malformed "set: too many hashes are the same")) elements)))
  (let [s (set elements)]
    (if (= (count s) (count elements)) s (malformed "set"))))

(defn- set-extension [type]
  (TypeExtension. #{5 86}
                  set?
                  (fn [packer value]
                    (extension/write-set packer type value))
                  (fn [unpacker _]
                    (let [elements (extension/read-value unpacker)]
                      (if (and (vector? elements) (zero? (extension/remaining unpacker)))
                        (unique elements)
                        (malformed "set"))))))

(def keyword-ext
  "Keywords as ext 3; reads 80 too."
  (keyword-extension 3))

(def symbol-ext
  "Symbols as ext 4, the namespace kept; reads 81 too."
  (symbol-extension 4))

(def set-ext
  "Sets as ext 5; reads 86 too."
  (set-extension 5))

(defn- digit [^string digits i]
  (let [c (.charCodeAt digits i)]
    (if (< c 58) (- c 48) (- (bit-or c 32) 87))))

(defn- hex->bytes [^string digits]
  (let [bytes (js/Uint8Array. (quot (.-length digits) 2))]
    (dotimes [i (.-length bytes)]
      (aset bytes i (+ (* 16 (digit digits (* 2 i))) (digit digits (inc (* 2 i))))))
    bytes))

(def ^:private byte-digits
  (to-array (map #(.padStart (.toString % 16) 2 "0") (range 256))))

(defn- hex-of
  "The digits of the bytes from `from` up to `to`."
  [bytes from to]
  (loop [i from digits ""]
    (if (< i to)
      (recur (inc i) (.concat ^string digits (aget byte-digits (aget bytes i))))
      digits)))

(defn- bytes->hex [bytes]
  (hex-of bytes 0 (.-length bytes)))

(defn- bytes->uuid [bytes]
  (uuid (.join #js [(hex-of bytes 0 4) (hex-of bytes 4 6) (hex-of bytes 6 8) (hex-of bytes 8 10)
                    (hex-of bytes 10 16)]
               "-")))

(def uuid-ext
  "UUIDs as ext 85, 16 bytes. Without it they are packed as strings."
  (TypeExtension. #{85}
                  uuid?
                  (fn [packer value]
                    (let [bytes (hex->bytes (.replaceAll (str value) "-" ""))]
                      (if (= 16 (.-length bytes))
                        (extension/write-ext packer 85 bytes)
                        (malformed "UUID"))))
                  (fn [^js unpacker length]
                    (if (= 16 length)
                      (bytes->uuid (.readBytes unpacker length))
                      (malformed "UUID")))))

(defn- bigint-of [bytes]
  (let [n (js/BigInt (str "0x" (bytes->hex bytes)))]
    (js/BigInt.asIntN (* 8 (.-length bytes)) n)))

(defn- narrow
  "A number if it holds the integer, else a bigint."
  [n]
  (let [number (js/Number n)]
    (if (js/Number.isSafeInteger number) number n)))

(defn- twos-complement [n]
  (let [size (loop [size 9]
               (if (identical? n (js/BigInt.asIntN (* 8 size) n)) size (recur (inc size))))
        digits (.toString (js/BigInt.asUintN (* 8 size) n) 16)]
    (hex->bytes (.padStart digits (* 2 size) "0"))))

(defn- beyond-64-bits? [n]
  (and (identical? "bigint" (goog/typeOf n))
       (not (identical? n (js/BigInt.asIntN 64 n)))
       (not (identical? n (js/BigInt.asUintN 64 n)))))

(def bigint-ext
  "bigints beyond 64 bits as ext 66, as the option `:bigint` does; smaller ones as usual."
  (TypeExtension. #{66}
                  beyond-64-bits?
                  (fn [packer n] (extension/write-ext packer 66 (twos-complement n)))
                  (fn [^js unpacker length]
                    (if (zero? length)
                      (malformed "bigint")
                      (narrow (bigint-of (.readBytes unpacker length)))))))

(def typed-array-ext
  "Typed arrays as ext 116, as msgpackr writes them."
  (TypeExtension. #{116}
                  #(and (js/ArrayBuffer.isView %) (not (instance? js/Uint8Array %)))
                  (fn [packer value] (extension/write-ext packer 116 (host/typedArrayBytes value)))
                  (fn [^js unpacker length]
                    (or (host/readTypedArray (.readBytes unpacker length))
                        (malformed "typed array")))))

(def extensions
  "Extensions for common types; keywords, symbols and sets as msgpack-clj writes them."
  [keyword-ext symbol-ext set-ext uuid-ext bigint-ext])

(def portable-extensions
  "Extensions for common types, all with packord's own ext types."
  [(keyword-extension 80) (symbol-extension 81) (set-extension 86) uuid-ext bigint-ext])
