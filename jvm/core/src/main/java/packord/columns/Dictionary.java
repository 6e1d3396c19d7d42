package packord.columns;

import java.util.Arrays;

/** The different values of a column, by {@code spec/columns.md} section 6.4. */
final class Dictionary {
    private static final int FEWEST_ROWS = 16;
    private static final int MOST_NUMBERS = 4096;
    private static final int SAMPLE = 1024;
    private static final int MOST_IN_SAMPLE = 896;
    private static final int FIRST = 32;

    private final ByteRanges ranges = new ByteRanges();

    /** The first row of each entry, and the entry of each row. */
    int[] entries;

    long[] indexes;

    /** Finds the entries. Returns false if the column is not to be a dictionary. */
    boolean build(Tape tape, int[] rows, int n, long size, int type) {
        if (n < FEWEST_ROWS) return false;
        if (type == Tape.BOOL || type == Tape.ARRAY || type == Tape.MAP) return false;
        indexes = new long[n];
        boolean found = find(tape, rows, n, type >= Tape.STR ? n / 2 : Math.min(n / 8, MOST_NUMBERS));
        ranges.clear();
        return found && isSmaller(tape, n, size, type);
    }

    /** Lets go of what was found. */
    void clear() {
        entries = null;
        indexes = null;
    }

    private boolean find(Tape tape, int[] rows, int n, int most) {
        byte[] bytes = tape.bytes;
        int[] firsts = new int[Math.min(FIRST, most) + 1];
        int count = 0;
        for (int i = 0; i < n; i++) {
            int row = rows[i];
            int place = ranges.place(bytes, tape.at(row), tape.end(row));
            indexes[i] = place;
            if (place == count) {
                if (count == most) return false;
                if (count == firsts.length) firsts = Arrays.copyOf(firsts, 2 * count);
                firsts[count++] = row;
            }
            if (i == SAMPLE - 1 && n > SAMPLE && count > MOST_IN_SAMPLE) return false;
        }
        entries = Arrays.copyOf(firsts, count);
        return true;
    }

    private boolean isSmaller(Tape tape, int n, long size, int type) {
        long sum = 0;
        for (int entry : entries) sum += tape.size(entry);
        int width = entries.length <= 1 << 8 ? 1 : entries.length <= 1 << 16 ? 2 : 4;
        long taken = sum + (long) n * width + 16;
        return 8 * taken <= (type >= Tape.STR ? 7 : 5) * size;
    }
}
