(ns packord.broker-test
  "The serializers on a real broker, in KRaft mode in this process: what a program with a configuration by
  class names sends is what another receives, and other bytes in the topic are an error of Kafka's type."
  (:require
   [clojure.test :refer [deftest is testing use-fixtures]])
  (:import
   (java.io ByteArrayOutputStream File PrintStream)
   (java.net ServerSocket)
   (java.nio.file Files Path)
   (java.nio.file.attribute FileAttribute)
   (java.time Duration Instant)
   (java.util Collections Map Properties)
   (java.util.concurrent Future)
   (kafka.server KafkaConfig KafkaRaftServer)
   (kafka.tools StorageTool)
   (org.apache.kafka.clients.admin Admin NewTopic)
   (org.apache.kafka.clients.consumer ConsumerRecord KafkaConsumer)
   (org.apache.kafka.clients.producer KafkaProducer ProducerRecord)
   (org.apache.kafka.common Uuid)
   (org.apache.kafka.common.errors RecordDeserializationException SerializationException)
   (org.apache.kafka.common.utils Time)))

(set! *warn-on-reflection* true)

(def ^:private ^:dynamic *address* nil)

(defn- free-port []
  (with-open [socket (ServerSocket. 0)] (.getLocalPort socket)))

(defn- broker-properties [^Path folder port controller]
  {"process.roles" "broker,controller"
   "node.id" "1"
   "controller.quorum.voters" (str "1@127.0.0.1:" controller)
   "listeners" (str "PLAINTEXT://127.0.0.1:" port ",CONTROLLER://127.0.0.1:" controller)
   "advertised.listeners" (str "PLAINTEXT://127.0.0.1:" port)
   "listener.security.protocol.map" "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"
   "controller.listener.names" "CONTROLLER"
   "inter.broker.listener.name" "PLAINTEXT"
   "log.dirs" (str (.resolve folder "log"))
   "offsets.topic.replication.factor" "1"
   "offsets.topic.num.partitions" "1"
   "transaction.state.log.replication.factor" "1"
   "transaction.state.log.min.isr" "1"})

(defn- properties ^Properties [entries]
  (let [made (Properties.)]
    (doseq [[k v] entries] (.setProperty made k (str v)))
    made))

(defn- format-storage [^Path folder entries]
  (let [file (.toFile (.resolve folder "server.properties"))
        said (ByteArrayOutputStream.)]
    (with-open [out (java.io.FileOutputStream. ^File file)] (.store (properties entries) out ""))
    (when-not (zero? (long (StorageTool/execute
                            (into-array String ["format" "-t" (str (Uuid/randomUuid)) "-c" (str file)])
                            (PrintStream. said))))
      (throw (ex-info "the storage of the broker cannot be formatted" {:said (str said)})))))

(defn- delete-all [^File file]
  (run! delete-all (.listFiles file))
  (.delete file))

(defn- with-broker [run]
  (let [folder (Files/createTempDirectory "packord-kafka" (make-array FileAttribute 0))
        port (free-port)
        entries (broker-properties folder port (free-port))]
    (try
      (format-storage folder entries)
      (let [server (KafkaRaftServer. (KafkaConfig. (properties entries)) Time/SYSTEM)]
        (.startup server)
        (try
          (binding [*address* (str "127.0.0.1:" port)] (run))
          (finally
            (.shutdown server)
            (.awaitShutdown server))))
      (finally (delete-all (.toFile folder))))))

(use-fixtures :once with-broker)

(defn- create-topic [topic]
  (with-open [admin (Admin/create (properties {"bootstrap.servers" *address*}))]
    (.get (.all (.createTopics admin (Collections/singleton (NewTopic. ^String topic 1 (short 1))))))))

(defn- send-all [topic settings pairs]
  (with-open [producer (KafkaProducer. ^Map (merge {"bootstrap.servers" *address*
                                                    "key.serializer" "packord.kafka.PackordSerializer"
                                                    "value.serializer" "packord.kafka.PackordSerializer"}
                                                   settings))]
    (doseq [^Future sent (mapv (fn [[k v]] (.send producer (ProducerRecord. topic k v))) pairs)]
      (.get sent))))

(defn- receive
  "The first n pairs of key and value in the topic, within a minute."
  [topic settings n]
  (with-open [consumer (KafkaConsumer. ^Map (merge {"bootstrap.servers" *address*
                                                    "group.id" (str (random-uuid))
                                                    "auto.offset.reset" "earliest"
                                                    "key.deserializer" "packord.kafka.PackordDeserializer"
                                                    "value.deserializer" "packord.kafka.PackordDeserializer"}
                                                   settings))]
    (.subscribe consumer (Collections/singleton topic))
    (let [end (+ (System/currentTimeMillis) 60000)]
      (loop [pairs []]
        (if (and (< (count pairs) n) (< (System/currentTimeMillis) end))
          (recur (into pairs
                       (map (fn [^ConsumerRecord r] [(.key r) (.value r)]))
                       (.poll consumer (Duration/ofMillis 500))))
          pairs)))))

(deftest what-a-producer-sends-a-consumer-receives
  (let [settings {"packord.data" "clojure"
                  "packord.records" "true"
                  "packord.rich" "true"}
        pairs (for [i (range 1000)]
                [{:shard i} {:id i
                             :at (Instant/ofEpochSecond i 5)
                             :tags #{:new (keyword "user" (str "k" i))}
                             :rows [{:price 1.5M :unit 'kg} {:price 1/3 :unit 'g}]
                             :text (apply str (repeat i "é"))}])]
    (create-topic "values")
    (send-all "values" settings pairs)
    (is (= pairs (receive "values" settings (count pairs))))))

(deftest data-of-java-and-deletions-pass
  (create-topic "java")
  (send-all "java" {} [["a" {"n" [1 2.5 nil]}] ["b" nil]])
  (is (= [["a" {"n" [1 2.5 nil]}] ["b" nil]] (receive "java" {} 2))))

(deftest foreign-bytes-are-an-error-with-their-place
  (create-topic "foreign")
  (send-all "foreign" {"value.serializer" "org.apache.kafka.common.serialization.ByteArraySerializer"}
            [["k" (byte-array [0x92 1])]])
  (let [e (try (receive "foreign" {} 1) (catch RecordDeserializationException e e))]
    (is (instance? RecordDeserializationException e))
    (is (zero? (.offset ^RecordDeserializationException e)))
    (testing "the cause says where in the message"
      (is (some #(= 2 (:offset (ex-data %)))
                (take-while some? (iterate ex-cause e)))))))

(deftest values-that-cannot-be-packed-are-not-sent
  (create-topic "refused")
  (is (thrown? SerializationException (send-all "refused" {"packord.data" "clojure"} [["k" (Object.)]])))
  (send-all "refused" {} [["k" 1]])
  (is (= [["k" 1]] (receive "refused" {} 1))))
