package packord.columns;

/** Writes INT: {@code spec/columns.md} section 6.6. */
final class IntegerColumns {
    private static final int FEWEST_BITS = 8;
    private static final int FEWEST_DELTA = 3;

    private final NodeOutput out;

    IntegerColumns(NodeOutput out) {
        this.out = out;
    }

    /** Returns the bytes of a number without a sign: B of the page. */
    static int width(long number) {
        return (71 - Long.numberOfLeadingZeros(number)) / 8;
    }

    /** Returns the width of the elements that hold a number: W of the page. */
    private static int rounded(long number) {
        int width = width(number);
        return width < 3 ? width : width < 5 ? 4 : 8;
    }

    private static int bitLength(long number) {
        return 64 - Long.numberOfLeadingZeros(number);
    }

    /** Writes sizes and tags, which are of the form, not of the value. */
    void simple(long[] values, int n) {
        write(values, n, false, true);
    }

    /** Writes integers of the value; unsigned ones are longs of the same bits. */
    void write(long[] values, int n, boolean unsigned) {
        write(values, n, unsigned, false);
    }

    private void write(long[] values, int n, boolean unsigned, boolean simple) {
        out.entry(ColumnNode.INT, 0);
        if (n == 0) {
            out.directory.put(0);
            return;
        }
        long flip = unsigned ? Long.MIN_VALUE : 0;
        long min = values[0] ^ flip;
        long max = min;
        for (int i = 1; i < n; i++) {
            long value = values[i] ^ flip;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        min ^= flip;
        max ^= flip;
        int width = rounded(max - min);
        boolean bit = max - min == 1 && n >= FEWEST_BITS;
        if (!simple && n >= FEWEST_DELTA && width > 0 && delta(values, n, unsigned, min, width, bit)) return;
        boolean natural = unsigned || min >= 0;
        long base = natural && (bit ? max == 1 : rounded(max) == width) ? 0 : min;
        form(bit ? Integers.BIT : element(width), base, unsigned ? Integers.UNSIGNED : 0, unsigned);
        if (bit) bits(values, n, base);
        else elements(values, n, base, width);
    }

    private void form(int element, long base, int flags, boolean unsignedBase) {
        out.directory.put(element | flags | (base != 0 ? Integers.HAS_BASE : 0));
        if (base != 0) out.directory.integer(base, unsignedBase);
    }

    /** Returns the element without a sign of a width. */
    private static int element(int width) {
        return width == 0 ? Integers.NONE : Integers.U8 + Integer.numberOfTrailingZeros(width);
    }

    /** Writes the differences instead, if they are smaller. */
    private boolean delta(long[] values, int n, boolean unsigned, long min, int width, boolean bit) {
        long least = values[1] - values[0];
        long most = least;
        long steps = 0;
        long offsets = 0;
        for (int i = 1; i < n; i++) {
            long step = values[i] - values[i - 1];
            least = Math.min(least, step);
            most = Math.max(most, step);
            steps += bitLength(step << 1 ^ step >> 63);
            offsets += bitLength(values[i] - min);
        }
        int narrow = rounded(most - least);
        if (narrow > 0 && (narrow > width || bit || 4 * steps >= 3 * offsets)) return false;
        form(element(narrow), least, Integers.DELTA | (unsigned ? Integers.UNSIGNED : 0), false);
        out.directory.integer(values[0], unsigned);
        if (narrow == 0) return true;
        out.sections.ensure((long) narrow * n);
        for (int i = 1; i < n; i++) out.sections.little(values[i] - values[i - 1] - least, narrow);
        return true;
    }

    private void elements(long[] values, int n, long base, int width) {
        if (width == 0) return;
        out.sections.ensure((long) width * n);
        for (int i = 0; i < n; i++) out.sections.little(values[i] - base, width);
    }

    private void bits(long[] values, int n, long base) {
        out.sections.ensure((n + 7L) / 8);
        for (int i = 0; i < n; i += 8) {
            int eight = 0;
            for (int j = Math.min(8, n - i) - 1; j >= 0; j--) eight = eight << 1 | (int) (values[i + j] - base);
            out.sections.little(eight, 1);
        }
    }
}
