(ns packord.compat.clojure-msgpack
  "The functions of clojure-msgpack (`msgpack.core`, `msgpack.macros`) on packord, for programs that
  were written for it. Only the namespace in `:require` changes:

      (require '[packord.compat.clojure-msgpack :as msg])

      (msg/unpack (msg/pack {\"compact\" true, \"schema\" [0 1.5]}))   ;=> {\"compact\" true, \"schema\" [0 1.5]}

  Keywords, symbols, characters, ratios and sets are packed and unpacked after

      (require 'packord.compat.clojure-msgpack-extensions)

  The bytes are those of clojure-msgpack, with `:compatibility-mode` too. What differs is in the guide
  `docs/from-clojure-msgpack.md`: damaged input is an error of packord, and numbers are unpacked as
  Long and Double. New programs should use `packord.core`."
  (:require
   [packord.compat.values :refer [refused]]
   [packord.core :as packord]
   [packord.extension :as extension]
   [packord.options :as options])
  (:import
   (java.io DataInput DataOutput EOFException InputStream OutputStream RandomAccessFile)
   (java.nio.channels Channels)
   (packord ClojureData Extension ExtensionHeader ExtensionPacker ExtensionUnpacker Unpacker)))

(set! *warn-on-reflection* true)

(defrecord Ext [type data])

(defn ext
  "Returns an ext value of `type` with the byte array `data`.

      (pack (ext 5 (byte-array [0])))   ; d4 05 00"
  [type data]
  (->Ext type data))

(defmulti refine-ext
  "Makes the value of an [[Ext]] that was unpacked, by its type. [[extend-msgpack]] adds methods."
  :type)

(defmethod refine-ext :default [ext] ext)

(def ^:private max-nested-payloads 64)

(def ^:private ^:dynamic *nested-payloads*
  "The ext values within whose payloads the one that is being read is. Their methods call [[unpack]],
  which counts depth from 0 again."
  0)

(defn- refined [ext]
  (when (= max-nested-payloads *nested-payloads*)
    (throw (IllegalArgumentException.
            (str "ext values nest more than " max-nested-payloads " deep"))))
  (binding [*nested-payloads* (inc (long *nested-payloads*))]
    (refine-ext ext)))

(def ^:private exts-as-records
  (let [classes (into-array Class [Ext])]
    (reify Extension
      (classes [_] classes)
      (canPack [_ value] (instance? Ext value))
      (canUnpack [_ _] true)
      (pack [_ packer value] (.packExtension packer (int (:type value)) (:data value)))
      (unpack [_ unpacker header]
        (refined (->Ext (.getType ^ExtensionHeader header)
                        (.readPayload ^ExtensionUnpacker unpacker
                                      (.getLength ^ExtensionHeader header))))))))

(def ^:private decimals-as-doubles
  (extension/of-classes [BigDecimal]
                        (fn [^ExtensionPacker packer ^BigDecimal d] (.packValue packer (.doubleValue d)))))

(defn- pack-codec [registered opts]
  (packord/codec-of (-> (merge {:key-fn nil} (dissoc opts :compatibility-mode))
                        (update :extensions concat [exts-as-records] (map second registered)
                                [decimals-as-doubles refused]))
                    true))

(defn- make-unpacker ^Unpacker [{:keys [key-fn compatibility-mode] :as opts}]
  (let [options (packord/options
                 (-> (merge {:trailing :allow :max-buffer Integer/MAX_VALUE}
                            (dissoc opts :compatibility-mode))
                     (update :extensions concat [exts-as-records])))]
    (if compatibility-mode
      (ClojureData/rawStringUnpacker options key-fn)
      (ClojureData/unpacker options (options/keyword-keys? key-fn) (options/user-key-fn key-fn)))))

(def ^:private unpacker (packord/remembering make-unpacker))

(defn- packing
  "The classes that are packed as ext, a subclass before its superclass, and the codecs for them."
  [registered]
  {:registered registered
   :codec (packord/remembering #(pack-codec registered %))})

(def ^:private state (atom (packing [])))

(defn- with-class [registered ^Class c extension]
  (let [others (remove #(= c (first %)) registered)
        [before after] (split-with #(not (.isAssignableFrom ^Class (first %) c)) others)]
    (vec (concat before [[c extension]] after))))

(defn ^:no-doc register
  "Packs the instances of a class as ext `type`, by a function that returns bytes."
  [c type pack-fn]
  (when-not (and (integer? type) (<= 0 type 127))
    (throw (IllegalArgumentException. (str "an ext type of a program is 0 to 127, not " type))))
  (let [ext-type (int type)
        write (fn [^ExtensionPacker packer value]
                (let [payload (pack-fn value)]
                  (.packExtension packer ext-type (if (bytes? payload) payload (byte-array payload)))))
        extension (extension/of-classes [c] write)]
    (swap! state #(packing (with-class (:registered %) c extension)))
    nil))

(defmacro extend-msgpack
  "Packs the instances of a class as ext `type`, and unpacks that type, in the whole program.

      (defrecord Person [name])

      (extend-msgpack Person 100
        [person] (.getBytes ^String (:name person) \"UTF-8\")
        [payload] (->Person (String. ^bytes payload \"UTF-8\")))"
  [class type pack-args pack unpack-args unpack]
  `(let [type# ~type]
     (register ~class type# (fn ~pack-args ~pack))
     (let [unpack# (fn ~unpack-args ~unpack)]
       (defmethod refine-ext type# [ext#] (unpack# (:data ext#))))))

(defmacro defext
  "Packs the instances of a class as ext `type`, by a function that returns bytes.

      (defext Person 100 #(.getBytes ^String (:name %) \"UTF-8\"))"
  [class type f]
  `(register ~class ~type ~f))

(defn pack
  "Packs `value` to a byte array. In `opts`, `:compatibility-mode true` writes strings and bytes as
  the raw type of old MessagePack; the other options are those of `packord.core/codec`."
  (^bytes [value] (pack value nil))
  (^bytes [value opts]
   (let [packed (packord/pack value ((:codec @state) opts))]
     (if (:compatibility-mode opts)
       (ClojureData/oldRaw packed)
       packed))))

(defn pack-stream
  "Packs `value` to an OutputStream or DataOutput. `opts` as for [[pack]]."
  ([value stream] (pack-stream value stream nil))
  ([value stream opts]
   (cond
     (not (instance? OutputStream stream))
     (.write ^DataOutput stream (pack value opts))

     (:compatibility-mode opts)
     (.write ^OutputStream stream (pack value opts))

     :else
     (packord/pack-stream stream value ((:codec @state) opts)))
   nil))

(defn- read-one
  "The next byte of a DataInput, or -1."
  [^DataInput in]
  (try
    (.readUnsignedByte in)
    (catch EOFException _ -1)))

(defn- input-stream ^InputStream [in]
  (cond
    (instance? InputStream in) in
    (instance? RandomAccessFile in) (Channels/newInputStream (.getChannel ^RandomAccessFile in))
    :else (proxy [InputStream] []
            (read
              ([] (read-one in))
              ([target from _count]
               (let [b (long (read-one in))]
                 (if (neg? b)
                   -1
                   (do (aset-byte target from (unchecked-byte b)) 1))))))))

(defn unpack-stream
  "Unpacks one value from a DataInput or InputStream, and reads no byte after it. `opts` as for
  [[unpack]]."
  ([in] (unpack-stream in nil))
  ([in opts]
   (let [^Unpacker u (unpacker opts)]
     (.unpack u (input-stream in)))))

(defn unpack
  "Unpacks one value from a byte array, an InputStream, a DataInput or a collection of bytes; bytes
  after the value are ignored. In `opts`, `:compatibility-mode true` returns strings as byte arrays;
  the other options are those of `packord.core/codec`."
  ([resource] (unpack resource nil))
  ([resource opts]
   (if (or (instance? DataInput resource) (instance? InputStream resource))
     (unpack-stream resource opts)
     (let [^Unpacker u (unpacker opts)
           ^bytes packed (if (bytes? resource) resource (byte-array resource))]
       (.unpack u packed)))))
