package packord.container;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one key in the rows of a block, in the order of the rows: {@link Block#columns}. They are in one of
 * three forms: {@link #longs} or {@link #doubles} if all are such numbers and stored by column, else packed.
 *
 * <pre>{@code
 * BlockColumn column = block.columns(List.of("name")).get(0);
 * for (int i = 0; i < column.count(); i++) {
 *   use(column.row(i), column.bytes(), column.start(i), column.end(i));
 * }
 * }</pre>
 */
public final class BlockColumn {
    private static final int[] NONE = {};

    private final int[] rows;
    private final int count;
    private long[] longs;
    private double[] doubles;
    private byte[] bytes;
    private int[] starts;
    private int[] ends;

    private BlockColumn(int[] rows, int count) {
        this.rows = rows;
        this.count = count;
    }

    /** Returns a column of integers; {@code rows} is null if all rows have one. */
    static BlockColumn of(int[] rows, long[] longs) {
        BlockColumn column = new BlockColumn(rows, longs.length);
        column.longs = longs;
        return column;
    }

    static BlockColumn of(int[] rows, double[] doubles) {
        BlockColumn column = new BlockColumn(rows, doubles.length);
        column.doubles = doubles;
        return column;
    }

    static BlockColumn packed(int[] rows, byte[] bytes, int[] starts, int[] ends) {
        BlockColumn column = new BlockColumn(rows, starts.length);
        column.bytes = bytes;
        column.starts = starts;
        column.ends = ends;
        return column;
    }

    /** Returns the column of a key that no row has. */
    static BlockColumn empty() {
        return packed(NONE, new byte[0], NONE, NONE);
    }

    /** Returns the number of values, which is that of the rows that have the key. */
    public int count() {
        return count;
    }

    /** Returns whether all rows have the key, so that the row of a value is its number. */
    public boolean isInAllRows() {
        return rows == null;
    }

    /** Returns the row that has a value. */
    public int row(int value) {
        return rows == null ? value : rows[value];
    }

    /** Returns the number of the first value that is in a row, or after it. */
    public int valueFrom(int row) {
        if (rows == null) return Math.min(row, count);
        int found = Arrays.binarySearch(rows, row);
        return found < 0 ? -1 - found : found;
    }

    /** Returns integers, one for each value; null if they have another form. */
    public long[] longs() {
        return longs;
    }

    /** Returns floats, one for each value; those of 32 bits as doubles; null if they have another form. */
    public double[] doubles() {
        return doubles;
    }

    /**
     * Returns the bytes in which the packed values are; null if they have another form. Each is one well-formed message
     * without records and columns.
     */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns where a packed value begins in {@link #bytes}. */
    public int start(int value) {
        return starts[value];
    }

    /** Returns where a packed value ends in {@link #bytes}. */
    public int end(int value) {
        return ends[value];
    }

    /** Returns the packed values, each copied when it is asked for. */
    List<byte[]> packed() {
        return new AbstractList<>() {
            @Override
            public byte[] get(int value) {
                return Arrays.copyOfRange(bytes, starts[value], ends[value]);
            }

            @Override
            public int size() {
                return count;
            }
        };
    }

    /** Gathers packed values in the order of their rows; of a row that has two, the last one. */
    static final class Values {
        private int[] rows;
        private int[] starts;
        private int[] ends;
        private int count;

        Values(int room) {
            rows = new int[room];
            starts = new int[room];
            ends = new int[room];
        }

        void add(int row, int start, int end) {
            if (count > 0 && rows[count - 1] == row) count--;
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, 2 * count);
                starts = Arrays.copyOf(starts, 2 * count);
                ends = Arrays.copyOf(ends, 2 * count);
            }
            rows[count] = row;
            starts[count] = start;
            ends[count++] = end;
        }

        /** Returns the column of a block with {@code size} rows. */
        BlockColumn column(byte[] bytes, int size) {
            return packed(count == size ? null : cut(rows), bytes, cut(starts), cut(ends));
        }

        private int[] cut(int[] array) {
            return count == array.length ? array : Arrays.copyOf(array, count);
        }
    }
}
