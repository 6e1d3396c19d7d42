(ns packord.kafka
  "Serializer, Deserializer and Serde for Kafka, by the classes of
  `io.github.packord/packord-kafka`. Needs `org.apache.kafka/kafka-clients`.

      (KafkaProducer. config (StringSerializer.) (packord.kafka/serializer))
      (KafkaConsumer. config (StringDeserializer.) (packord.kafka/deserializer {:key-fn true}))

  A nil value stays null, which Kafka takes for a deletion; nil is not packed. What cannot be packed
  or unpacked throws Kafka's SerializationException with packord's error as its cause. For
  configurations that name classes see `packord.kafka.PackordSerializer`."
  (:require
   [packord.core :as packord])
  (:import
   (packord.kafka PackordDeserializer PackordSerde PackordSerializer)))

(set! *warn-on-reflection* true)

(defn serializer
  "A Serializer for Clojure's data. `opts`: see `packord.core/codec`."
  (^org.apache.kafka.common.serialization.Serializer [] (serializer nil))
  (^org.apache.kafka.common.serialization.Serializer [opts]
   (PackordSerializer. (packord/packer opts))))

(defn deserializer
  "A Deserializer that gives Clojure's data. `opts`: see `packord.core/codec`."
  (^org.apache.kafka.common.serialization.Deserializer [] (deserializer nil))
  (^org.apache.kafka.common.serialization.Deserializer [opts]
   (PackordDeserializer. (packord/unpacker opts))))

(defn serde
  "A Serde for Clojure's data. `opts`: see `packord.core/codec`."
  (^org.apache.kafka.common.serialization.Serde [] (serde nil))
  (^org.apache.kafka.common.serialization.Serde [opts]
   (PackordSerde. (packord/packer opts) (packord/unpacker opts))))
