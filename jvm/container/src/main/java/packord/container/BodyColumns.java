package packord.container;

import static packord.columns.MalformedColumns.need;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnNode;
import packord.columns.ColumnsPayload;
import packord.columns.Integers;
import packord.columns.MalformedColumns;
import packord.columns.PackedColumn;
import packord.decode.ColumnReader;
import packord.decode.Decoder;
import packord.decode.PlainMessages;
import packord.wire.Marker;

/**
 * Reads keys of the rows of a body that is one array of maps stored by column, and nothing of other columns; of maps
 * that are stored as keys and values, all of both. A body of another form, or one that breaks a rule of columns, is not
 * read here: its rows are read in full, which tells what is the matter.
 */
final class BodyColumns {
    /** The most bytes of the header of an ext, and of the payload before the directory. */
    private static final int MOST_HEADERS = 43;

    /** The containers around the rows, and around their values. */
    private static final int AROUND_ROWS = 1, AROUND_VALUES = 2;

    private final Options options;
    private final ColumnReader reader;
    private final ColumnsPayload payload;
    private final ColumnNode rows;
    private final BlockBody body;

    /** The columns whose sections were read. */
    private final Set<ColumnNode> loaded = new HashSet<>();

    /** What all columns that are read at once may take together, as plain MessagePack. */
    private long left;

    private BodyColumns(Options options, ColumnReader reader, ColumnsPayload payload, BlockBody body) {
        this.options = options;
        this.reader = reader;
        this.payload = payload;
        this.body = body;
        rows = payload.root().children.get(1);
    }

    /**
     * Opens a body; null if it is of another form, or its directory is at fault. Throws PackordException when a chunk
     * is at fault; or when the number of rows is, with the offset in the body.
     */
    static BodyColumns of(Options options, BlockBody body) {
        byte[] beginning = body.beginning(MOST_HEADERS);
        if (beginning.length == 0 || !Marker.isExt(beginning[0] & 0xff)) return null;
        ColumnReader reader;
        ColumnsPayload payload;
        try {
            long end = new ColumnReader(new Decoder(options), beginning, 0, body.size())
                    .header()
                    .directoryEnd();
            reader = new ColumnReader(new Decoder(options), body.beginning(end), 0, body.size());
            payload = reader.payload();
        } catch (RuntimeException error) {
            if (PackordException.of(error).kind() == ErrorKind.INVALID_CONTAINER) throw error;
            return null;
        }
        ColumnNode root = payload.root();
        if (root.kind != ColumnNode.LIST || root.children.get(1).n > options.maxArrayLen) return null;
        BodyColumns columns = new BodyColumns(options, reader, payload, body);
        if (!columns.areByKey() && columns.rows.kind != ColumnNode.MAP) return null;
        try {
            columns.checkSizes(root.children.get(0));
            return columns;
        } catch (MalformedColumns malformed) {
            if (!columns.areByKey()) return null;
            throw reader.error(ErrorKind.INVALID_EXT, null);
        }
    }

    /** Reads and checks what belongs to no key: the number of rows, and their shapes or sizes. */
    private void checkSizes(ColumnNode size) {
        List<ColumnNode> around = new ArrayList<>();
        around.add(size);
        if (!areByKey()) around.addAll(rows.children);
        else if (rows.shapes != null) around.add(rows.children.get(0));
        load(around);
        payload.check(size, AROUND_ROWS);
        need(size.integers()[0] == rows.n);
    }

    /** Returns where the sections of each key begin in a body of rows that are stored so, else nothing. */
    static int[] keyStarts(byte[] body, int size) {
        int marker = body[0] & 0xff;
        if (!Marker.isExt(marker)) return new int[0];
        int header = 1 + Marker.bytesAfter(marker);
        // The rows of a block are an array, which is always a LIST.
        ColumnNode rows =
                new ColumnsPayload(body, header, size - header).root().children.get(1);
        if (rows.kind != ColumnNode.STRUCT) return new int[0];
        return IntStream.range(0, rows.keys.length)
                .map(key -> rows.column(key).at)
                .toArray();
    }

    private void load(List<ColumnNode> columns) {
        List<ColumnNode> more = new ArrayList<>();
        for (ColumnNode column : columns) if (loaded.add(column)) more.add(column);
        body.load(more);
    }

    /** Returns the number of rows. */
    int size() {
        return rows.n;
    }

    /** Whether the rows have a column for each key, so that some can be read without the others. */
    boolean areByKey() {
        return rows.kind == ColumnNode.STRUCT;
    }

    /** Reads a column for each key; null if one breaks a rule. */
    List<BlockColumn> read(List<String> keys) {
        left = payload.plainSize;
        try {
            if (rows.kind == ColumnNode.MAP) return ofMaps(keys);
            ColumnNode[] wanted = new ColumnNode[keys.size()];
            int[][] with = new int[wanted.length][];
            boolean[][] has = rows.shapes == null ? null : shapes();
            Map<String, Integer> numbers = new HashMap<>();
            for (String key : keys) numbers.put(key, numbers.size());
            for (int i = 0; i < rows.keys.length; i++) {
                int number = numbers.getOrDefault(rows.key(i), -1);
                if (number < 0) continue;
                wanted[number] = rows.column(i);
                if (has != null) with[number] = rowsWith(i, wanted[number].n, has);
            }
            load(Arrays.stream(wanted).filter(Objects::nonNull).collect(Collectors.toList()));
            List<BlockColumn> columns = new ArrayList<>(wanted.length);
            for (int i = 0; i < wanted.length; i++) {
                columns.add(wanted[i] == null ? BlockColumn.empty() : read(wanted[i], with[i]));
            }
            return columns;
        } catch (MalformedColumns malformed) {
            return null;
        }
    }

    /**
     * Returns the rows with some of their keys alone as plain MessagePack. Throws PackordException when a column breaks
     * a rule.
     */
    BlockColumn packed(Set<String> keys) {
        left = payload.plainSize;
        ColumnNode some = rows.only(keys::contains);
        load(some.children);
        try {
            return packed(some, null, AROUND_ROWS);
        } catch (MalformedColumns malformed) {
            throw reader.error(ErrorKind.INVALID_EXT, null);
        }
    }

    /** Reads keys of rows that are stored as keys and values. */
    private List<BlockColumn> ofMaps(List<String> keys) {
        ColumnNode names = rows.children.get(1);
        payload.check(rows.children.get(0), AROUND_VALUES);
        int[] lengths = rows.lengths();
        PackedColumn plainNames = plain(names, AROUND_VALUES);
        PackedColumn values = plain(rows.children.get(2), AROUND_VALUES);
        boolean isShared = names.kind == ColumnNode.DICT;
        return new KeyedValues(keys).columns(lengths, plainNames, values, isShared);
    }

    /** Returns which keys the rows of each shape have. */
    private boolean[][] shapes() {
        payload.check(rows.children.get(0), AROUND_VALUES);
        boolean[][] has = new boolean[rows.shapes.length][rows.keys.length];
        for (int shape = 0; shape < has.length; shape++) {
            for (int key : rows.shapes[shape]) has[shape][key] = true;
        }
        return has;
    }

    /** Returns which rows have a key, or null if all have it. */
    private int[] rowsWith(int key, int count, boolean[][] has) {
        if (count == rows.n) return null;
        long[] shapes = rows.children.get(0).integers();
        int[] with = new int[count];
        int found = 0;
        for (int row = 0; row < shapes.length; row++) {
            need(shapes[row] >= 0 && shapes[row] < has.length);
            if (!has[(int) shapes[row]][key]) continue;
            need(found < count);
            with[found++] = row;
        }
        need(found == count);
        return with;
    }

    private BlockColumn read(ColumnNode column, int[] with) {
        if (column.kind == ColumnNode.INT) {
            payload.check(column, AROUND_VALUES);
            long[] integers = column.integers();
            if ((column.form & Integers.UNSIGNED) == 0 || areSigned(integers)) {
                take(column.n);
                return BlockColumn.of(with, integers);
            }
        } else if (column.kind == ColumnNode.FLOAT || column.kind == ColumnNode.SCALED) {
            payload.check(column, AROUND_VALUES);
            take(5L * column.n);
            return BlockColumn.of(with, column.doubles());
        }
        return packed(column, with, AROUND_VALUES);
    }

    private void take(long size) {
        left -= size;
        need(left >= 0);
    }

    private static boolean areSigned(long[] integers) {
        for (long integer : integers) if (integer < 0) return false;
        return true;
    }

    private BlockColumn packed(ColumnNode column, int[] with, int around) {
        PackedColumn plain = plain(column, around);
        return BlockColumn.packed(with, plain.bytes, plain.starts, plain.ends);
    }

    private PackedColumn plain(ColumnNode column, int around) {
        PackedColumn plain = payload.expand(column, around, true);
        take(plain.plainSize());
        if (column.copiesValues()) check(plain.distinct());
        return plain;
    }

    private void check(ByteBuffer plain) {
        try {
            PlainMessages.check(options, plain);
        } catch (RuntimeException fault) {
            throw reader.error(
                    ErrorKind.INVALID_EXT, PackordException.of(fault).kind().description());
        }
    }
}
