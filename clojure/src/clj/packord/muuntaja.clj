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
   [packord.core :as packord])
  (:import
   (java.io InputStream OutputStream)))

(set! *warn-on-reflection* true)

(defn- protocol [protocol-name]
  @(requiring-resolve (symbol "muuntaja.format.core" protocol-name)))

(deftype ^:private Decoder [codec])
(deftype ^:private Encoder [codec])

(extend Decoder
  (protocol "Decode")
  {:decode (fn [^Decoder this data _charset]
             (packord/unpack (if (instance? InputStream data)
                               (.readAllBytes ^InputStream data)
                               data)
                             (.-codec this)))})

(extend Encoder
  (protocol "EncodeToBytes")
  {:encode-to-bytes (fn [^Encoder this data _charset]
                      (packord/pack data (.-codec this)))}
  (protocol "EncodeToOutputStream")
  {:encode-to-output-stream (fn [^Encoder this data _charset]
                              (fn [^OutputStream output-stream]
                                (packord/pack-stream output-stream data (.-codec this))))})

(defn decoder
  "A decoder of muuntaja. `opts`: see `packord.core/codec`; keyword keys by default."
  [opts]
  (Decoder. (packord/codec (merge {:key-fn true} opts))))

(defn encoder
  "An encoder of muuntaja. `opts`: see `packord.core/codec`; keywords as values are packed as their
  names by default, as in muuntaja's JSON."
  [opts]
  (Encoder. (packord/codec (merge {:keywords :string} opts))))

(def format
  "The format, for `:formats` in muuntaja's options."
  ((requiring-resolve 'muuntaja.format.core/map->Format)
   {:name "application/msgpack"
    :decoder [decoder]
    :encoder [encoder]}))
