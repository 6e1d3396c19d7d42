package packord.columns;

import java.util.Arrays;

/** Makes the nodes of a column, by {@code spec/columns.md} sections 6.3 to 6.5. Rows are places of a tape. */
final class ColumnBuilder {
    private static final int SMALLEST = 24;
    private static final int DEEPEST = 32;
    private static final int FEWEST_SCALARS = 4;
    private static final int FEWEST_MIXED = 8;
    private static final int DROPPED_AT = 16;

    private final NodeOutput out;
    private final IntegerColumns integers;
    private final FloatColumns floats;
    private final ByteColumns byteColumns;
    private final Dictionary dictionary = new Dictionary();
    private Tape tape;

    ColumnBuilder(NodeOutput out) {
        this.out = out;
        integers = new IntegerColumns(out);
        floats = new FloatColumns(out, integers);
        byteColumns = new ByteColumns(out, integers);
    }

    /** Writes the node of one value, the root. */
    void root(Tape values, int place) {
        tape = values;
        column(new int[] {place}, 1, 0);
        dictionary.clear();
        tape = null;
    }

    /** Writes a column; {@code around} counts the containers around its rows. */
    private void column(int[] rows, int n, int around) {
        long size = 0;
        for (int i = 0; i < n; i++) size += tape.size(rows[i]);
        if (n == 0 || size < SMALLEST || around >= DEEPEST) {
            plain(rows, n, size);
            return;
        }
        if (n > 1 && areEqual(rows, n)) {
            out.entry(ColumnNode.DICT, 0);
            out.uint(1);
            out.entry(ColumnNode.INT, 0);
            out.directory.put(Integers.NONE);
            plain(rows, 1, tape.size(rows[0]));
            return;
        }
        int first = tape.type(rows[0]);
        if (n < FEWEST_SCALARS && first < Tape.ARRAY) {
            plain(rows, n, size);
            return;
        }
        long before = out.size();
        int directorySize = out.directory.pos;
        int sectionsSize = out.sections.pos;
        boolean made = isMixed(rows, n, first)
                ? union(rows, n, around)
                : dictionary(rows, n, size, first, around) || typed(rows, n, first, around);
        if (made && out.size() - before < size + DROPPED_AT) return;
        out.back(directorySize, sectionsSize);
        plain(rows, n, size);
    }

    private void plain(int[] rows, int n, long size) {
        out.entry(ColumnNode.PLAIN, 0);
        out.uint(size);
        out.sections.ensure(size);
        for (int i = 0; i < n; i++) out.sections.few(tape.bytes, tape.at(rows[i]), tape.size(rows[i]));
    }

    private boolean areEqual(int[] rows, int n) {
        byte[] bytes = tape.bytes;
        int from = tape.at(rows[0]);
        int to = tape.end(rows[0]);
        for (int i = 1; i < n; i++) {
            if (!Arrays.equals(bytes, from, to, bytes, tape.at(rows[i]), tape.end(rows[i]))) return false;
        }
        return true;
    }

    private boolean isMixed(int[] rows, int n, int first) {
        for (int i = 1; i < n; i++) if (tape.type(rows[i]) != first) return true;
        return false;
    }

    private boolean union(int[] rows, int n, int around) {
        if (n < FEWEST_MIXED) return false;
        int[] counts = new int[Tape.EXT + 1];
        for (int i = 0; i < n; i++) counts[tape.type(rows[i])]++;
        int[] tagOf = new int[counts.length];
        int[][] branches = new int[counts.length][];
        int types = 0;
        for (int type = 0; type < counts.length; type++) {
            if (counts[type] == 0) continue;
            tagOf[type] = types;
            branches[types++] = new int[counts[type]];
        }
        out.entry(ColumnNode.UNION, 0);
        out.directory.put(types);
        for (int i = 0; i < types; i++) out.uint(branches[i].length);
        long[] tags = new long[n];
        int[] ends = new int[types];
        for (int i = 0; i < n; i++) {
            int tag = tagOf[tape.type(rows[i])];
            tags[i] = tag;
            branches[tag][ends[tag]++] = rows[i];
        }
        integers.simple(tags, n);
        for (int i = 0; i < types; i++) column(branches[i], branches[i].length, around);
        return true;
    }

    private boolean dictionary(int[] rows, int n, long size, int type, int around) {
        if (!dictionary.build(tape, rows, n, size, type)) return false;
        out.entry(ColumnNode.DICT, 0);
        out.uint(dictionary.entries.length);
        integers.write(dictionary.indexes, n, false);
        // The entries, which are all different, have no dictionary that needs the memory of this one.
        int[] entries = dictionary.entries;
        column(entries, entries.length, around);
        return true;
    }

    /** Writes rows of one type by this type; false if they are to be PLAIN. */
    private boolean typed(int[] rows, int n, int type, int around) {
        switch (type) {
            case Tape.INT:
                return ints(rows, n);
            case Tape.FLOAT32:
                out.entry(ColumnNode.FLOAT, 2);
                out.sections.ensure(4L * n);
                for (int i = 0; i < n; i++) out.sections.little(tape.float32(rows[i]), 4);
                return true;
            case Tape.FLOAT64: {
                long[] bits = new long[n];
                for (int i = 0; i < n; i++) bits[i] = tape.float64(rows[i]);
                floats.write(bits, n);
                return true;
            }
            case Tape.STR:
                return byteColumns.strings(tape, rows, n);
            case Tape.BIN:
                return byteColumns.bins(tape, rows, n);
            case Tape.EXT:
                return byteColumns.times(tape, rows, n) || byteColumns.exts(tape, rows, n);
            case Tape.ARRAY:
                list(rows, n, around);
                return true;
            case Tape.MAP:
                return struct(rows, n, around) || map(rows, n, around);
            default:
                return false;
        }
    }

    private boolean ints(int[] rows, int n) {
        long[] values = new long[n];
        boolean hasNegative = false;
        boolean hasLarge = false;
        for (int i = 0; i < n; i++) {
            long value = tape.integer(rows[i]);
            values[i] = value;
            if (value >= 0) continue;
            if (tape.isLarge(rows[i])) hasLarge = true;
            else hasNegative = true;
        }
        if (hasLarge && hasNegative) return false;
        integers.write(values, n, hasLarge);
        return true;
    }

    // ---------------------------------------------------------------- containers

    private void list(int[] rows, int n, int around) {
        long[] sizes = new long[n];
        int[] elements = new int[sizes(rows, n, sizes)];
        int count = 0;
        for (int i = 0; i < n; i++) {
            int end = tape.next(rows[i]);
            for (int v = rows[i] + 1; v < end; v = tape.next(v)) elements[count++] = v;
        }
        out.entry(ColumnNode.LIST, 0);
        out.uint(count);
        integers.simple(sizes, n);
        column(elements, count, around + 1);
    }

    private boolean map(int[] rows, int n, int around) {
        long[] sizes = new long[n];
        int entries = sizes(rows, n, sizes);
        if (n > 1 && entries < 2L * n) return false;
        int[] keys = new int[entries];
        int[] values = new int[entries];
        int count = 0;
        for (int i = 0; i < n; i++) {
            int end = tape.next(rows[i]);
            for (int v = rows[i] + 1; v < end; v = tape.next(values[count++])) {
                keys[count] = v;
                values[count] = tape.next(v);
            }
        }
        out.entry(ColumnNode.MAP, 0);
        out.uint(entries);
        integers.simple(sizes, n);
        column(keys, entries, around + 1);
        column(values, entries, around + 1);
        return true;
    }

    /** Finds the elements or entries of all rows, and returns their sum. */
    private int sizes(int[] rows, int n, long[] sizes) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sizes[i] = tape.count(rows[i]);
            sum += (int) sizes[i];
        }
        return sum;
    }

    private boolean struct(int[] rows, int n, int around) {
        ShapeTable shapes = ShapeTable.of(tape, rows, n);
        if (shapes == null) return false;
        out.entry(ColumnNode.STRUCT, 0);
        int keys = shapes.keys();
        out.uint(keys);
        for (int i = 0; i < keys; i++) {
            out.directory.few(tape.bytes, tape.at(shapes.keys[i]), tape.size(shapes.keys[i]));
        }
        out.uint(shapes.size());
        int[][] columns = shapes.columns(rows, n);
        if (shapes.size() > 1) {
            for (int i = 0; i < shapes.size(); i++) {
                int[] shape = shapes.shapes[i];
                out.uint(shape.length);
                for (int key : shape) out.uint(key);
            }
            for (int[] column : columns) out.uint(column.length);
            integers.write(shapes.indexes(n), n, false);
        }
        for (int i = 0; i < keys; i++) {
            column(columns[i], columns[i].length, around + 1);
            columns[i] = null;
        }
        return true;
    }
}
