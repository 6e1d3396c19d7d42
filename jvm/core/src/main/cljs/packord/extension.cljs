(ns packord.extension
  "Extensions in ClojureScript: packing types as MessagePack ext types, or as other values. The
  names are those of the JVM, so that a .cljc file can define an extension for both.

  Extensions are given as `:extensions` in the options of `packord.core`, and asked in that order;
  they may take built-in types too.")

(defprotocol MsgpackExtension
  "Packs values of some type, and unpacks an ext type.

      (def point-ext
        (reify MsgpackExtension
          (can-pack? [_ value] (instance? Point value))
          (can-unpack? [_ type-byte] (= 12 type-byte))
          (pack [_ packer value _opts]
            (packord.extension/write-ext packer 12 (js/Uint8Array.of (:x value) (:y value))))
          (unpack [_ unpacker header _opts]
            (let [[x y] (packord.extension/read-payload unpacker header)]
              (->Point x y)))))

  `can-pack?` is called for every value that is packed. Where the type decides, [[by-class]] is
  faster."
  (can-pack? [this value]
    "Whether this extension packs `value`, which is never nil.")
  (can-unpack? [this type-byte]
    "Whether this extension unpacks ext `type-byte`, -128 to 127.")
  (pack [this packer value opts]
    "Writes exactly one value to `packer`. Another number of values is an `:unsupported-type` error.")
  (unpack [this unpacker header opts]
    "Returns the value of an ext. `header` has `:type` and `:length`. Reading continues after the
    payload, however much of it was read. An exception becomes an `:invalid-ext` error."))

(deftype ^:no-doc Packer [^:mutable encoder ^:mutable written]
  Object
  (take [_]
    (when (or written (nil? encoder))
      (throw (js/Error. "an extension must write one value, and no more")))
    (set! written true)
    encoder)
  (close [_]
    (set! encoder nil)
    written))

(deftype ^:no-doc TypeExtension [types packs? write read]
  MsgpackExtension
  (can-pack? [_ value] (packs? value))
  (can-unpack? [_ type-byte] (contains? types type-byte))
  (pack [_ packer value _opts] (write packer value))
  (unpack [_ unpacker header _opts] (read unpacker (:length header))))

(defn write-ext
  "Writes an ext of `type` (-128 to 127) with the payload `bytes`, a Uint8Array."
  [^Packer packer type bytes]
  (let [^js encoder (.take packer)]
    (.ext encoder type bytes)))

(defn write-ext-of
  "Writes an ext of `type` whose payload are the packed `values`."
  [^Packer packer type values]
  (let [^js encoder (.take packer)]
    (.extOf encoder type (fn [^js inner] (run! #(.write inner %) values)))))

(defn ^:no-doc write-set
  "Writes an ext of `type` whose payload is the array of the elements of a set."
  [^Packer packer type elements]
  (let [^js encoder (.take packer)]
    (.extOf encoder type (fn [^js inner] (.elements inner (to-array elements))))))

(defn write-value
  "Writes `value` in place of the one to be packed, for extensions that pack to built-in types."
  [^Packer packer value]
  (let [^js encoder (.take packer)]
    (.write encoder value)))

(defn read-payload
  "Reads the whole payload as a Uint8Array."
  [^js unpacker header]
  (.readBytes unpacker (:length header)))

(defn read-value
  "Reads one packed value of the payload. This makes the ext a container, which counts for `:max-depth`."
  [^js unpacker]
  (.readValue unpacker))

(defn remaining
  "The number of bytes of the payload that were not read yet."
  [^js unpacker]
  (.-remaining unpacker))

(defn by-class
  "An extension for the instances of some types, told apart by their constructor.

  | key        | what |
  |------------|------|
  | `:type`    | the ext type, -128 to 127 |
  | `:classes` | types and classes whose instances are packed |
  | `:pack`    | function of a value, returns the payload as a Uint8Array |
  | `:unpack`  | function of the payload as a Uint8Array, returns the value |

      (by-class {:type    13
                 :classes [js/URL]
                 :pack    (fn [url] (.encode (js/TextEncoder.) (str url)))
                 :unpack  (fn [payload] (js/URL. (.decode (js/TextDecoder.) payload)))})"
  [{:keys [type classes pack unpack]}]
  (TypeExtension. #{type}
                  (fn [value] (boolean (some #(instance? % value) classes)))
                  (fn [packer value] (write-ext packer type (pack value)))
                  (fn [^js unpacker length] (unpack (.readBytes unpacker length)))))
