(ns packord.extension
  "Extensions: packing host types as MessagePack ext types, or as other values.

  An extension is anything that satisfies [[MsgpackExtension]], or a `packord.Extension` such as
  [[by-class]] makes. They are given as `:extensions` in the options of `packord.core`, and asked
  in that order; they may take built-in types too."
  (:import
   (packord Extension ExtensionHeader ExtensionPacker ExtensionUnpacker)))

(set! *warn-on-reflection* true)

(defprotocol MsgpackExtension
  "Packs values of some host type, and unpacks an ext type.

      (def point-ext
        (reify MsgpackExtension
          (can-pack? [_ value] (instance? Point value))
          (can-unpack? [_ type-byte] (= 12 type-byte))
          (pack [_ packer value _opts]
            (packord.extension/write-ext packer 12 (byte-array [(:x value) (:y value)])))
          (unpack [_ unpacker header _opts]
            (let [[x y] (packord.extension/read-payload unpacker header)]
              (->Point x y)))))

  `can-pack?` is called for every value that is packed. Where a class decides, [[by-class]] is
  much faster."
  (can-pack? [this value]
    "Whether this extension packs `value`, which is never nil.")
  (can-unpack? [this type-byte]
    "Whether this extension unpacks ext `type-byte`, -128 to 127.")
  (pack [this packer value opts]
    "Writes exactly one value to `packer`, a `packord.ExtensionPacker` that lives for this value. Another
    number of values is an `:unsupported-type` error. `opts` are those of the call. An exception becomes an `:unsupported-type` error with the exception as its cause.")
  (unpack [this unpacker header opts]
    "Returns the value of an ext. `unpacker` is a `packord.ExtensionUnpacker`, `header` a
    `packord.ExtensionHeader`. Reading continues after the payload, however much of it was read. An
    exception becomes an `:invalid-ext` error with the exception as its cause."))

(defn write-ext
  "Writes an ext of `type` (-128 to 127) with the byte array `payload`."
  [packer type payload]
  (.packExtension ^ExtensionPacker packer (int type) ^bytes payload))

(defn write-value
  "Writes `value` in place of the one to be packed, for extensions that pack to built-in types."
  [packer value]
  (.packValue ^ExtensionPacker packer value))

(defn read-payload
  "Reads the whole payload as a byte array."
  ^bytes [unpacker header]
  (.readPayload ^ExtensionUnpacker unpacker (.getLength ^ExtensionHeader header)))

(defn read-value
  "Reads one packed value of the payload. This makes the ext a container, which counts for `:max-depth`."
  [unpacker]
  (.unpackValue ^ExtensionUnpacker unpacker))

(defn ^:no-doc of-classes
  "An extension that packs the instances of classes by `pack`, a function of packer and value, and unpacks exts of
  `type`, or none if it is nil, by `unpack`, a function of unpacker and payload length."
  (^Extension [classes pack]
   (of-classes nil classes pack nil false Long/MAX_VALUE))
  (^Extension [type classes pack unpack pure? max-length]
   (let [types (into-array Class classes)]
     (reify Extension
       (classes [_] types)
       (canPack [_ value] (boolean (some #(instance? % value) classes)))
       (canUnpack [_ type-byte] (= type type-byte))
       (maxLength [_ _] (long max-length))
       (isPure [_] (boolean pure?))
       (pack [_ packer value] (pack packer value))
       (unpack [_ unpacker header] (unpack unpacker (.getLength header)))))))

(defn by-class
  "An extension for the instances of some classes or interfaces, told apart by class.

  | key        | what |
  |------------|------|
  | `:type`    | the ext type, -128 to 127 |
  | `:classes` | classes and interfaces whose instances are packed |
  | `:pack`    | function of a value, returns the payload as a byte array |
  | `:unpack`  | function of the payload as a byte array, returns the value |

      (by-class {:type    13
                 :classes [java.net.URI]
                 :pack    (fn [uri] (.getBytes (str uri) \"UTF-8\"))
                 :unpack  (fn [payload] (java.net.URI. (String. payload \"UTF-8\")))})"
  [{:keys [type classes pack unpack]}]
  (when-not (<= -128 (int type) 127)
    (throw (IllegalArgumentException. (str "ext type " type))))
  (of-classes (int type) classes
              (fn [packer value] (write-ext packer type (pack value)))
              (fn [unpacker length] (unpack (.readPayload ^ExtensionUnpacker unpacker (int length))))
              false Long/MAX_VALUE))

(defn ^:no-doc as-extension
  "`x` as a `packord.Extension`; `opts` are handed to it when it is called."
  ^Extension [x opts]
  (if (instance? Extension x)
    x
    (reify Extension
      (canPack [_ value] (boolean (can-pack? x value)))
      (canUnpack [_ type-byte] (boolean (can-unpack? x type-byte)))
      (pack [_ packer value] (pack x packer value opts))
      (unpack [_ unpacker header] (unpack x unpacker header opts)))))
