package packord.columns;

import static packord.columns.MalformedColumns.need;

import packord.columns.ColumnNode.Entries;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Timestamps;
import packord.wire.Utf8;

/**
 * Writes the values of columns row by row as plain MessagePack, within the budget of {@code spec/columns.md} section 4.
 * The decoder then reads them as any message, with all its options.
 */
final class RowWriter {
    private final int maxDepth;
    private GrowingBytes out;

    /** What the values may still take: their sizes, and their number. */
    private long left;

    private long values;

    private boolean checksUtf8;

    RowWriter(long plainSize, long values, long maxDepth, boolean checksUtf8) {
        this.checksUtf8 = checksUtf8;
        this.maxDepth = (int) Math.min(maxDepth, Integer.MAX_VALUE);
        this.left = plainSize;
        this.values = values;
    }

    /** Returns the one value of a payload. */
    GrowingBytes value(ColumnNode root) {
        out = new GrowingBytes((int) Math.max(64, left + 9));
        next(root, 0);
        need(values == 0 && root.isUsedUp());
        return out;
    }

    /** Returns the values of one column, each where it is. */
    PackedColumn values(ColumnNode node, int around) {
        // Each takes a byte at least.
        need(node.n <= left);
        node.rewind();
        int[] starts = new int[node.n];
        int[] ends = new int[node.n];
        PackedColumn column =
                node.kind == ColumnNode.DICT ? rows(node, around, starts, ends) : each(node, around, starts, ends);
        need(node.isUsedUp());
        return column;
    }

    private PackedColumn each(ColumnNode node, int around, int[] starts, int[] ends) {
        out = new GrowingBytes(64 + node.size);
        for (int i = 0; i < ends.length; i++) {
            starts[i] = out.pos;
            next(node, around);
            ends[i] = out.pos;
        }
        return new PackedColumn(out.buf, out.pos, starts, ends);
    }

    /** Finds the rows of a dictionary in its entries. */
    private PackedColumn rows(ColumnNode node, int around, int[] starts, int[] ends) {
        for (int i = 0; i < ends.length; i++) {
            int index = entry(node, i, around);
            starts[i] = index == 0 ? 0 : node.entries.ends[index - 1];
            ends[i] = node.entries.ends[index];
        }
        if (node.n == 0) return new PackedColumn(new byte[0], 0, starts, ends);
        node.row = node.n;
        return new PackedColumn(node.entries.bytes, node.entries.bytes.length, starts, ends);
    }

    /** Takes a value from the budget. */
    private void take(long bytes) {
        take(bytes, 1);
    }

    private void take(long bytes, long count) {
        left -= bytes;
        values -= count;
        need(left >= 0 && values >= 0);
    }

    /** Opens a container, and returns the depth in it. */
    private int open(int depth) {
        take(1);
        need(depth < maxDepth);
        return depth + 1;
    }

    /** Returns the integer of a row that is a length, tag or index below a bound. */
    private static int index(ColumnNode node, int row, int bound) {
        long index = node.children.get(0).integers()[row];
        need(index >= 0 && index < bound);
        return (int) index;
    }

    private void next(ColumnNode node, int depth) {
        int row = node.row++;
        need(row < node.n);
        switch (node.kind) {
            case ColumnNode.PLAIN:
                plain(node);
                return;
            case ColumnNode.INT:
                take(1);
                out.integer(node.integers()[row], (node.form & Integers.UNSIGNED) != 0);
                return;
            case ColumnNode.FLOAT:
                if (node.mode == 0) {
                    take(9);
                    out.float64Bits(Bytes.little64(node.bytes, node.at + 8 * row));
                } else {
                    take(5);
                    out.float32Bits(Bytes.little32(node.bytes, node.at + 4 * row));
                }
                return;
            case ColumnNode.SCALED:
                take(9);
                scaled(node, row);
                return;
            case ColumnNode.TIME:
                take(5);
                time(node.children.get(0).integers()[row], node.form);
                return;
            case ColumnNode.BYTES:
                if (node.mode == ColumnNode.TERMINATED) terminated(node);
                else body(node, row);
                return;
            case ColumnNode.DICT: {
                int index = entry(node, row, depth);
                Entries entries = node.entries;
                int from = index == 0 ? 0 : entries.ends[index - 1];
                out.few(entries.bytes, from, entries.ends[index] - from);
                return;
            }
            case ColumnNode.LIST: {
                int inner = open(depth);
                ColumnNode items = node.children.get(1);
                int length = index(node, row, items.n - items.row + 1);
                out.arrayHeader(length);
                for (int i = 0; i < length; i++) next(items, inner);
                return;
            }
            case ColumnNode.STRUCT:
                struct(node, row, open(depth));
                return;
            case ColumnNode.MAP: {
                int inner = open(depth);
                ColumnNode keys = node.children.get(1);
                int length = index(node, row, keys.n - keys.row + 1);
                out.mapHeader(length);
                for (int i = 0; i < length; i++) {
                    next(keys, inner);
                    next(node.children.get(2), inner);
                }
                return;
            }
            default:
                next(node.children.get(1 + index(node, row, node.children.size() - 1)), depth);
        }
    }

    private void struct(ColumnNode node, int row, int depth) {
        int[] shape = node.shapes == null ? null : node.shapes[index(node, row, node.shapes.length)];
        int length = shape == null ? node.keys.length : shape.length;
        out.mapHeader(length);
        for (int i = 0; i < length; i++) {
            int key = shape == null ? i : shape[i];
            byte[] packed = node.keys[key];
            take(1L + packed.length - Marker.strPayload(packed, 0));
            out.few(packed, 0, packed.length);
            next(node.column(key), depth);
        }
    }

    private void scaled(ColumnNode node, int row) {
        long mantissa = node.children.get(0).integers()[row];
        need(mantissa < Decimals.LIMIT && mantissa > -Decimals.LIMIT);
        out.float64Bits(Decimals.bits(mantissa, Decimals.POWERS[node.form]));
    }

    private void time(long value, int digits) {
        long unit = (long) Decimals.POWERS[digits];
        long nanos = Math.floorMod(value, unit) * (long) Decimals.POWERS[9 - digits];
        out.timestamp(Math.floorDiv(value, unit), (int) nanos);
    }

    /** A str that ends with a byte 00. */
    private void terminated(ColumnNode node) {
        int to = node.endOfText(node.next);
        str(node, to);
        node.next = to + 1;
    }

    private void body(ColumnNode node, int row) {
        int from = node.next;
        int length = index(node, row, node.at + node.size - from + 1);
        if (node.mode == ColumnNode.STR) {
            str(node, from + length);
        } else {
            take(node.headerSize() + (long) length);
            boolean isTime = node.mode == ColumnNode.EXT && node.form == Timestamps.TYPE;
            need(!isTime || Timestamps.isValid(node.bytes, from, length));
            if (node.mode == ColumnNode.BIN) out.binHeader(length);
            else out.extHeader(node.form, length);
            out.few(node.bytes, from, length);
        }
        node.next = from + length;
    }

    private void str(ColumnNode node, int to) {
        int from = node.next;
        take(1 + (long) to - from);
        // The reader finds what is ill-formed where it comes, unless it is allowed to replace it: here it is a fault.
        need(!checksUtf8 || Utf8.firstInvalid(node.bytes, from, to) < 0);
        out.strHeader(to - from);
        out.few(node.bytes, from, to - from);
    }

    private void plain(ColumnNode node) {
        int from = node.next;
        ValueCursor cursor = new ValueCursor(node, from);
        cursor.next();
        take(cursor.at - from, cursor.count);
        out.few(node.bytes, from, cursor.at - from);
        node.next = cursor.at;
    }

    /** Returns the entry of a row of a dictionary, and takes it from the budget. */
    private int entry(ColumnNode node, int row, int depth) {
        if (node.entries == null) node.entries = entries(node.children.get(1), depth);
        Entries entries = node.entries;
        int index = index(node, row, entries.ends.length);
        take(entries.costs[index], entries.values[index]);
        return index;
    }

    /** Writes the entries of a dictionary, of which no more are made than there are rows. */
    private Entries entries(ColumnNode column, int depth) {
        if (column.kind == ColumnNode.PLAIN) {
            ValueCursor unused = new ValueCursor(column);
            for (int i = 0; i < column.n; i++) unused.check(maxDepth - depth);
        }
        GrowingBytes outerOut = out;
        long outerLeft = left;
        long outerValues = values;
        boolean outerChecks = checksUtf8;
        checksUtf8 = true;
        out = new GrowingBytes(64);
        int[] ends = new int[column.n];
        long[] costs = new long[column.n];
        long[] counts = new long[column.n];
        for (int i = 0; i < column.n; i++) {
            left = Long.MAX_VALUE;
            values = Long.MAX_VALUE;
            next(column, depth);
            costs[i] = Long.MAX_VALUE - left;
            counts[i] = Long.MAX_VALUE - values;
            ends[i] = out.pos;
        }
        Entries entries = new Entries(out.toBytes(), ends, costs, counts);
        out = outerOut;
        left = outerLeft;
        values = outerValues;
        checksUtf8 = outerChecks;
        return entries;
    }
}
