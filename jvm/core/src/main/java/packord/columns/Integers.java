package packord.columns;

import static packord.columns.MalformedColumns.need;

import packord.wire.Bytes;

/** The values of INT: {@code spec/columns.md} section 2.2. */
public final class Integers {
    /** The elements. */
    public static final int NONE = 0, BIT = 1;

    public static final int U8 = 2, U16 = 3, U32 = 4, U64 = 5;

    /** The flags of the form. */
    public static final int DELTA = 0x10, HAS_BASE = 0x20, UNSIGNED = 0x40, UNUSED = 0x80;

    /** The bits of the form that are the element. */
    public static final int ELEMENT = 0xf;

    private static final int[] WIDTHS = {1, 1, 1, 2, 4, 8};

    private Integers() {}

    /** Returns the size in bytes of an element that has one, or -1 if there is no such element. */
    public static int width(int element) {
        return element < WIDTHS.length ? WIDTHS[element] : -1;
    }

    static long[] of(ColumnNode node) {
        long[] values = new long[node.n];
        boolean delta = (node.form & DELTA) != 0;
        int from = delta ? 1 : 0;
        elements(node, values, from);
        long base = node.base;
        if (delta) {
            values[0] = node.first;
            for (int i = 1; i < values.length; i++) values[i] += values[i - 1] + base;
        } else if (base != 0) {
            for (int i = 0; i < values.length; i++) values[i] += base;
        }
        return values;
    }

    private static void elements(ColumnNode node, long[] values, int from) {
        byte[] payload = node.bytes;
        int at = node.at;
        int count = values.length - from;
        switch (node.form & ELEMENT) {
            case BIT:
                for (int i = 0; i < count; i++) values[i] = payload[at + (i >> 3)] >> (i & 7) & 1;
                need((count & 7) == 0 || (payload[at + node.size - 1] & 0xff) >> (count & 7) == 0);
                break;
            case U8:
                for (int i = 0; i < count; i++) values[from + i] = payload[at + i] & 0xff;
                break;
            case U16:
                for (int i = 0; i < count; i++) values[from + i] = Bytes.little16(payload, at + 2 * i);
                break;
            case U32:
                for (int i = 0; i < count; i++) values[from + i] = Bytes.little32(payload, at + 4 * i) & 0xffffffffL;
                break;
            case U64:
                for (int i = 0; i < count; i++) values[from + i] = Bytes.little64(payload, at + 8 * i);
                break;
            default:
        }
    }
}
