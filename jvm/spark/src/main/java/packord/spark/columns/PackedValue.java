package packord.spark.columns;

import packord.wire.Marker;
import packord.wire.Timestamps;

/**
 * Headers of plain MessagePack, without records and columns. Callers pass only bytes that were checked to be
 * well-formed.
 */
public final class PackedValue {
    /** The types of values. UINT is an integer of 2^63 or more, TIMESTAMP an ext of type -1. */
    public enum Type {
        NIL,
        BOOL,
        INT,
        FLOAT,
        STR,
        BIN,
        ARRAY,
        MAP,
        EXT,
        UINT,
        TIMESTAMP;

        /** Those but the last two are in the order of the types that markers tell. */
        private static final Type[] ALL = values();
    }

    private PackedValue() {}

    public static Type type(byte[] bytes, int at) {
        packord.wire.Type type = Marker.type(bytes[at] & 0xff);
        return switch (type) {
            case INT -> Marker.isLarge(bytes, at) ? Type.UINT : Type.INT;
            case EXT -> extType(bytes, at) == Timestamps.TYPE ? Type.TIMESTAMP : Type.EXT;
            default -> Type.ALL[type.ordinal()];
        };
    }

    /** Returns where what follows the header begins: a payload, elements, entries, or the next value. */
    public static int content(byte[] bytes, int at) {
        return at + 1 + Marker.bytesAfter(bytes[at] & 0xff);
    }

    /** Returns the bytes of the payload of a str, bin or ext, the elements of an array, the entries of a map. */
    public static int size(byte[] bytes, int at) {
        return (int) Marker.announced(bytes, at);
    }

    /** Returns the index after a value. */
    public static int skip(byte[] bytes, int at) {
        int next = at;
        for (long left = 1; left > 0; left--) {
            int value = next;
            next = content(bytes, value);
            switch (type(bytes, value)) {
                case STR, BIN, EXT, TIMESTAMP -> next += size(bytes, value);
                case ARRAY -> left += size(bytes, value);
                case MAP -> left += 2L * size(bytes, value);
                default -> {}
            }
        }
        return next;
    }

    /** Returns whether a bool is true. */
    public static boolean bool(byte[] bytes, int at) {
        return (bytes[at] & 1) == 1;
    }

    public static int extType(byte[] bytes, int at) {
        return bytes[content(bytes, at) - 1];
    }

    /** Returns the seconds of a timestamp. */
    public static long seconds(byte[] bytes, int at) {
        return Timestamps.seconds(bytes, content(bytes, at), size(bytes, at));
    }

    /** Returns the nanoseconds of a timestamp, which are added to its seconds. */
    public static int nanos(byte[] bytes, int at) {
        return (int) Timestamps.nanos(bytes, content(bytes, at), size(bytes, at));
    }
}
