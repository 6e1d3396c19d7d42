/**
 * MessagePack for Clojure and Java. Everything outside these three packages is internal.
 *
 * <p>Clojure, Kafka and zstd-jni are needed only by programs that use them.
 */
@SuppressWarnings({"module", "requires-automatic"})
module packord {
  requires static clojure;
  requires static kafka.clients;
  requires static com.github.luben.zstd_jni;

  exports packord;
  exports packord.container;
  exports packord.kafka;
}
