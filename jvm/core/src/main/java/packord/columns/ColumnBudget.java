package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.util.Arrays;
import packord.wire.Marker;

/**
 * Counts what the columns of a payload stand for, column by column: the budget of {@code spec/columns.md} section 4,
 * before a value is made. What this accepts can be read column by column without another check of lengths, indexes and
 * tags.
 */
final class ColumnBudget {
    private final long maxDepth;
    private long left;
    private long values;

    private ColumnBudget(long plainSize, long values, long maxDepth) {
        this.maxDepth = maxDepth;
        this.left = plainSize;
        this.values = values;
    }

    /**
     * Checks everything but the payloads of str and ext, and the content of PLAIN. Throws MalformedColumns when a rule
     * is broken.
     */
    static void check(ColumnNode root, long plainSize, long values, long maxDepth) {
        ColumnBudget costs = new ColumnBudget(plainSize, values, maxDepth);
        costs.all(root, 0);
        need(costs.values == 0);
    }

    /** Makes the same checks for one column, without those around it. */
    static void checkColumn(ColumnNode node, int around, long plainSize, long values, long maxDepth) {
        new ColumnBudget(plainSize, values, maxDepth).all(node, around);
    }

    private void take(long bytes, long count) {
        left -= bytes;
        values -= count;
        need(left >= 0 && values >= 0);
    }

    private int open(ColumnNode node, int depth) {
        need(node.n == 0 || depth < maxDepth);
        take(node.n, node.n);
        return depth + 1;
    }

    /** Returns the integers of the first child, each from 0 up and below a bound. */
    private static long[] indexes(ColumnNode node, long bound) {
        long[] indexes = node.children.get(0).integers();
        for (long index : indexes) need(index >= 0 && index < bound);
        return indexes;
    }

    /** Returns the sizes of rows, whose sum is that of what is divided. */
    private static long[] sizes(ColumnNode node, long sum) {
        long[] sizes = indexes(node, sum + 1);
        long left = sum;
        for (long size : sizes) left -= size;
        need(left == 0);
        return sizes;
    }

    /** Takes what all rows of a column take. */
    private void all(ColumnNode node, int depth) {
        long n = node.n;
        need(n <= left);
        switch (node.kind) {
            case ColumnNode.PLAIN: {
                ValueCursor cursor = new ValueCursor(node);
                for (int i = 0; i < n; i++) cursor.next();
                need(cursor.isAtEnd());
                take(node.size, cursor.count);
                return;
            }
            case ColumnNode.BYTES:
                if (node.mode != ColumnNode.TERMINATED) sizes(node, node.size);
                take(node.size + n * node.headerSize(), n);
                return;
            case ColumnNode.DICT:
                dictionary(node);
                return;
            case ColumnNode.LIST:
            case ColumnNode.MAP: {
                int inner = open(node, depth);
                sizes(node, node.children.get(1).n);
                for (int i = 1; i < node.children.size(); i++) all(node.children.get(i), inner);
                return;
            }
            case ColumnNode.STRUCT: {
                int inner = open(node, depth);
                if (node.shapes != null) checkShapes(node);
                for (int i = 0; i < node.keys.length; i++) {
                    ColumnNode column = node.column(i);
                    long keySize = 1L + node.keys[i].length - Marker.strPayload(node.keys[i], 0);
                    take(keySize * column.n, column.n);
                    all(column, inner);
                }
                return;
            }
            case ColumnNode.UNION: {
                checkTags(node);
                for (int i = 1; i < node.children.size(); i++) all(node.children.get(i), depth);
                return;
            }
            default:
                take(scalar(node) * n, n);
        }
    }

    /** Returns what a row takes of a column of numbers or timestamps. */
    private static long scalar(ColumnNode node) {
        switch (node.kind) {
            case ColumnNode.INT:
                return 1;
            case ColumnNode.TIME:
                return 5;
            case ColumnNode.FLOAT:
                return node.mode == 0 ? 9 : 5;
            default:
                for (long mantissa : node.children.get(0).integers()) {
                    need(mantissa < Decimals.LIMIT && mantissa > -Decimals.LIMIT);
                }
                return 9;
        }
    }

    private static void checkShapes(ColumnNode node) {
        int[] rows = new int[node.shapes.length];
        for (long shape : indexes(node, rows.length)) rows[(int) shape]++;
        long[] counts = new long[node.keys.length];
        for (int i = 0; i < rows.length; i++) for (int key : node.shapes[i]) counts[key] += rows[i];
        for (int i = 0; i < counts.length; i++) need(counts[i] == node.column(i).n);
    }

    private static void checkTags(ColumnNode node) {
        int[] counts = new int[node.children.size() - 1];
        for (long tag : indexes(node, counts.length)) counts[(int) tag]++;
        for (int i = 0; i < counts.length; i++) need(counts[i] == node.children.get(1 + i).n);
    }

    private void dictionary(ColumnNode node) {
        ColumnNode column = node.children.get(1);
        long[] bytes = new long[column.n];
        long[] counts = new long[column.n];
        Arrays.fill(counts, 1);
        entries(column, bytes, counts);
        long size = 0;
        long count = 0;
        for (long index : indexes(node, column.n)) {
            size += bytes[(int) index];
            count += counts[(int) index];
        }
        take(size, count);
    }

    /** Finds what a row of each entry takes. */
    private static void entries(ColumnNode column, long[] bytes, long[] counts) {
        if (column.kind == ColumnNode.PLAIN) {
            ValueCursor cursor = new ValueCursor(column);
            for (int i = 0; i < bytes.length; i++) {
                int from = cursor.at;
                cursor.count = 0;
                cursor.next();
                bytes[i] = (long) cursor.at - from;
                counts[i] = cursor.count;
            }
            need(cursor.isAtEnd());
        } else if (column.kind != ColumnNode.BYTES) {
            Arrays.fill(bytes, scalar(column));
        } else if (column.mode == ColumnNode.TERMINATED) {
            int at = column.at;
            for (int i = 0; i < bytes.length; i++) {
                int from = at;
                at = column.endOfText(at) + 1;
                bytes[i] = (long) at - from;
            }
            need(at == column.at + column.size);
        } else {
            long[] sizes = sizes(column, column.size);
            for (int i = 0; i < bytes.length; i++) bytes[i] = column.headerSize() + sizes[i];
        }
    }
}
