package packord.container;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import packord.PackordException;

/**
 * A block of a container file, as it is in the file: {@code spec/container.md} section 2.
 * {@link ContainerReader#blocks()} returns them. Its header is right, its data are whole, and the checksums of its
 * chunks are right; with the option {@code select} they are compared when a chunk is read. The body is unpacked when it
 * is asked for, every time. Of a block of messages there are no rows, nor columns.
 */
public final class Block {
    final BodyReader bodies;
    private final long offset;
    private final long size;
    private final int kind;
    private final long count;
    private final String codec;
    final Chunks chunks;
    final BlockData data;

    /** The number of the block in the file from 0, or -1 if that is not known. */
    final long number;

    /** Whether a checksum is wrong, so that nothing that the block says can be relied on. */
    boolean isDamaged;

    Map<String, PathStatistics> statistics = Collections.emptyMap();

    Block(
            BodyReader bodies,
            long number,
            long offset,
            long size,
            int kind,
            long count,
            String codec,
            Chunks chunks,
            BlockData data) {
        this.bodies = bodies;
        this.number = number;
        this.offset = offset;
        this.size = size;
        this.kind = kind;
        this.count = count;
        this.codec = codec;
        this.chunks = chunks;
        this.data = data;
    }

    /** Returns where the mark of the block begins, in bytes from the start of the file. */
    public long offset() {
        return offset;
    }

    /** Returns the size of the mark and the block together, in bytes. */
    public long size() {
        return size;
    }

    /** Returns the kind of the block: 0 for messages, 1 for rows. */
    public int kind() {
        return kind;
    }

    /** Returns whether the block has rows of the table. Otherwise it has messages. */
    public boolean hasRows() {
        return kind == 1;
    }

    /** Returns the number of rows or messages, as the block says. Reading the body checks it. */
    public long count() {
        return count;
    }

    /** Returns the size of the body, as the block says, in bytes. Reading the body checks it. */
    public int bodySize() {
        return chunks.bodySize();
    }

    /** Returns the codec of the data: its name, that of the header if the block names none. */
    public String codec() {
        return codec;
    }

    /** Returns the data as they are in the file: the array of this block, which should not be changed. */
    public byte[] data() {
        return data.all();
    }

    /** Returns the statistics of the block that the index has. */
    public Map<String, PathStatistics> statistics() {
        return statistics;
    }

    /**
     * Unpacks the data.
     *
     * @throws PackordException of kind {@code invalid_container} when a chunk does not unpack to its size
     */
    public byte[] body() {
        return bodies.body(this).all();
    }

    /**
     * Reads keys of the rows by column. Where the body has columns, the chunks of other keys are not read, and their
     * faults not found. The body is unpacked each time.
     */
    public List<BlockColumn> columns(List<String> keys) {
        return columns(keys, null);
    }

    /**
     * Reads keys of the rows by column if a row matches a predicate: a column of all rows for each key, in their order;
     * null if no row matches. What the predicate needs is read first, and nothing else if no row matches.
     */
    public List<BlockColumn> columns(List<String> keys, Predicate where) {
        requireRows();
        return bodies.columns(this, keys, where);
    }

    /** Reads the rows in packed form: a column without a key, whose values are the rows themselves. */
    public BlockColumn rows() {
        requireRows();
        return bodies.plain(this, bodies.body(this)).rows();
    }

    private void requireRows() {
        if (!hasRows()) throw new IllegalStateException("a block of messages has no rows");
    }

    /** Returns the number of a block in its file as words before a detail; "" if it is -1. */
    static String numbered(long number) {
        return number < 0 ? "" : "block " + number + ": ";
    }

    /** Returns where the block-array begins, which is the offset of faults in it. */
    long arrayOffset() {
        return offset + Mark.SIZE;
    }
}
