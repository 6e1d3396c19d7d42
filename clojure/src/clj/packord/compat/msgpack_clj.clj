(ns packord.compat.msgpack-clj
  "The functions of io.julienvincent/msgpack with that library's behaviour, for programs
  that depend on it:

  - doubles are packed as float 32, and all floats are unpacked as Float;
  - integers are unpacked as Integer up to 32 bits signed, as Long from uint 32 and int 64, as
    BigInteger from uint 64;
  - keyword keys are packed as their bare name;
  - [[symbol-ext]] drops the namespace.

  Everything else is as in `packord.core`, errors above all: truncated input is an error, not nil. New programs should use `packord.core`."
  (:require
   [packord.core :as packord]
   [packord.extension :as extension]
   [packord.extension.clojure :as ext.clj])
  (:import
   (clojure.lang Symbol)
   (packord ClojureData Extension ExtensionPacker)))

(set! *warn-on-reflection* true)

(defn stringify-keys-mapper
  "Keywords become their bare name; other keys stay."
  [k]
  (if (keyword? k) (name k) k))

(def keywordize-keys-mapper
  "Strings become keywords; other keys stay."
  packord/keywordize-keys-mapper)

(def symbol-ext
  "Symbols as ext 4, without their namespace."
  (extension/by-class
   {:type 4
    :classes [Symbol]
    :pack (fn [s] (.getBytes (name s) "UTF-8"))
    :unpack (fn [payload] (symbol (String. ^bytes payload "UTF-8")))}))

(def extensions
  "The extensions of msgpack-clj: keywords as ext 3, symbols 4, sets 5."
  [ext.clj/keyword-ext symbol-ext ext.clj/set-ext])

(def ^:private doubles-as-float32
  (let [classes (into-array Class [Double])]
    (reify Extension
      (classes [_] classes)
      (canPack [_ value] (double? value))
      (canUnpack [_ _] false)
      (pack [_ packer value] (.packValue ^ExtensionPacker packer (unchecked-float value)))
      (unpack [_ _ _] nil))))

(defn- with-defaults [opts]
  (-> (merge {:key-fn stringify-keys-mapper} opts)
      (update :extensions #(conj (vec %) doubles-as-float32))))

(defn pack
  "Packs `value` to a byte array. `opts` as in `packord.core/codec`."
  (^bytes [value] (pack value {}))
  (^bytes [value opts] (packord/pack value (with-defaults opts))))

(defn pack-stream
  "Packs `value` to an OutputStream and flushes it. `opts` as in `packord.core/codec`."
  ([stream value] (pack-stream stream value {}))
  ([stream value opts] (packord/pack-stream stream value (with-defaults opts))))

(defn unpack
  "Unpacks one value from a byte array or InputStream; bytes after it are ignored. `opts` as in
  `packord.core/codec`."
  ([resource] (unpack resource {}))
  ([resource opts]
   (let [options (packord/options (merge {:trailing :allow} opts))
         key-fn (packord/user-key-fn (:key-fn opts))
         keywords (packord/keyword-keys? (:key-fn opts))
         unpacker (ClojureData/formatTypedUnpacker options keywords key-fn)]
     (if (bytes? resource)
       (.unpack unpacker ^bytes resource)
       (.unpack unpacker ^java.io.InputStream resource)))))
