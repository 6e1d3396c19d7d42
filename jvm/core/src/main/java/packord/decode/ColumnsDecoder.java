package packord.decode;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.PackordException;
import packord.columns.ColumnNode;
import packord.columns.ColumnsPayload;
import packord.columns.Decimals;
import packord.columns.Integers;
import packord.columns.MalformedColumns;
import packord.record.Shape;
import packord.wire.Utf8;

/**
 * Reads a payload of columns column by column, which is faster than from its plain encoding. It gives up where
 * something is wrong, and where only an extension could make a value of a dictionary for each row: the decoder then
 * reads the plain encoding, which tells what is the matter.
 */
final class ColumnsDecoder {
    /** The result for a payload that has to be read otherwise. */
    static final Object NOT_READ = new Object();

    private static final Object[] NONE = {};

    private final RecordDecoder decoder;
    private final ColumnsPayload payload;
    private final byte[] bytes;
    private final int markerOffset;

    /** Makes a reader of one payload, for the decoder of the message. */
    ColumnsDecoder(RecordDecoder decoder, ColumnsPayload payload, int markerOffset) {
        this.decoder = decoder;
        this.payload = payload;
        this.markerOffset = markerOffset;
        bytes = payload.bytes;
    }

    /** Returns the value, or {@link #NOT_READ}; {@code depth} containers are open around it. */
    Object value(int depth) {
        try {
            payload.check();
            return column(payload.root(), depth, false)[0];
        } catch (RuntimeException fault) {
            requireError(fault);
            return NOT_READ;
        }
    }

    /** Returns the values of one node, or null if they have to be read otherwise. */
    Object[] values(ColumnNode node, int depth) {
        try {
            payload.check(node, depth);
            return column(node, depth, false);
        } catch (RuntimeException fault) {
            requireError(fault);
            return null;
        }
    }

    private static void requireError(RuntimeException fault) {
        if (fault != MalformedColumns.ONE) PackordException.of(fault);
    }

    /** Returns all values of a node; {@code keys} are those of maps. */
    private Object[] column(ColumnNode node, int depth, boolean keys) {
        switch (node.kind) {
            case ColumnNode.PLAIN:
                return plain(node, depth, keys);
            case ColumnNode.DICT:
                return dictionary(node, depth, keys);
            case ColumnNode.UNION:
                return union(node, depth, keys);
            default:
        }
        Object[] values = typed(node, depth);
        if (keys) {
            boolean isExt =
                    node.kind == ColumnNode.TIME || node.kind == ColumnNode.BYTES && node.mode == ColumnNode.EXT;
            for (int i = 0; i < values.length; i++) {
                values[i] = isExt
                        ? decoder.host.newExtKey(values[i], markerOffset)
                        : decoder.host.newKey(values[i], markerOffset);
            }
        }
        return values;
    }

    private Object[] typed(ColumnNode node, int depth) {
        switch (node.kind) {
            case ColumnNode.INT:
                return integers(node);
            case ColumnNode.FLOAT:
            case ColumnNode.SCALED:
                return floats(node);
            case ColumnNode.TIME:
                return times(node);
            case ColumnNode.BYTES:
                if (node.mode == ColumnNode.TERMINATED) return terminated(node);
                if (node.mode == ColumnNode.BIN) return bins(node);
                return node.mode == ColumnNode.STR ? strings(node) : exts(node, depth);
            case ColumnNode.LIST:
                return lists(node, depth + 1);
            case ColumnNode.STRUCT:
                return structs(node, depth + 1);
            default:
                return maps(node, depth + 1);
        }
    }

    // ---------------------------------------------------------------- scalars

    private Object[] plain(ColumnNode node, int depth, boolean keys) {
        Object[] values = new Object[node.n];
        decoder.seek(node.at, node.at + node.size);
        for (int i = 0; i < values.length; i++) {
            values[i] = keys ? decoder.key(depth, 0) : decoder.read(depth, 0);
        }
        return values;
    }

    private Object[] integers(ColumnNode node) {
        long[] integers = node.integers();
        Object[] values = new Object[integers.length];
        boolean unsigned = (node.form & Integers.UNSIGNED) != 0;
        for (int i = 0; i < values.length; i++) {
            long value = integers[i];
            values[i] = value < 0 && unsigned
                    ? decoder.host.bigInteger(
                            BigInteger.valueOf(value >>> 1).shiftLeft(1).or(BigInteger.valueOf(value & 1)))
                    : decoder.host.integer(value, 1);
        }
        return values;
    }

    private Object[] floats(ColumnNode node) {
        double[] floats = node.doubles();
        boolean isSingle = node.kind == ColumnNode.FLOAT && node.mode != 0;
        Object[] values = new Object[floats.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = isSingle ? decoder.host.float32((float) floats[i]) : decoder.host.float64(floats[i]);
        }
        return values;
    }

    private Object[] times(ColumnNode node) {
        long[] times = node.children.get(0).integers();
        long unit = (long) Decimals.POWERS[node.form];
        long rest = (long) Decimals.POWERS[9 - node.form];
        Object[] values = new Object[times.length];
        for (int i = 0; i < values.length; i++) {
            long nanos = Math.floorMod(times[i], unit) * rest;
            values[i] = decoder.datetime(Math.floorDiv(times[i], unit), (int) nanos);
        }
        return values;
    }

    private Object[] terminated(ColumnNode node) {
        Object[] values = new Object[node.n];
        int end = node.at + node.size;
        boolean isAscii = Utf8.asciiEnd(bytes, node.at, end) == end;
        int at = node.at;
        for (int i = 0; i < values.length; i++) {
            int from = at;
            while (at < end && bytes[at] != 0) at++;
            if (at == end) throw MalformedColumns.ONE;
            values[i] = string(from, at++, isAscii);
        }
        if (at != end) throw MalformedColumns.ONE;
        return values;
    }

    private Object[] strings(ColumnNode node) {
        long[] sizes = node.children.get(0).integers();
        Object[] values = new Object[sizes.length];
        int end = node.at + node.size;
        boolean isAscii = Utf8.asciiEnd(bytes, node.at, end) == end;
        int at = node.at;
        for (int i = 0; i < values.length; i++) values[i] = string(at, at += (int) sizes[i], isAscii);
        return values;
    }

    private String string(int from, int to, boolean isAscii) {
        if (from == to) return "";
        if (isAscii) return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        String string = decoder.strings.decode(bytes, from, to);
        if (string == null) throw MalformedColumns.ONE;
        return string;
    }

    private Object[] bins(ColumnNode node) {
        long[] sizes = node.children.get(0).integers();
        Object[] values = new Object[sizes.length];
        int at = node.at;
        for (int i = 0; i < values.length; i++) {
            values[i] = Arrays.copyOfRange(bytes, at, at += (int) sizes[i]);
        }
        return values;
    }

    private Object[] exts(ColumnNode node, int depth) {
        long[] sizes = node.children.get(0).integers();
        Object[] values = new Object[sizes.length];
        int at = node.at;
        for (int i = 0; i < values.length; i++) {
            int size = (int) sizes[i];
            decoder.seek(at, at += size);
            values[i] = decoder.extValue(node.form, size, markerOffset, depth);
        }
        return values;
    }

    // ---------------------------------------------------------------- columns of columns

    private Object[] dictionary(ColumnNode node, int depth, boolean keys) {
        Object[] entries = column(node.children.get(1), depth, keys);
        boolean[] isOwn = new boolean[entries.length];
        boolean allShared = true;
        for (int i = 0; i < entries.length; i++) {
            isOwn[i] = !decoder.host.isShared(entries[i]);
            allShared &= !isOwn[i];
        }
        long[] indexes = node.children.get(0).integers();
        Object[] values = new Object[indexes.length];
        if (allShared) {
            for (int i = 0; i < values.length; i++) values[i] = entries[(int) indexes[i]];
            return values;
        }
        for (int i = 0; i < values.length; i++) {
            Object entry = entries[(int) indexes[i]];
            values[i] = isOwn[(int) indexes[i]] ? SharedValues.another(entry) : entry;
            if (values[i] == null && entry != null) throw MalformedColumns.ONE;
        }
        return values;
    }

    private Object[] union(ColumnNode node, int depth, boolean keys) {
        Object[][] branches = new Object[node.children.size() - 1][];
        for (int i = 0; i < branches.length; i++) branches[i] = column(node.children.get(1 + i), depth, keys);
        int[] next = new int[branches.length];
        long[] tags = node.children.get(0).integers();
        Object[] values = new Object[tags.length];
        for (int i = 0; i < values.length; i++) {
            int tag = (int) tags[i];
            values[i] = branches[tag][next[tag]++];
        }
        return values;
    }

    private Object[] lists(ColumnNode node, int depth) {
        Object[] elements = column(node.children.get(1), depth, false);
        long[] sizes = node.children.get(0).integers();
        Object[] values = new Object[sizes.length];
        int at = 0;
        for (int i = 0; i < values.length; i++) {
            int from = at;
            at += (int) sizes[i];
            if (at == from) values[i] = decoder.host.newArray(NONE);
            else if (at - from == elements.length) values[i] = decoder.host.newArray(elements);
            else values[i] = decoder.host.newArray(Arrays.copyOfRange(elements, from, at));
        }
        return values;
    }

    private Object[] maps(ColumnNode node, int depth) {
        Object[] keys = column(node.children.get(1), depth, true);
        Object[] inner = column(node.children.get(2), depth, false);
        long[] sizes = node.children.get(0).integers();
        Object[] values = new Object[sizes.length];
        int at = 0;
        for (int i = 0; i < values.length; i++) {
            if (sizes[i] == 0) {
                values[i] = decoder.host.newMap(NONE);
                continue;
            }
            Object[] kv = new Object[2 * (int) sizes[i]];
            for (int j = 0; j < kv.length; j += 2, at++) {
                kv[j] = keys[at];
                kv[j + 1] = inner[at];
            }
            values[i] = decoder.host.newMap(kv);
        }
        return values;
    }

    private Object[] structs(ColumnNode node, int depth) {
        Object[] keys = new Object[node.keys.length];
        for (int i = 0; i < keys.length; i++) keys[i] = decoder.host.newKey(node.key(i), markerOffset);
        Object[][] columns = new Object[keys.length][];
        for (int i = 0; i < columns.length; i++) columns[i] = column(node.column(i), depth, false);
        return node.shapes == null ? alike(node.n, keys, columns) : shaped(node, keys, columns);
    }

    /** Returns rows that all have all keys. */
    private Object[] alike(int n, Object[] keys, Object[][] columns) {
        Shape shape = decoder.host.newShape(keys);
        Object[] values = new Object[n];
        for (int i = 0; i < n; i++) {
            Object[] kv = shape.entries();
            for (int j = 0; j < columns.length; j++) kv[2 * j + 1] = columns[j][i];
            values[i] = map(shape, kv);
        }
        return values;
    }

    private Object[] shaped(ColumnNode node, Object[] keys, Object[][] columns) {
        Shape[] shapes = new Shape[node.shapes.length];
        int[] next = new int[columns.length];
        long[] indexes = node.children.get(0).integers();
        Object[] values = new Object[indexes.length];
        for (int i = 0; i < values.length; i++) {
            int index = (int) indexes[i];
            int[] shape = node.shapes[index];
            if (shapes[index] == null) shapes[index] = shape(shape, keys);
            Object[] kv = shapes[index].entries();
            for (int j = 0; j < shape.length; j++) kv[2 * j + 1] = columns[shape[j]][next[shape[j]]++];
            values[i] = map(shapes[index], kv);
        }
        return values;
    }

    private Shape shape(int[] shape, Object[] keys) {
        Object[] own = new Object[shape.length];
        for (int i = 0; i < own.length; i++) own[i] = keys[shape[i]];
        return decoder.host.newShape(own);
    }

    private Object map(Shape shape, Object[] kv) {
        return kv.length == 0 || shape.repeatsKeys ? decoder.host.newMap(kv) : decoder.host.newRecord(shape, kv);
    }
}
