/**
 * MessagePack for Clojure and Java. Everything outside these two packages is internal.
 *
 * <p>Clojure and Kafka are needed only by programs that use them.
 */
@SuppressWarnings({"module", "requires-automatic"})
module packord {
  requires static clojure;
  requires static kafka.clients;

  exports packord;
  exports packord.kafka;
}
