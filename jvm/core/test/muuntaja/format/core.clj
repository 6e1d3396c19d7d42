(ns muuntaja.format.core
  "The protocols of muuntaja that formats implement, with their names and arguments, so that the
  tests can do without the library.")

(defprotocol Decode
  (decode [this data charset]))

(defprotocol EncodeToBytes
  (encode-to-bytes [this data charset]))

(defprotocol EncodeToOutputStream
  (encode-to-output-stream [this data charset]))

(defrecord Format [name encoder decoder return matches])
