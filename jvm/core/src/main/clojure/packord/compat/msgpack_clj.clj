(ns packord.compat.msgpack-clj
  "The functions of io.julienvincent/msgpack with that library's behaviour, for programs
  that depend on it:

  - doubles are packed as float 32, and all floats are unpacked as Float;
  - integers are unpacked as Integer up to 32 bits signed, as Long from uint 32 and int 64, as
    BigInteger from uint 64;
  - keyword keys are packed as their bare name;
  - [[symbol-ext]] drops the namespace.

  - keywords, symbols and other values that `packord.core` packs as text are an error without an extension;
  - options without `:key-fn` mean that keys are packed as values are;
  - doubles beyond the range of float 32 are an error;
  - an extension is asked only about values that are neither nil, a boolean, number, string, bytes, map nor sequential.

  Everything else is as in `packord.core`, errors above all: truncated input is an error, not nil. New programs should use `packord.core`."
  (:require
   [packord.core :as packord]
   [packord.options :as options]
   [packord.compat.values :refer [refused]]
   [packord.extension :as extension])
  (:import
   (clojure.lang BigInt IPersistentMap Keyword Sequential Symbol)
   (packord ClojureData ClojureException ErrorKind Extension ExtensionPacker Unpacker)))

(set! *warn-on-reflection* true)

(defn stringify-keys-mapper
  "Keywords become their bare name; other keys stay."
  [k]
  (if (keyword? k) (name k) k))

(defn keywordize-keys-mapper
  "Strings and symbols become keywords, keys that no keyword can have as a name become nil."
  [k]
  (keyword k))

(defn- text ^String [payload]
  (or (not-empty (ClojureData/utf8 payload))
      (throw (IllegalArgumentException. "not a name"))))

(def keyword-ext
  "Keywords as ext 3, with their namespace."
  (extension/by-class
   {:type 3
    :classes [Keyword]
    :pack (fn [k] (.getBytes (subs (str k) 1) "UTF-8"))
    :unpack (fn [payload] (keyword (text payload)))}))

(def symbol-ext
  "Symbols as ext 4, without their namespace."
  (extension/by-class
   {:type 4
    :classes [Symbol]
    :pack (fn [s] (.getBytes (name s) "UTF-8"))
    :unpack (fn [payload] (symbol (text payload)))}))

(def set-ext
  "Sets as ext 5."
  (ClojureData/sets 5))

(def extensions
  "The extensions of msgpack-clj: keywords as ext 3, symbols 4, sets 5."
  [keyword-ext symbol-ext set-ext])

(defn- checked-float
  "The double as a float. One beyond the finite floats is an error, as in msgpack-clj."
  [^double value]
  (when (> (Math/abs value) Float/MAX_VALUE)
    (throw (ClojureException. ErrorKind/OUT_OF_RANGE -1 (str value " as a float 32") nil nil)))
  (unchecked-float value))

(def ^:private doubles-as-float32
  (extension/of-classes [Double] (fn [packer value] (.packValue ^ExtensionPacker packer (checked-float value)))))

(defn- built-in?
  "Whether msgpack-clj packs a value itself, and asks no extension."
  [value]
  (or (nil? value) (string? value) (boolean? value) (bytes? value) (map? value) (sequential? value) (integer? value) (float? value)))

(def ^:private built-in-classes
  [String Boolean Long Integer Short Byte BigInteger BigInt Double Float (Class/forName "[B") IPersistentMap Sequential])

(defn- may-be-built-in? [^Class c]
  (some (fn [^Class b] (or (.isAssignableFrom b c) (.isAssignableFrom c b))) built-in-classes))

(defn- asked-last
  "The extension, which is asked only about what msgpack-clj does not know."
  [x opts]
  (let [^Extension x (extension/as-extension x opts)]
    (reify Extension
      (classes [_] (let [classes (.classes x)] (when-not (some may-be-built-in? classes) classes)))
      (canPack [_ value] (and (not (built-in? value)) (.canPack x value)))
      (canUnpack [_ t] (.canUnpack x t))
      (maxLength [_ t] (.maxLength x t))
      (pack [_ packer value] (.pack x packer value))
      (unpack [_ unpacker header] (.unpack x unpacker header)))))

(defn- pack-options [opts]
  (let [opts (if (nil? opts)
               {:key-fn stringify-keys-mapper}
               (merge {:key-fn nil} (packord/options-of opts)))]
    (update opts :extensions (fn [given] (conj (mapv #(asked-last % opts) given) doubles-as-float32 refused)))))

(def ^:private pack-codec
  (packord/remembering #(packord/codec-of (pack-options %) true)))

(defn- make-unpacker [opts]
  (let [opts (packord/options-of opts)
        ;; The same function by the name that the decoder knows, which guards it best.
        opts (cond-> opts (= keywordize-keys-mapper (:key-fn opts)) (assoc :key-fn keyword))
        options (packord/options (merge {:trailing :allow :max-buffer Integer/MAX_VALUE} opts))]
    (ClojureData/formatTypedUnpacker options
                                     (options/keyword-keys? (:key-fn opts))
                                     (options/user-key-fn (:key-fn opts)))))

(def ^:private unpacker
  (packord/remembering make-unpacker))

(defn pack
  "Packs `value` to a byte array. `opts` as in `packord.core/codec`, or a codec. Without `:key-fn` in
  them keys are packed as values are; without `opts`, by [[stringify-keys-mapper]]."
  (^bytes [value] (pack value nil))
  (^bytes [value opts] (packord/pack value (pack-codec opts))))

(defn pack-stream
  "Packs `value` to an OutputStream and flushes it. `opts` as for [[pack]]."
  ([stream value] (pack-stream stream value nil))
  ([stream value opts] (packord/pack-stream stream value (pack-codec opts))))

(defn unpack
  "Unpacks one value from a byte array or InputStream; bytes after it are ignored. `opts` as in
  `packord.core/codec`, or a codec; `:max-buffer` is 2 GiB unless they say otherwise."
  ([resource] (unpack resource nil))
  ([resource opts]
   (let [^Unpacker unpacker (unpacker opts)]
     (if (bytes? resource)
       (.unpack unpacker ^bytes resource)
       (.unpack unpacker ^java.io.InputStream resource)))))
