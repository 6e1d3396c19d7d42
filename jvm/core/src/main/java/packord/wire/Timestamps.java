package packord.wire;

/** The three payloads of timestamps, ext type -1: {@code spec/extensions.md} section 1. */
public final class Timestamps {
    /** The type of ext. */
    public static final int TYPE = -1;

    private static final int SECONDS_BITS = 34;
    private static final long MAX_NANOS = 999_999_999;

    private Timestamps() {}

    /** Whether a payload of this size may be one. */
    public static boolean isSize(int size) {
        return size == 4 || size == 8 || size == 12;
    }

    /** Whether bytes are a payload. */
    public static boolean isValid(byte[] bytes, int at, int size) {
        return isSize(size) && nanos(bytes, at, size) <= MAX_NANOS;
    }

    /** Returns the seconds of a payload, whose size is one of the three. */
    public static long seconds(byte[] bytes, int at, int size) {
        if (size == 4) return Bytes.u32(bytes, at);
        return size == 8 ? Bytes.i64(bytes, at) & (1L << SECONDS_BITS) - 1 : Bytes.i64(bytes, at + 4);
    }

    /** Returns the nanoseconds of a payload, which may be too many. */
    public static long nanos(byte[] bytes, int at, int size) {
        if (size == 4) return 0;
        return size == 8 ? Bytes.i64(bytes, at) >>> SECONDS_BITS : Bytes.u32(bytes, at);
    }

    /** Returns the bytes of the smallest payload. */
    public static int size(long seconds, long nanos) {
        return seconds >>> SECONDS_BITS != 0 ? 12 : nanos != 0 || seconds >>> 32 != 0 ? 8 : 4;
    }

    /** Writes the payload of a size. */
    static void put(byte[] bytes, int at, int size, long seconds, int nanos) {
        if (size == 4) {
            Bytes.put32(bytes, at, (int) seconds);
        } else if (size == 8) {
            Bytes.put64(bytes, at, (long) nanos << SECONDS_BITS | seconds);
        } else {
            Bytes.put32(bytes, at, nanos);
            Bytes.put64(bytes, at + 4, seconds);
        }
    }
}
