(ns packord.kafka-test
  "The contract of Kafka's serialization, with the real interfaces."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [pack]]
   [packord.kafka :as kafka])
  (:import
   (java.util HashMap)
   (org.apache.kafka.clients.consumer ConsumerConfig)
   (org.apache.kafka.common.config ConfigException)
   (org.apache.kafka.common.errors SerializationException)
   (org.apache.kafka.common.header.internals RecordHeaders)
   (org.apache.kafka.common.serialization Deserializer Serde Serializer)
   (org.apache.kafka.common.utils Utils)
   (packord.kafka PackordDeserializer PackordSerde PackordSerializer)))

(set! *warn-on-reflection* true)

(deftest serializers-of-functions-keep-their-options
  (let [s (kafka/serializer {:records true})
        d (kafka/deserializer {:records true :key-fn true})
        v [{:a 1} {:a 2}]]
    (is (= v (.deserialize d "t" (.serialize s "t" v))))
    (is (= v (.deserialize d "t" (RecordHeaders.) (.serialize s "t" (RecordHeaders.) v))))
    (is (nil? (.serialize s "t" nil)))
    (is (nil? (.deserialize d "t" ^bytes (identity nil))))
    (testing "configuration does not change what was given"
      (.configure s {"packord.data" "java"} false)
      (is (= v (.deserialize d "t" (.serialize s "t" v)))))
    (is (thrown? SerializationException (.serialize s "t" 'x)))
    (is (thrown? SerializationException (.deserialize d "t" (byte-array [0x91]))))))

(deftest a-serde-reads-what-it-writes
  (let [^Serde serde (kafka/serde {:key-fn true})]
    (is (= {:a 1} (.deserialize (.deserializer serde) "t" (.serialize (.serializer serde) "t" {:a 1}))))
    (.close serde)))

(deftest class-names-and-configuration-choose-the-data
  (doseq [[config expected] [[{} {"a" 1}] [{"packord.data" "java"} {"a" 1}]
                             [{"packord.data" "clojure"} {:a 1}]]]
    (let [^Deserializer d (Utils/newInstance "packord.kafka.PackordDeserializer" Deserializer)
          ^Serializer s (Utils/newInstance "packord.kafka.PackordSerializer" Serializer)]
      (.configure d config false)
      (.configure s config true)
      (is (= expected (.deserialize d "t" (.serialize s "t" (HashMap. ^java.util.Map expected)))))
      (.close d)
      (.close s)))
  (is (thrown? ConfigException (.configure (PackordSerializer.) {"packord.data" "x"} false)))
  (is (= {"a" 1} (.deserialize (PackordDeserializer.) "t" (pack {:a 1}))))
  (let [serde (PackordSerde.)]
    (.configure serde {"packord.data" "clojure"} false)
    (is (= {:a 1} (.deserialize (.deserializer serde) "t" (.serialize (.serializer serde) "t" {:a 1}))))))

(deftest a-consumer-accepts-the-class
  (let [config (ConsumerConfig.
                (doto (HashMap.)
                  (.put "bootstrap.servers" "localhost:1")
                  (.put "key.deserializer" "packord.kafka.PackordDeserializer")
                  (.put "value.deserializer" "packord.kafka.PackordDeserializer")))]
    (is (= PackordDeserializer (.getClass config "value.deserializer")))))
