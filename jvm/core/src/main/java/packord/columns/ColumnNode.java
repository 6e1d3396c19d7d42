package packord.columns;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * A node of the directory: a column of {@link #n} values, its parameters, section and children, and how far its values
 * were read.
 */
public final class ColumnNode {
    /** The kinds. */
    public static final int PLAIN = 0,
            INT = 1,
            FLOAT = 2,
            SCALED = 3,
            TIME = 4,
            BYTES = 5,
            DICT = 6,
            LIST = 7,
            STRUCT = 8,
            MAP = 9,
            UNION = 10;

    /** The modes of BYTES. */
    public static final int STR = 0, BIN = 1, EXT = 2, TERMINATED = 4;

    /** The kind, its mode, and the number of values. */
    public final int kind;

    public final int mode;
    public final int n;

    /** The children, in the order of the directory. */
    public final List<ColumnNode> children = new ArrayList<>();

    /** The kind's own byte: the form of INT, k of SCALED, the unit of TIME, the type of ext BYTES. */
    public int form;

    /** Parameters of INT. */
    public long base;

    long first;

    /** The keys of STRUCT, each as the str that is written. */
    public byte[][] keys;

    /** The shapes of STRUCT, each as indexes of keys; null if all rows have all keys in order. */
    public int[][] shapes;

    /** The section: the array that has it, its index there, and its size. */
    byte[] bytes;

    public int at;
    public int size;

    /** Whether it is the lengths, tags or indexes of its parent, which are read with the parent's rows. */
    boolean isPart;

    /** The values that were read, and the index of the next one in the section of PLAIN or BYTES. */
    int row;

    int next;

    /** The integers of INT, once they are needed. */
    private long[] integers;

    /** The entries of DICT, once they are needed. */
    Entries entries;

    ColumnNode(int kind, int mode, int n) {
        this.kind = kind;
        this.mode = mode;
        this.n = n;
    }

    /** The entries of a DICT as they are written, and what a row of each takes from the budget. */
    static final class Entries {
        final byte[] bytes;
        final int[] ends;
        final long[] costs;
        final long[] values;

        Entries(byte[] bytes, int[] ends, long[] costs, long[] values) {
            this.bytes = bytes;
            this.ends = ends;
            this.costs = costs;
            this.values = values;
        }
    }

    /** Whether there are no columns in it but those of its own numbers. */
    boolean isLeaf() {
        return kind <= BYTES;
    }

    /**
     * Returns what a value of BYTES takes from the budget in addition to its payload; 0 if its end is in the section.
     */
    int headerSize() {
        return mode == STR ? 1 : mode == TERMINATED ? 0 : 2;
    }

    /** Returns where the sections of the column and of all below it end, which follow each other. */
    public int sectionsEnd() {
        return children.isEmpty()
                ? at + size
                : children.get(children.size() - 1).sectionsEnd();
    }

    /** Puts the sections of the column and of all below it into an array that has those from an index on. */
    public void place(byte[] sections, int from) {
        bytes = sections;
        at -= from;
        next = at;
        for (ColumnNode child : children) child.place(sections, from);
    }

    /** Returns the maps of a STRUCT with some of their keys alone, which share their columns with these. */
    public ColumnNode only(Predicate<String> wanted) {
        ColumnNode some = new ColumnNode(STRUCT, 0, n);
        int[] numbers = new int[keys.length];
        List<byte[]> kept = new ArrayList<>();
        if (shapes != null) some.children.add(children.get(0));
        for (int i = 0; i < keys.length; i++) {
            numbers[i] = wanted.test(key(i)) ? kept.size() : -1;
            if (numbers[i] < 0) continue;
            kept.add(keys[i]);
            some.children.add(column(i));
        }
        some.keys = kept.toArray(new byte[0][]);
        if (shapes == null) return some;
        some.shapes = new int[shapes.length][];
        for (int i = 0; i < shapes.length; i++) {
            some.shapes[i] = Arrays.stream(shapes[i])
                    .map(key -> numbers[key])
                    .filter(key -> key >= 0)
                    .toArray();
        }
        return some;
    }

    /** Returns the values of an INT. */
    public long[] integers() {
        if (integers == null) integers = Integers.of(this);
        return integers;
    }

    /** Returns the floats of a FLOAT, or those that are made exactly of the whole numbers of a SCALED. */
    public double[] doubles() {
        double[] doubles = new double[n];
        if (kind == SCALED) {
            long[] mantissas = children.get(0).integers();
            double power = Decimals.POWERS[form];
            for (int i = 0; i < n; i++) doubles[i] = mantissas[i] / power;
        } else if (mode == 0) {
            for (int i = 0; i < n; i++) doubles[i] = Double.longBitsToDouble(Bytes.little64(bytes, at + 8 * i));
        } else {
            for (int i = 0; i < n; i++) doubles[i] = Float.intBitsToFloat(Bytes.little32(bytes, at + 4 * i));
        }
        return doubles;
    }

    /** Returns the column of a key of STRUCT. */
    public ColumnNode column(int key) {
        return children.get(shapes == null ? key : key + 1);
    }

    /** Returns where a str of BYTES ends that begins at an index, which is where its byte 00 is. */
    int endOfText(int from) {
        int end = at + size;
        int to = from;
        while (to < end && bytes[to] != 0) to++;
        MalformedColumns.need(to < end);
        return to;
    }

    /** Returns a key of STRUCT. */
    public String key(int index) {
        byte[] packed = keys[index];
        int from = Marker.strPayload(packed, 0);
        return new String(packed, from, packed.length - from, StandardCharsets.UTF_8);
    }

    /**
     * Returns which rows of a STRUCT with shapes have a key. Their shapes are checked before. Throws MalformedColumns
     * when a row has no shape, or when the key's column has another number of values.
     */
    public boolean[] present(int key) {
        boolean[] has = new boolean[shapes.length];
        for (int i = 0; i < has.length; i++) for (int each : shapes[i]) has[i] |= each == key;
        boolean[] present = new boolean[n];
        int count = 0;
        long[] rows = children.get(0).integers();
        for (int i = 0; i < n; i++) {
            MalformedColumns.need(rows[i] >= 0 && rows[i] < has.length);
            present[i] = has[(int) rows[i]];
            if (present[i]) count++;
        }
        MalformedColumns.need(count == column(key).n);
        return present;
    }

    /**
     * Returns the lengths of the arrays of a LIST, or of the maps of a MAP. They are checked before. Throws
     * MalformedColumns when one is negative, or when the columns in it have another number of values.
     */
    public int[] lengths() {
        int[] lengths = new int[n];
        long[] found = children.get(0).integers();
        long left = children.get(1).n;
        for (int i = 0; i < n; i++) {
            MalformedColumns.need(found[i] >= 0 && found[i] <= left);
            left -= found[i];
            lengths[i] = (int) found[i];
        }
        MalformedColumns.need(left == 0);
        return lengths;
    }

    /** Returns the number of nodes with those below it. */
    public int nodes() {
        int count = 1;
        for (ColumnNode child : children) count += child.nodes();
        return count;
    }

    /**
     * Returns the rows that are nil, or null if none can be. Throws MalformedColumns when the section of PLAIN is not
     * well-formed.
     */
    public boolean[] nils() {
        if (kind == PLAIN) return plainNils();
        if (kind != DICT && kind != UNION) return null;
        boolean[][] from = new boolean[children.size()][];
        boolean any = false;
        for (int i = 1; i < from.length; i++) any |= (from[i] = children.get(i).nils()) != null;
        if (!any) return null;
        boolean[] nils = new boolean[n];
        int[] next = new int[from.length];
        long[] indexes = children.get(0).integers();
        for (int i = 0; i < n; i++) {
            int child = kind == DICT ? 1 : 1 + (int) indexes[i];
            int row = kind == DICT ? (int) indexes[i] : next[child]++;
            nils[i] = from[child] != null && from[child][row];
        }
        return nils;
    }

    /** Whether there are values in it that are copied as they are, so that their content has to be checked. */
    public boolean copiesValues() {
        if (kind == PLAIN || kind == BYTES && mode == EXT) return true;
        for (ColumnNode child : children) if (child.copiesValues()) return true;
        return false;
    }

    private boolean[] plainNils() {
        boolean[] nils = new boolean[n];
        ValueCursor cursor = new ValueCursor(this);
        for (int i = 0; i < n; i++) {
            int from = cursor.at;
            cursor.next();
            nils[i] = Marker.type(bytes[from] & 0xff) == Type.NIL;
        }
        return nils;
    }

    /** Makes the first values the next ones that are read, here and in all columns below. */
    void rewind() {
        row = 0;
        next = at;
        entries = null;
        for (ColumnNode child : children) child.rewind();
    }

    /** Whether all values were read, here and in all columns below, and all of the sections. */
    boolean isUsedUp() {
        boolean isCounted = isPart || row == n;
        boolean hasBodies = kind == PLAIN || kind == BYTES;
        boolean isUsedUp = isCounted && (!hasBodies || next == at + size);
        for (ColumnNode child : children) isUsedUp &= child.isUsedUp();
        return isUsedUp;
    }
}
