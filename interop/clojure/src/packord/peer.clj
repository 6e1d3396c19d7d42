(ns packord.peer
  "msgpack-java, as the interoperability tests ask it."
  (:import
   (org.msgpack.core MessageBufferPacker MessagePack MessageUnpacker)))

(set! *warn-on-reflection* true)

(defn transcode
  "What msgpack-java makes of the bytes. Whatever it throws is its answer."
  [^bytes item]
  (try
    (with-open [^MessageUnpacker unpacker (MessagePack/newDefaultUnpacker item)
                ^MessageBufferPacker packer (MessagePack/newDefaultBufferPacker)]
      (.packValue packer (.unpackValue unpacker))
      [0 (.toByteArray packer)])
    (catch Throwable e
      [1 (.getBytes (str e) "UTF-8")])))
