package packord.columns;

import java.nio.ByteBuffer;

/**
 * The values of a column as plain MessagePack, each found by where it is. Rows of a dictionary are where the entry is,
 * which is there once.
 */
public final class PackedColumn {
    /** The array in which the values are. */
    public final byte[] bytes;

    /** Where each value begins and ends. */
    public final int[] starts;

    public final int[] ends;

    /** The bytes that are used of the array. */
    public final int size;

    PackedColumn(byte[] bytes, int size, int[] starts, int[] ends) {
        this.bytes = bytes;
        this.size = size;
        this.starts = starts;
        this.ends = ends;
    }

    /** Returns what all values take, end to end. */
    public long plainSize() {
        long sum = 0;
        for (int i = 0; i < starts.length; i++) sum += ends[i] - starts[i];
        return sum;
    }

    /** Returns the values end to end, those that are at one place once. */
    public ByteBuffer distinct() {
        boolean[] seen = new boolean[size + 1];
        GrowingBytes out = new GrowingBytes(size);
        for (int i = 0; i < starts.length; i++) {
            if (seen[starts[i]]) continue;
            seen[starts[i]] = true;
            out.few(bytes, starts[i], ends[i] - starts[i]);
        }
        return ByteBuffer.wrap(out.buf, 0, out.pos);
    }
}
