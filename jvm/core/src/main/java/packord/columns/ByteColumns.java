package packord.columns;

import packord.wire.Timestamps;

/** Writes str, bin and ext, by {@code spec/columns.md} section 6.5. */
final class ByteColumns {
    private static final int FEWEST_ROWS = 8;
    private static final int FEWEST_EXTS = 16;
    private static final int LONGEST_EXT = 64;
    private static final int BILLION = 1_000_000_000;

    private final NodeOutput out;
    private final IntegerColumns integers;

    ByteColumns(NodeOutput out, IntegerColumns integers) {
        this.out = out;
        this.integers = integers;
    }

    /** Writes strings. Returns false if they are to be PLAIN. */
    boolean strings(Tape tape, int[] rows, int n) {
        boolean same = haveSameSize(tape, rows, n);
        if (!same && n < FEWEST_ROWS) return false;
        if (same || hasZero(tape, rows, n)) {
            out.entry(ColumnNode.BYTES, ColumnNode.STR);
            sized(tape, rows, n);
            return true;
        }
        long size = n;
        for (int i = 0; i < n; i++) size += tape.end(rows[i]) - tape.payload(rows[i]);
        out.entry(ColumnNode.BYTES, ColumnNode.TERMINATED);
        out.uint(size);
        GrowingBytes section = out.sections;
        section.ensure(size);
        for (int i = 0; i < n; i++) {
            int from = tape.payload(rows[i]);
            section.few(tape.bytes, from, tape.end(rows[i]) - from);
            section.little(0, 1);
        }
        return true;
    }

    /** Writes bins. Returns false if they are to be PLAIN. */
    boolean bins(Tape tape, int[] rows, int n) {
        if (n < FEWEST_ROWS && !haveSameSize(tape, rows, n)) return false;
        out.entry(ColumnNode.BYTES, ColumnNode.BIN);
        sized(tape, rows, n);
        return true;
    }

    /** Writes exts of one type. Returns false if they are to be PLAIN. */
    boolean exts(Tape tape, int[] rows, int n) {
        int type = type(tape, rows[0]);
        long size = 0;
        for (int i = 0; i < n; i++) {
            if (type(tape, rows[i]) != type) return false;
            size += tape.end(rows[i]) - tape.payload(rows[i]);
        }
        if (size > (long) LONGEST_EXT * n || n < FEWEST_EXTS && !haveSameSize(tape, rows, n)) return false;
        out.entry(ColumnNode.BYTES, ColumnNode.EXT);
        out.directory.put(type);
        sized(tape, rows, n);
        return true;
    }

    private static int type(Tape tape, int row) {
        return tape.bytes[tape.payload(row) - 1];
    }

    private static boolean haveSameSize(Tape tape, int[] rows, int n) {
        int size = tape.end(rows[0]) - tape.payload(rows[0]);
        for (int i = 1; i < n; i++) if (tape.end(rows[i]) - tape.payload(rows[i]) != size) return false;
        return true;
    }

    private static boolean hasZero(Tape tape, int[] rows, int n) {
        byte[] bytes = tape.bytes;
        for (int i = 0; i < n; i++) {
            int end = tape.end(rows[i]);
            for (int at = tape.payload(rows[i]); at < end; at++) if (bytes[at] == 0) return true;
        }
        return false;
    }

    /** Writes payloads end to end, and their sizes. */
    private void sized(Tape tape, int[] rows, int n) {
        long[] sizes = new long[n];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sizes[i] = (long) tape.end(rows[i]) - tape.payload(rows[i]);
            sum += sizes[i];
        }
        out.uint(sum);
        out.sections.ensure(sum);
        for (int i = 0; i < n; i++) out.sections.few(tape.bytes, tape.payload(rows[i]), (int) sizes[i]);
        integers.simple(sizes, n);
    }

    // ---------------------------------------------------------------- timestamps

    /** Writes timestamps. Returns false if a row is not one in its smallest format, or beyond 64 bits. */
    boolean times(Tape tape, int[] rows, int n) {
        long[] seconds = new long[n];
        int[] nanos = new int[n];
        int unit = 0;
        for (int i = 0; i < n; i++) {
            if (!time(tape, rows[i], i, seconds, nanos)) return false;
            while (nanos[i] % (BILLION / power(unit)) != 0) unit += 3;
        }
        int perSecond = power(unit);
        for (int i = 0; i < n; i++) {
            long rest = nanos[i] / (BILLION / perSecond);
            long low = seconds[i] * perSecond;
            long high = Math.multiplyHigh(seconds[i], perSecond);
            long value = low + rest;
            if (Long.compareUnsigned(value, low) < 0) high++;
            if (high != value >> 63) return false;
            seconds[i] = value;
        }
        out.entry(ColumnNode.TIME, 0);
        out.directory.put(unit);
        integers.write(seconds, n, false);
        return true;
    }

    private static int power(int unit) {
        return (int) Decimals.POWERS[unit];
    }

    /** Reads a timestamp. Returns false if it is none, or not in its smallest format. */
    private static boolean time(Tape tape, int row, int index, long[] seconds, int[] nanos) {
        if (type(tape, row) != Timestamps.TYPE) return false;
        int at = tape.payload(row);
        int size = tape.end(row) - at;
        if (!Timestamps.isValid(tape.bytes, at, size)) return false;
        long second = Timestamps.seconds(tape.bytes, at, size);
        long nano = Timestamps.nanos(tape.bytes, at, size);
        if (Timestamps.size(second, nano) != size) return false;
        // The header of three bytes is that of ext 8; 4 and 8 bytes have one of two.
        if (at - tape.at(row) != (size == 12 ? 3 : 2)) return false;
        seconds[index] = second;
        nanos[index] = (int) nano;
        return true;
    }
}
