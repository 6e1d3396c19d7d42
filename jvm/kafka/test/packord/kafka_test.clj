(ns packord.kafka-test
  "The contract of Kafka's serialization, with the real interfaces."
  (:require
   [clojure.test :refer [deftest is testing]]
   [packord.core :refer [pack]]
   [packord.extension :as extension]
   [packord.kafka :as kafka]
   [packord.vectors :as v])
  (:import
   (java.util HashMap)
   (org.apache.kafka.clients.consumer ConsumerConfig)
   (org.apache.kafka.common.config ConfigException)
   (org.apache.kafka.common.errors SerializationException)
   (org.apache.kafka.common.header.internals RecordHeaders)
   (org.apache.kafka.common.serialization Deserializer Serde Serializer)
   (org.apache.kafka.common.utils Utils)
   (packord Extension)
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
    (is (thrown? SerializationException (.serialize s "t" (Object.))))
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

(defn- configured
  "Serializer and deserializer that Kafka makes by name, with this configuration."
  [config]
  (let [s (PackordSerializer.)
        d (PackordDeserializer.)]
    (.configure s config false)
    (.configure d config false)
    [#(.serialize s "t" %) #(.deserialize d "t" %)]))

(deftype Celsius [degrees]
  Object
  (equals [_ other] (and (instance? Celsius other) (= degrees (.-degrees ^Celsius other))))
  (hashCode [_] (hash degrees)))

(def celsius-ext
  (extension/by-class {:type 20
                       :classes [Celsius]
                       :pack #(byte-array [(.-degrees ^Celsius %)])
                       :unpack #(->Celsius (long (first %)))}))

(def celsius-protocol
  (reify extension/MsgpackExtension
    (can-pack? [_ value] (instance? Celsius value))
    (can-unpack? [_ t] (= 20 t))
    (pack [_ packer value _] (extension/write-ext packer 20 (byte-array [(.-degrees ^Celsius value)])))
    (unpack [_ unpacker header _] (->Celsius (long (first (extension/read-payload unpacker header)))))))

(deftype CelsiusExtension []
  Extension
  (canPack [_ value] (instance? Celsius value))
  (canUnpack [_ t] (= 20 t))
  (pack [_ packer value] (.packExtension packer 20 (byte-array [(.-degrees ^Celsius value)])))
  (unpack [_ unpacker _] (->Celsius (long (first (.readPayload unpacker 1))))))

(deftest entries-of-a-configuration-set-options
  ;; Kafka looks classes up by the loader of the thread, which knows those of the jars alone.
  (.setContextClassLoader (Thread/currentThread) (.getClassLoader CelsiusExtension))
  (testing "records, in Java's data and in Clojure's"
    (doseq [data ["java" "clojure"]
            :let [[write read-back] (configured {"packord.data" data "packord.records" "true"})
                  rows [{"a" 1} {"a" 2}]]]
      (is (= "d472" (subs (v/bytes->hex (write rows)) 2 6)))
      (is (= (pr-str (if (= "java" data) rows [{:a 1} {:a 2}]))
             (pr-str (mapv #(into {} %) (read-back (write rows))))))))
  (testing "extensions, by the names of vars and by a list"
    (doseq [names ["packord.extension.clojure/extensions, packord.kafka-test/celsius-ext"
                   "packord.extension.clojure/extensions,packord.kafka-test/celsius-protocol"
                   "packord.kafka_test.CelsiusExtension, packord.extension.clojure/extensions"
                   ["packord.extension.clojure/set-ext" "packord.extension.clojure/keyword-ext"
                    "packord.kafka-test/celsius-ext"]]
            :let [[write read-back] (configured {"packord.data" "clojure" "packord.extensions" names})]]
      (is (= {:k [#{:a} (->Celsius 21)]} (read-back (write {:k [#{:a} (->Celsius 21)]}))))))
  (testing "rich, with the types of the data"
    (let [[write read-back] (configured {"packord.data" "clojure" "packord.rich" "true"})]
      (is (= {:k [#{:a} 1/2 2.50M]} (read-back (write {:k [#{:a} 1/2 2.50M]})))))
    (let [[write read-back] (configured {"packord.rich" "true" "packord.skip-nil" "true"})]
      (is (= {"k" [#{1} 2.50M]} (read-back (write (array-map "k" [#{1} 2.50M] "l" nil)))))))
  (testing "each option by its name in Clojure"
    (doseq [[entry value hex]
            [["packord.max-depth" "1" "9190"] ["packord.max-len" "1" "920101"]
             ["packord.max-str-len" 1 "a26161"] ["packord.max-bin-len" "0" "c40101"]
             ["packord.max-ext-len" "0" "d40501"] ["packord.max-array-len" "1" "920101"]
             ["packord.max-map-len" "0" "810101"] ["packord.max-nodes" "1" "9101"]
             ["packord.unknown-ext" "error" "d40501"] ["packord.duplicate-key" "error" "8201010101"]
             ["packord.canonical" "true" "cc01"] ["packord.canonical" true "cc01"]
             ["packord.bigint" "false" "cb"]]
            :let [[_ read-back] (configured {entry value})]]
      (is (thrown? SerializationException (read-back (v/hex->bytes hex))) entry))
    (let [[write] (configured {"packord.float32" "true" "packord.sort-keys" "true"})]
      (is (= "82a161ca3f000000a16200" (v/bytes->hex (write (array-map "b" 0 "a" 0.5))))))
    (let [[_ read-back] (configured {"packord.timestamps" "date" "packord.utf8" "replace"
                                     "packord.trailing" "allow" "packord.max-str-len" "9"
                                     "packord.max-len" "2" "packord.max-ext-len" "4"})]
      (is (= (java.util.Date. 1000) (read-back (v/hex->bytes "d6ff0000000101"))))
      (is (= "\ufffd" (read-back (v/hex->bytes "a1ff"))))
      (is (= "abc" (read-back (v/hex->bytes "a3616263"))))))
  (testing "what is not an option, or not a value of it, is refused by the entry's name"
    (doseq [[entry value] [["packord.record" "true"] ["packord.sequential" "true"] ["packord.max-buffer" "9"]
                           ["packord.max-shared-structures" "9"] ["packord.structures" "a"]
                           ["packord.records" "yes"] ["packord.utf8" "x"]
                           ["packord.max-depth" "deep"] ["packord.max-depth" "-1"]
                           ["packord.extensions" "no.such.Class"] ["packord.extensions" "no.such/var"]
                           ["packord.extensions" "packord.kafka-test/missing"]
                           ["packord.extensions" "java.lang.String"]]]
      (is (thrown-with-msg? ConfigException (re-pattern entry) (configured {entry value})) value))
    (is (some? (configured {"packord.max-len" "9223372036854775807"}))))
  (testing "entries of others are left alone"
    (is (= 1 (let [[write read-back] (configured {"bootstrap.servers" "x" "packordial" "y"})]
               (read-back (write 1)))))))

(deftest a-consumer-accepts-the-class
  (let [config (ConsumerConfig.
                (doto (HashMap.)
                  (.put "bootstrap.servers" "localhost:1")
                  (.put "key.deserializer" "packord.kafka.PackordDeserializer")
                  (.put "value.deserializer" "packord.kafka.PackordDeserializer")))]
    (is (= PackordDeserializer (.getClass config "value.deserializer")))))
