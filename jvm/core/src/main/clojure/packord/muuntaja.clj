(ns packord.muuntaja
  "MessagePack as a format of muuntaja, for content negotiation. Needs `metosin/muuntaja`, which is
  looked up when this namespace is loaded.

      (require '[muuntaja.core :as m] '[packord.muuntaja :as msgpack])

      (def muuntaja
        (m/create (assoc-in m/default-options [:formats \"application/msgpack\"] msgpack/format)))

  Maps are decoded with keyword keys. Other options, see `packord.core/codec`, go to encoder and
  decoder as with every format of muuntaja:

      (assoc-in options [:formats \"application/msgpack\" :decoder-opts] {:key-fn false})"
  (:refer-clojure :exclude [format])
  (:require
   [clojure.set :as set]
   [packord.core :as packord])
  (:import
   (java.io InputStream OutputStream PushbackInputStream)
   (packord Unpacker)))

(set! *warn-on-reflection* true)

(defn- protocol [protocol-name]
  @(requiring-resolve (symbol "muuntaja.format.core" protocol-name)))

(deftype ^:private Decoder [codec empty-value])
(deftype ^:private Encoder [codec])

(defn- pushed-back
  "The stream with its first byte read and put back, or nil if it is empty."
  ^InputStream [^InputStream in]
  (let [in (PushbackInputStream. in)
        b (.read in)]
    (when-not (neg? b)
      (.unread in b)
      in)))

(defn- decode-body [^Unpacker unpacker data empty-value]
  (let [given data
        data (if (instance? InputStream data) (pushed-back data) data)
        empty-body? (or (nil? data) (and (bytes? data) (zero? (alength ^bytes data))))]
    (cond
      (and empty-body? (not= :error empty-value)) empty-value
      (nil? data) (.unpack unpacker (byte-array 0))
      (instance? InputStream given) (.unpackAll unpacker data)
      :else (.unpack unpacker ^bytes data))))

(extend Decoder
  (protocol "Decode")
  {:decode (fn [^Decoder this data _charset]
             (decode-body (packord/unpacker (.-codec this)) data (.-empty-value this)))})

(extend Encoder
  (protocol "EncodeToBytes")
  {:encode-to-bytes (fn [^Encoder this data _charset]
                      (packord/pack data (.-codec this)))}
  (protocol "EncodeToOutputStream")
  {:encode-to-output-stream (fn [^Encoder this data _charset]
                              (fn [^OutputStream output-stream]
                                (packord/pack-stream output-stream data (.-codec this))))})

(defn decoder
  "A decoder of muuntaja. `opts`: see `packord.core/codec`; keyword keys by default. Also:

  - `:empty-body` is the value of an empty body, nil by default; with `:error` it is an error;
  - `:keywords?` is the name that formats of muuntaja had for `:key-fn`."
  [opts]
  (let [opts (set/rename-keys (merge (when-not (contains? opts :keywords?) {:key-fn true}) opts)
                              {:keywords? :key-fn})]
    (Decoder. (packord/codec (dissoc opts :empty-body)) (:empty-body opts))))

(defn encoder
  "An encoder of muuntaja. `opts`: see `packord.core/codec`."
  [opts]
  (Encoder. (packord/codec opts)))

(def format
  "The format, for `:formats` in muuntaja's options."
  ((requiring-resolve 'muuntaja.format.core/map->Format)
   {:name "application/msgpack"
    :decoder [decoder]
    :encoder [encoder]}))
