/**
 * Container files of MessagePack: rows that are written for a long time, and read by column.
 *
 * <p>Clojure is needed only by programs that use it.
 */
@SuppressWarnings("requires-automatic")
module packord.container {
  requires transitive packord;
  requires com.github.luben.zstd_jni;

  exports packord.container;
}
