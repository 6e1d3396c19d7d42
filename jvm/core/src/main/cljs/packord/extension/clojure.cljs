(ns packord.extension.clojure
  "Extensions for types of ClojureScript that MessagePack lacks. The option `:rich` has all of them; here they
  are one by one, for `:extensions`. They write what those of the JVM write.

  | extension | values | ext type |
  |-----------|--------|----------|
  | [[keyword-ext]] | keywords, with their namespace | 80 |
  | [[symbol-ext]] | symbols, with their namespace | 81 |
  | [[uuid-ext]] | UUID | 85 |
  | [[set-ext]] | sets | 86 |
  | [[typed-array-ext]] | typed arrays but Uint8Array, which is bin | 116 |

  Characters, which ClojureScript has no type for, are kept as exts and packed to the same bytes."
  (:require
   ["packord/host" :as host]
   [packord.extension :as extension :refer [TypeExtension]]))

(defn- malformed [what]
  (throw (js/Error. (str "not a " what))))

(def ^:private max-known
  "Entries of a table of names, so that foreign bytes cannot fill the memory."
  2048)

(defn ^:no-doc remembering
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

(defn- named-ext [type packs? ->name ->value]
  (let [value-of (remembering ->value)]
    (TypeExtension. #{type}
                    packs?
                    (fn [packer value] (extension/write-ext packer type (utf8 (->name value))))
                    (fn [^js unpacker length]
                      (if (zero? length)
                        (malformed "name")
                        (value-of (.readText unpacker length)))))))

(def keyword-ext
  "Keywords as ext 80, the namespace kept."
  (named-ext 80 keyword? (fn [^Keyword k] (.-fqn k)) keyword))

(def symbol-ext
  "Symbols as ext 81, the namespace kept."
  (named-ext 81 symbol? str symbol))

(def ^:private few
  "Elements of a set whose hashes need no check."
  64)

(defn- unique [elements]
  (when (< few (count elements))
    (let [^js guard (host/HashGuard.)]
      (run! #(when-not (.accepts guard (hash %)) (malformed "set: too many hashes are the same")) elements)))
  (let [s (set elements)]
    (if (= (count s) (count elements)) s (malformed "set"))))

(def set-ext
  "Sets as ext 86."
  (TypeExtension. #{86}
                  set?
                  (fn [packer value]
                    (extension/write-set packer 86 value))
                  (fn [unpacker _]
                    (let [elements (extension/read-value unpacker)]
                      (if (and (vector? elements) (zero? (extension/remaining unpacker)))
                        (unique elements)
                        (malformed "set"))))))

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

(def typed-array-ext
  "Typed arrays as ext 116, as msgpackr writes them."
  (TypeExtension. #{116}
                  #(and (js/ArrayBuffer.isView %) (not (instance? js/Uint8Array %)))
                  (fn [packer value] (extension/write-ext packer 116 (host/typedArrayBytes value)))
                  (fn [^js unpacker length]
                    (or (host/readTypedArray (.readBytes unpacker length))
                        (malformed "typed array")))))

(def extensions
  "All of them."
  [keyword-ext symbol-ext uuid-ext set-ext typed-array-ext])
