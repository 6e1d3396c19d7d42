package packord.container;

/** Compresses and unpacks the chunks of blocks. Not thread-safe. */
abstract class Codec implements AutoCloseable {
    /** What is wrong with data that do not unpack. */
    static final class CodecException extends Exception {
        private static final long serialVersionUID = 1L;

        CodecException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Returns {@code size} bytes compressed, or null if that makes them no smaller. */
    abstract byte[] compress(byte[] body, int from, int size);

    /** Returns the most bytes that {@code size} bytes of data can stand for. */
    abstract long most(int size);

    /**
     * Unpacks {@code count} bytes of data to {@code size} bytes. Throws CodecException if they stand for more or fewer
     * bytes, or for none.
     */
    abstract void unpack(byte[] data, int from, int count, byte[] body, int at, int size) throws CodecException;

    @Override
    public void close() {}
}
