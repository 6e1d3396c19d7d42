package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.nio.ByteBuffer;
import java.util.List;

/** The payload of ext type 92, a value that is stored by column: {@code spec/columns.md}. */
public final class ColumnsPayload {
    /** The ext type. */
    public static final int TYPE = 92;

    private static final int VERSION = 1;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

    /** The size of the value as plain MessagePack, as the payload says. */
    public final long plainSize;

    /** The number of values in it, itself and all keys included. */
    public final long values;

    /** The containers that are open at once in it. */
    public final long depth;

    /** The array in which the payload is; nodes have indexes in it. */
    public final byte[] bytes;

    private final Directory directory;
    private final long directorySize;
    private ColumnNode root;

    /** Reads the header. The array need not have the sections. Throws MalformedColumns when it is not whole. */
    public ColumnsPayload(byte[] bytes, int at, int size) {
        need(size > 0);
        this.bytes = bytes;
        directory = new Directory(bytes, at + 1, at + size);
        plainSize = directory.uint();
        values = directory.uint();
        depth = directory.uint();
        directorySize = directory.uint();
    }

    /** Whether a payload is one that is read here; one of another version is an ext as others. */
    public static boolean isReadable(byte[] bytes, int at, int size) {
        return size == 0 || bytes[at] == VERSION;
    }

    /** Reads the directory. Throws MalformedColumns when it breaks a rule. */
    public ColumnNode root() {
        if (root == null) {
            need(values > 0 && values <= plainSize && plainSize <= MAX_ARRAY);
            root = directory.root(directorySize, plainSize);
        }
        return root;
    }

    /** Returns the index after the directory, which need not be there. */
    public long directoryEnd() {
        return directory.pos + directorySize;
    }

    /**
     * Counts what the columns stand for, so that they can be read column by column. Throws MalformedColumns when that
     * breaks a rule.
     */
    public void check() {
        ColumnBudget.check(root(), plainSize, values, depth);
    }

    /**
     * Counts what one column stands for, so that it can be read alone. {@code around} counts the containers around its
     * values. Throws MalformedColumns as for {@link #check()}.
     */
    public void check(ColumnNode column, int around) {
        ColumnBudget.checkColumn(column, around, plainSize, values, depth);
    }

    /** Returns all nodes, in the order of the directory. */
    public List<ColumnNode> nodes() {
        root();
        return directory.nodes;
    }

    /**
     * Returns the values of one column as plain MessagePack, each where it is. With {@code checksUtf8}, a str that is
     * not UTF-8 is found here, and not by the caller. Throws MalformedColumns when the column breaks a rule.
     */
    public PackedColumn expand(ColumnNode column, int around, boolean checksUtf8) {
        return new RowWriter(plainSize, values, depth, checksUtf8).values(column, around);
    }

    /** Returns the value as plain MessagePack. Throws MalformedColumns when the payload breaks a rule. */
    public ByteBuffer expand(boolean checksUtf8) {
        GrowingBytes plain = new RowWriter(plainSize, values, depth, checksUtf8).value(root());
        return ByteBuffer.wrap(plain.buf, 0, plain.pos);
    }
}
