/**
 * MessagePack for Clojure and Java. Everything outside the two packages that all may use is internal.
 *
 * <p>Clojure and Kafka are needed only by programs that use them.
 */
@SuppressWarnings({"module", "requires-automatic"})
module packord {
  requires static clojure;
  requires static kafka.clients;

  exports packord;
  exports packord.kafka;
  exports packord.columns to packord.container;
  exports packord.decode to packord.container;
  exports packord.encode to packord.container;
  exports packord.wire to packord.container, packord.spark;
}
