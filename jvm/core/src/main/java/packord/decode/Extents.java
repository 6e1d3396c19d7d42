package packord.decode;

import java.util.Arrays;
import packord.ErrorKind;
import packord.record.Shape;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * Passes values by their headers alone, and remembers where containers end: what is in them is not passed again when
 * they are read from within, so that looking for a key in each of many nested maps takes linear time.
 */
final class Extents {
    private static final int KEPT = 1 << 14;

    private final Decoder in;
    private int[] starts = new int[16];
    private int[] ends = new int[16];
    private int size;

    /** The open containers: their numbers, and the values that they still need. */
    private int[] open = new int[8];

    private long[] left = new long[8];

    Extents(Decoder in) {
        this.in = in;
    }

    /** Forgets all, and arrays that are too large to keep. */
    void clear() {
        size = 0;
        if (starts.length <= KEPT) return;
        starts = new int[16];
        ends = new int[16];
    }

    /** Passes the next value. Throws PackordException if its headers, or those within, are faulty. */
    void pass() {
        // With records, definitions within have to be met each time.
        int known = in.recordsOn() ? -1 : Arrays.binarySearch(starts, 0, size, in.pos);
        if (known >= 0) {
            in.pos = ends[known];
            return;
        }
        int before = size;
        boolean done = false;
        try {
            passNew();
            done = true;
        } finally {
            if (!done || in.recordsOn()) size = before;
        }
    }

    private void passNew() {
        int depth = 0;
        do {
            int at = in.pos;
            long inside = header(at);
            if (inside > 0) {
                if (depth == open.length) {
                    open = Arrays.copyOf(open, 2 * depth);
                    left = Arrays.copyOf(left, 2 * depth);
                }
                open[depth] = add(at);
                left[depth++] = inside;
                continue;
            }
            while (depth > 0 && --left[depth - 1] == 0) ends[open[--depth]] = in.pos;
        } while (depth > 0);
    }

    private int add(int start) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        starts[size] = start;
        return size++;
    }

    /** Passes a value, or the header of a container, and returns how many values that has. */
    private long header(int at) {
        in.need(1, at);
        int marker = in.next();
        Type type = Marker.type(marker);
        if (type == Type.RESERVED) throw in.error(ErrorKind.RESERVED_MARKER, at);
        Shape shape = in.recordsOn() ? shape(marker, type, at) : null;
        if (shape != null) return shape.size();
        long size = in.header(marker, at);
        if (type == Type.ARRAY) return size;
        if (type == Type.MAP) return 2 * size;
        if (type == Type.STR || type == Type.BIN || type == Type.EXT) {
            in.need(size, at);
            in.pos += (int) size;
        }
        return 0;
    }

    private Shape shape(int marker, Type type, int at) {
        if ((byte) marker >= 0x40) return in.shapeOfId(marker, at, 0);
        return type == Type.EXT ? in.defined(marker, at, 0, 0) : null;
    }
}
