package packord.columns;

import java.util.Arrays;
import packord.wire.Bytes;

/** The keys and shapes of maps that are written as STRUCT, by {@code spec/columns.md} section 6.5. */
final class ShapeTable {
    private static final int MOST_KEYS = 2048;
    private static final int MOST_SHAPES = 2048;

    private final Tape tape;
    private final ByteRanges keyRanges = new ByteRanges();
    private final ByteRanges shapeRanges = new ByteRanges();

    /** The shapes, as numbers of keys of 4 bytes. */
    private final GrowingBytes shapeBytes = new GrowingBytes(64);

    /** Where each key occurs first. */
    int[] keys = new int[16];

    /** The keys of each shape. */
    int[][] shapes = new int[4][];

    /** For each key, the number of the row that had it last, plus 1. */
    private int[] lastRow = new int[16];

    private int[] shapeOf;

    private ShapeTable(Tape tape) {
        this.tape = tape;
    }

    /** Finds the shapes of maps. Returns null if they are not to be a STRUCT. */
    static ShapeTable of(Tape tape, int[] rows, int n) {
        ShapeTable table = new ShapeTable(tape);
        return table.find(rows, n) ? table : null;
    }

    private boolean find(int[] rows, int n) {
        shapeOf = new int[n];
        long cells = 0;
        long inShapes = 0;
        int last = -1;
        for (int i = 0; i < n; i++) {
            int row = rows[i];
            cells += tape.count(row);
            if (last < 0 || !hasShape(row, shapes[last])) {
                int before = shapeRanges.size();
                last = find(row, i);
                if (last < 0) return false;
                if (shapeRanges.size() > before) {
                    inShapes += shapes[last].length;
                    if (shapeRanges.size() > MOST_SHAPES) return false;
                }
            }
            shapeOf[i] = last;
        }
        return cells >= 8L * keys() && 3 * inShapes <= cells;
    }

    /** Whether a row has the keys of a shape, in its order. */
    private boolean hasShape(int row, int[] shape) {
        if (tape.count(row) != shape.length) return false;
        byte[] bytes = tape.bytes;
        int place = row + 1;
        for (int key : shape) {
            if (!Arrays.equals(
                    bytes, tape.at(place), tape.at(place + 1), bytes, tape.at(keys[key]), tape.end(keys[key]))) {
                return false;
            }
            place = tape.next(place + 1);
        }
        return true;
    }

    /** Returns the number of a row's shape, or -1 if it cannot be in a STRUCT. */
    private int find(int row, int index) {
        int start = shapeBytes.pos;
        int end = tape.next(row);
        for (int key = row + 1; key < end; key = tape.next(key + 1)) {
            if (tape.type(key) != Tape.STR) return -1;
            int known = keyRanges.size();
            int place = keyRanges.place(tape.bytes, tape.at(key), tape.end(key));
            if (place == known) add(key, place);
            if (place == MOST_KEYS || lastRow[place] == index + 1) return -1;
            lastRow[place] = index + 1;
            shapeBytes.ensure(4);
            shapeBytes.little(place, 4);
        }
        int known = shapeRanges.size();
        int place = shapeRanges.place(shapeBytes.buf, start, shapeBytes.pos);
        if (place == known) {
            int[] shape = new int[(shapeBytes.pos - start) / 4];
            for (int i = 0; i < shape.length; i++) shape[i] = Bytes.little32(shapeBytes.buf, start + 4 * i);
            if (place == shapes.length) shapes = Arrays.copyOf(shapes, 2 * place);
            shapes[place] = shape;
        } else {
            shapeBytes.pos = start;
        }
        return place;
    }

    private void add(int key, int place) {
        if (place == keys.length) {
            keys = Arrays.copyOf(keys, 2 * place);
            lastRow = Arrays.copyOf(lastRow, 2 * place);
        }
        keys[place] = key;
    }

    int keys() {
        return keyRanges.size();
    }

    /** Returns the number of shapes. */
    int size() {
        return shapeRanges.size();
    }

    /** Returns the shape of each row. */
    long[] indexes(int n) {
        long[] indexes = new long[n];
        for (int i = 0; i < n; i++) indexes[i] = shapeOf[i];
        return indexes;
    }

    /** Returns the values of each key, in the order of the rows. */
    int[][] columns(int[] rows, int n) {
        int[] rowsOf = new int[size()];
        for (int i = 0; i < n; i++) rowsOf[shapeOf[i]]++;
        int[] counts = new int[keys()];
        for (int i = 0; i < size(); i++) for (int key : shapes[i]) counts[key] += rowsOf[i];
        int[][] columns = new int[counts.length][];
        for (int i = 0; i < columns.length; i++) columns[i] = new int[counts[i]];
        Arrays.fill(counts, 0);
        for (int i = 0; i < n; i++) {
            int value = rows[i] + 2;
            for (int key : shapes[shapeOf[i]]) {
                columns[key][counts[key]++] = value;
                value = tape.next(value) + 1;
            }
        }
        return columns;
    }
}
