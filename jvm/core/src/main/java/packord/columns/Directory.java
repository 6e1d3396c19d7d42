package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import packord.wire.Marker;
import packord.wire.Type;
import packord.wire.Utf8;

/** Reads the header and the directory of a payload: {@code spec/columns.md} sections 1 and 2. */
final class Directory {
    private static final int MAX_NESTED = 128;

    private final byte[] bytes;
    int pos;
    private int end;
    private final int payloadEnd;
    private long counts;

    /** What is left for the rows of dictionaries, each of which takes a byte at least. */
    private long dictionaryRows;

    /** All nodes, in order. */
    final List<ColumnNode> nodes = new ArrayList<>();

    /** Makes a reader of a payload that ends at an index, which may be beyond the array. */
    Directory(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        pos = from;
        end = Math.min(to, bytes.length);
        payloadEnd = to;
    }

    /** Reads an integer from 0 up. One above 2^63 is as large as a long can be, which is too large. */
    long uint() {
        int at = pos;
        long value = integer();
        if (Marker.isLarge(bytes, at)) return Long.MAX_VALUE;
        need(value >= 0);
        return value;
    }

    /** Reads the nodes, and finds their sections, which follow in the order of the nodes. */
    ColumnNode root(long size, long plainSize) {
        need(size <= end - pos);
        end = pos + (int) size;
        counts = 8 * plainSize + 64;
        dictionaryRows = plainSize;
        ColumnNode root = node(1, 1);
        need(pos == end);
        for (ColumnNode node : nodes) {
            node.bytes = bytes;
            node.at = end;
            node.next = end;
            need(node.size <= payloadEnd - end);
            end += node.size;
        }
        int filled = Math.min(payloadEnd, bytes.length);
        for (int i = end; i < filled; i++) need(bytes[i] == 0);
        return root;
    }

    private int u8() {
        need(pos < end);
        return bytes[pos++] & 0xff;
    }

    private void pass(int count) {
        need(count <= end - pos);
        pos += count;
    }

    /** Reads an integer in any format; one above 2^63 as the long of the same bits. */
    private long integer() {
        int at = pos;
        int marker = u8();
        need(Marker.type(marker) == Type.INT);
        pass(Marker.bytesAfter(marker));
        return Marker.integer(bytes, at);
    }

    /** Reads an integer within the range of 64 bits, with or without a sign. */
    private long inRange(boolean unsigned) {
        need(pos < end);
        int at = pos;
        long value = integer();
        need(value >= 0 || Marker.isLarge(bytes, at) == unsigned);
        return value;
    }

    /** Reads a number of values that must fit an array. */
    private int count() {
        long value = uint();
        need(value <= Integer.MAX_VALUE - 16);
        return (int) value;
    }

    /** Reads a str and returns it with its shortest header. */
    private byte[] str() {
        int start = pos;
        int marker = u8();
        need(Marker.type(marker) == Type.STR);
        pass(Marker.bytesAfter(marker));
        long announced = Marker.announced(bytes, start);
        need(announced <= end - pos);
        int size = (int) announced;
        int from = pos;
        pass(size);
        need(Utf8.firstInvalid(bytes, from, pos) < 0);
        GrowingBytes out = new GrowingBytes(size + 5);
        out.strHeader(size);
        out.raw(bytes, from, size);
        return out.toBytes();
    }

    private ColumnNode node(int n, int nested) {
        counts -= n;
        need(nested <= MAX_NESTED && counts >= 0);
        int entry = u8();
        ColumnNode node = new ColumnNode(entry & 0xf, entry >> 4, n);
        nodes.add(node);
        int kind = node.kind;
        int mode = node.mode;
        need(mode == 0
                || kind == ColumnNode.FLOAT && mode == 2
                || kind == ColumnNode.BYTES && (mode <= 2 || mode == ColumnNode.TERMINATED));
        switch (kind) {
            case ColumnNode.PLAIN:
                node.size = count();
                need(n <= node.size && (n > 0 || node.size == 0));
                break;
            case ColumnNode.INT:
                integers(node);
                break;
            case ColumnNode.FLOAT:
                section(node, (long) n * (mode == 0 ? 8 : 4));
                break;
            case ColumnNode.SCALED:
                node.form = u8();
                need(node.form < Decimals.POWERS.length);
                lengths(node, nested);
                break;
            case ColumnNode.TIME:
                node.form = u8();
                need(node.form <= 9 && node.form % 3 == 0);
                lengths(node, nested);
                break;
            case ColumnNode.BYTES:
                if (mode == ColumnNode.EXT) node.form = (byte) u8();
                node.size = count();
                if (mode != ColumnNode.TERMINATED) lengths(node, nested);
                else need(n <= node.size);
                break;
            case ColumnNode.DICT: {
                int entries = count();
                dictionaryRows -= n;
                need(entries <= n && dictionaryRows >= 0);
                lengths(node, nested);
                child(node, entries, nested);
                need(node.children.get(1).isLeaf());
                break;
            }
            case ColumnNode.LIST:
            case ColumnNode.MAP: {
                int items = count();
                lengths(node, nested);
                child(node, items, nested);
                if (kind == ColumnNode.MAP) child(node, items, nested);
                break;
            }
            case ColumnNode.STRUCT:
                struct(node, nested);
                break;
            case ColumnNode.UNION: {
                int branches = u8();
                need(branches >= 2 && branches <= 16);
                int[] rows = list(branches);
                need(Arrays.stream(rows).asLongStream().sum() == n);
                lengths(node, nested);
                for (int count : rows) child(node, count, nested);
                break;
            }
            default:
                throw MalformedColumns.ONE;
        }
        return node;
    }

    private void child(ColumnNode node, int n, int nested) {
        node.children.add(node(n, nested + 1));
    }

    /** Reads a child that must be INT, of lengths, tags, indexes, mantissas or times. */
    private void lengths(ColumnNode node, int nested) {
        need(pos < end && bytes[pos] == ColumnNode.INT);
        ColumnNode child = node(node.n, nested + 1);
        need((child.form & Integers.UNSIGNED) == 0);
        child.isPart = true;
        node.children.add(child);
    }

    private static void section(ColumnNode node, long size) {
        need(size <= Integer.MAX_VALUE);
        node.size = (int) size;
    }

    private void integers(ColumnNode node) {
        node.form = u8();
        int element = node.form & Integers.ELEMENT;
        boolean delta = (node.form & Integers.DELTA) != 0;
        boolean unsigned = (node.form & Integers.UNSIGNED) != 0;
        int width = Integers.width(element);
        need(width > 0 && (node.form & Integers.UNUSED) == 0);
        need(!delta || node.n > 0 && element != Integers.BIT);
        if ((node.form & Integers.HAS_BASE) != 0) node.base = inRange(unsigned && !delta);
        if (delta) node.first = inRange(unsigned);
        long elements = delta ? node.n - 1L : node.n;
        section(node, element == Integers.NONE ? 0 : element == Integers.BIT ? (elements + 7) / 8 : elements * width);
    }

    /** Reads integers from 0 up, each of which takes a byte at least. */
    private int[] list(int count) {
        need(count <= end - pos);
        int[] list = new int[count];
        for (int i = 0; i < count; i++) list[i] = count();
        return list;
    }

    private void struct(ColumnNode node, int nested) {
        int count = count();
        need(count <= end - pos);
        node.keys = new byte[count][];
        Set<ByteBuffer> seen = new HashSet<>();
        for (int i = 0; i < count; i++) {
            node.keys[i] = str();
            need(seen.add(ByteBuffer.wrap(node.keys[i])));
        }
        int shapes = count();
        need(shapes >= 1);
        if (shapes == 1) {
            for (int i = 0; i < count; i++) child(node, node.n, nested);
            return;
        }
        need(shapes <= end - pos);
        node.shapes = new int[shapes][];
        for (int i = 0; i < shapes; i++) {
            int[] shape = list(count());
            Set<Integer> keys = new HashSet<>();
            for (int key : shape) need(key < count && keys.add(key));
            node.shapes[i] = shape;
        }
        int[] rows = list(count);
        for (int row : rows) need(row <= node.n);
        lengths(node, nested);
        for (int row : rows) child(node, row, nested);
    }
}
