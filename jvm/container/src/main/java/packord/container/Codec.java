package packord.container;

/** Compresses and unpacks the chunks of blocks. This one stores them as they are. Not thread-safe. */
class Codec implements AutoCloseable {
    /** The codec of files that are written without a choice. */
    static final String DEFAULT = "zstd";

    /** What is wrong with data that do not unpack. */
    static final class CodecException extends Exception {
        private static final long serialVersionUID = 1L;

        CodecException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Returns what keeps a codec from being used here, or null if nothing does. */
    static String obstacle(String name) {
        boolean isKnown = name.equals("none") || name.equals("deflate") || name.equals("zstd");
        return isKnown ? null : "the codec " + name + " is not known";
    }

    /** Makes a codec of which {@link #obstacle} says nothing; {@code level} is null for the codec's own. */
    static Codec of(String name, Integer level) {
        if (name.equals("none")) return new Codec();
        return name.equals("deflate") ? new DeflateCodec(level) : new ZstdCodec(level);
    }

    /** Returns {@code size} bytes compressed, or null if that makes them no smaller. */
    byte[] compress(byte[] body, int from, int size) {
        return null;
    }

    /** Returns the most bytes that {@code size} bytes of data can stand for. */
    long most(int size) {
        return size;
    }

    /**
     * Unpacks {@code count} bytes of data to {@code size} bytes. Throws CodecException if they stand for more or fewer
     * bytes, or for none. Chunks that are stored as they are do not come here.
     */
    void unpack(byte[] data, int from, int count, byte[] body, int at, int size) throws CodecException {
        throw new CodecException("the codec none has " + count + " bytes for " + size, null);
    }

    @Override
    public void close() {}
}
