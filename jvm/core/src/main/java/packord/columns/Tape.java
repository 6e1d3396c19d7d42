package packord.columns;

import java.util.Arrays;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * Where each value of a plain message begins, in the order of the message, so that writers find elements and entries
 * without reading headers again. Values are named by their place in this order.
 */
public final class Tape {
    /** The types, in the order of {@code spec/columns.md} section 6.1. */
    public static final int NIL = 0,
            BOOL = 1,
            INT = 2,
            FLOAT32 = 3,
            FLOAT64 = 4,
            STR = 5,
            BIN = 6,
            ARRAY = 7,
            MAP = 8,
            EXT = 9;

    private static final int FIRST = 256;
    private static final int KEPT = 1 << 16;
    private static final byte[] TYPES = new byte[256];

    static {
        for (int marker = 0; marker < 256; marker++) {
            Type type = Marker.type(marker);
            // Those of wire are in this order too, with one for all floats.
            boolean isAfter = type.compareTo(Type.FLOAT) > 0 || type == Type.FLOAT && Marker.bytesAfter(marker) == 8;
            TYPES[marker] = (byte) (type == Type.RESERVED ? INT : type.ordinal() + (isAfter ? 1 : 0));
        }
    }

    /** The message. */
    public byte[] bytes;

    private int size;
    private int[] at = new int[FIRST];
    private int[] next = new int[FIRST];

    /** The places of the exts of type 92, in order. */
    private int[] columns = new int[8];

    private int columnsCount;

    /** The open containers: their places, and the values that they still need. */
    private int[] open = new int[16];

    private long[] left = new long[16];

    /** Finds the values of a message, which must be well-formed. */
    public void scan(byte[] message, int from, int to) {
        bytes = message;
        size = 0;
        columnsCount = 0;
        int depth = 0;
        int pos = from;
        while (pos < to) {
            if (size + 1 >= at.length) {
                at = Arrays.copyOf(at, 2 * at.length);
                next = Arrays.copyOf(next, 2 * next.length);
            }
            int place = size++;
            at[place] = pos;
            next[place] = size;
            int marker = message[pos] & 0xff;
            int type = TYPES[marker];
            int header = 1 + Marker.bytesAfter(marker);
            if (type == ARRAY || type == MAP) {
                long inside = count(place);
                if (type == MAP) inside *= 2;
                if (inside > 0) {
                    if (depth == open.length) deeper();
                    open[depth] = place;
                    left[depth++] = inside + 1;
                }
                pos += header;
            } else {
                pos += header;
                if (type >= STR) {
                    pos += (int) Marker.announced(message, at[place]);
                    if (type == EXT && message[at[place] + header - 1] == ColumnsPayload.TYPE) addColumns(place);
                }
            }
            while (depth > 0 && --left[depth - 1] == 0) next[open[--depth]] = size;
        }
        at[size] = to;
    }

    private void deeper() {
        open = Arrays.copyOf(open, 2 * open.length);
        left = Arrays.copyOf(left, open.length);
    }

    private void addColumns(int place) {
        if (columnsCount == columns.length) columns = Arrays.copyOf(columns, 2 * columnsCount);
        columns[columnsCount++] = place;
    }

    /** Lets go of the message, and of arrays that are too large to keep. */
    public void clear() {
        bytes = null;
        if (at.length > KEPT) {
            at = new int[FIRST];
            next = new int[FIRST];
        }
        if (columns.length > KEPT) columns = new int[8];
    }

    /** Returns where a value begins. */
    public int at(int place) {
        return at[place];
    }

    /** Returns where a value ends. */
    public int end(int place) {
        return at[next[place]];
    }

    /** Returns the place of the value after this one and all in it. */
    public int next(int place) {
        return next[place];
    }

    /** Returns the bytes of a value. */
    public int size(int place) {
        return at[next[place]] - at[place];
    }

    public int type(int place) {
        return TYPES[bytes[at[place]] & 0xff];
    }

    /** Returns the first byte of a value. */
    public int marker(int place) {
        return bytes[at[place]] & 0xff;
    }

    /** Returns the elements or entries of a container. */
    public int count(int place) {
        return (int) Marker.announced(bytes, at[place]);
    }

    /** Returns where the payload of a str, bin or ext begins. */
    public int payload(int place) {
        return at[place] + 1 + Marker.bytesAfter(marker(place));
    }

    /** Whether there is an ext of type 92 in a value. */
    public boolean hasColumns(int place) {
        if (columnsCount == 0) return false;
        int index = Arrays.binarySearch(columns, 0, columnsCount, place);
        if (index < 0) index = -1 - index;
        return index < columnsCount && columns[index] < next[place];
    }

    /** Returns how many containers are open at once in a value. */
    int depth(int place) {
        int deepest = 0;
        int depth = 0;
        for (int i = place; i < next[place]; i++) {
            while (depth > 0 && next[open[depth - 1]] <= i) depth--;
            int type = type(i);
            if (type != ARRAY && type != MAP) continue;
            deepest = Math.max(deepest, depth + 1);
            if (depth == open.length) deeper();
            open[depth++] = i;
        }
        return deepest;
    }

    /** Returns the integer of an int; one of 2^63 or more as the long of the same bits. */
    public long integer(int place) {
        return Marker.integer(bytes, at[place]);
    }

    /** Whether an int is 2^63 or more. */
    public boolean isLarge(int place) {
        return Marker.isLarge(bytes, at[place]);
    }

    /** Returns the bits of a float 32. */
    public int float32(int place) {
        return Bytes.i32(bytes, at[place] + 1);
    }

    /** Returns the bits of a float 64. */
    public long float64(int place) {
        return Bytes.i64(bytes, at[place] + 1);
    }
}
