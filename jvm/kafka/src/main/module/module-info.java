/** Serializers and deserializers of MessagePack for Kafka. Clojure is needed only by programs that use it. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module packord.kafka {
    requires transitive packord;
    requires static clojure;
    requires transitive kafka.clients;

    exports packord.kafka;
}
