/** Container files of MessagePack: rows that are written for a long time, and read by column. */
@SuppressWarnings("requires-automatic")
module packord.container {
    requires transitive packord;
    requires com.github.luben.zstd_jni;

    exports packord.container;
}
