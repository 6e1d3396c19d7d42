package packord.container;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import packord.PackordException;
import packord.TypeRef;

/**
 * Reads a container file: many rows or messages in blocks ({@code spec/container.md}).
 *
 * <pre>{@code
 * try (ContainerReader reader = ContainerReader.open(Path.of("events.pkd"))) {
 *   for (Object row : reader) System.out.println(row);
 * }
 * }</pre>
 *
 * <p>A file that is opened by its path, or as a channel, is read by its index if it has one, from the beginning with
 * each iterator. A stream is read once, from its first byte. In memory is one block, its body, and the values of the
 * body. A header that is faulty is a {@link PackordException}. A reader is for one thread; {@link #close} may be called
 * by another one.
 */
public final class ContainerReader implements Iterable<Object>, Closeable {
    /** The most that a block has before its data: a list of 4,096 chunks, and a little more. */
    private static final int BEFORE_DATA = 1 << 17;

    private final FileInput in;
    private final ReadOptions options;
    private final ContainerHeader header;
    private final Mark mark;
    private final BodyReader bodies;
    private final BlockReader blocks;
    private final FollowTimer waiting;
    private final ContainerIndex index;
    private final List<DamagedRange> damaged = new ArrayList<>();
    private volatile boolean closed;
    private BlockCursor stream;

    private ContainerReader(FileInput in, ReadOptions options) {
        this.in = in;
        this.options = options;
        waiting = new FollowTimer(options.follow);
        if (options.follow != null) in.follow(waiting);
        header = new HeaderReader(in, options.unpacker, options.maxBlock).read();
        mark = new Mark(header.sync);
        bodies = new BodyReader(options.unpacker, options.maxBlock);
        if (options.select != null || options.where != null) in.readLittle();
        blocks = new BlockReader(in, header, bodies, options.maxBlock);
        boolean hasIndex = in.isSeekable() && options.useIndex && options.follow == null;
        index = hasIndex ? ContainerIndex.read(in, header, mark, options.maxBlock) : null;
    }

    /** Opens a file. */
    public static ContainerReader open(Path path) throws IOException {
        return open(path, ReadOptions.standard());
    }

    /** Opens a file. */
    public static ContainerReader open(Path path, ReadOptions options) throws IOException {
        return of(FileChannel.open(path, StandardOpenOption.READ), options);
    }

    /**
     * Reads from a channel, at any offset. Its first byte is the first of the file. The channel is closed with the
     * reader, and if its header is faulty.
     */
    public static ContainerReader of(SeekableByteChannel channel, ReadOptions options) throws IOException {
        return of(new FileInput(channel, options), options);
    }

    /**
     * Reads from a stream, onwards only and without an index. The stream is closed with the reader, and if its header
     * is faulty.
     */
    public static ContainerReader of(InputStream in, ReadOptions options) throws IOException {
        return of(new FileInput(in, options, options.maxBlock + BEFORE_DATA), options);
    }

    private static ContainerReader of(FileInput in, ReadOptions options) throws IOException {
        ContainerReader reader = null;
        try {
            reader = new ContainerReader(in, options);
            return reader;
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        } finally {
            if (reader == null) in.close();
        }
    }

    /** Returns the options of the file. */
    public ContainerHeader header() {
        return header;
    }

    /**
     * Returns the index of the file; null of a stream, of a file that is followed, and where there is none that can be
     * used.
     */
    public ContainerIndex index() {
        return index;
    }

    /** Returns the number of rows and messages in the file; empty without an index. */
    public OptionalLong count() {
        return index == null ? OptionalLong.empty() : OptionalLong.of(index.count());
    }

    /** Returns what types the values at each path of the table have; null if the index does not say, or is none. */
    public Map<String, PathType> schema() {
        return index == null ? null : index.schema();
    }

    /** Returns how many bytes of the file were read so far, those counted twice that were read twice. */
    public long bytesRead() {
        return in.taken;
    }

    /**
     * Returns what an iteration has passed over, with the option {@code skipDamaged}: the ranges in their order. Of
     * more than 10,000, the last one reaches to the end of all others. A new iteration of a file begins a new list.
     */
    public List<DamagedRange> damaged() {
        return Collections.unmodifiableList(damaged);
    }

    /**
     * Divides the file into ranges of about the same number of bytes, which can be read apart: ranges that together
     * hold each block once. With an index they begin at blocks, and there may be fewer.
     *
     * @throws IllegalStateException when the file is a stream
     */
    public List<Split> splits(int wanted) {
        if (!in.isSeekable()) throw new IllegalStateException("a stream has no splits");
        if (wanted < 1) throw new IllegalArgumentException("splits " + wanted);
        long size = in.size();
        List<Split> splits = new ArrayList<>();
        long from = 0;
        for (int i = 1; i <= wanted; i++) {
            // In two steps, because a file may be large.
            long to = size / wanted * i + size % wanted * i / wanted;
            if (index != null) to = i == wanted ? size : index.markFrom(to, size);
            boolean isEmpty = index == null ? to <= from : index.markFrom(from, size) >= to;
            if (!isEmpty) splits.add(new Split(from, to));
            from = Math.max(from, to);
        }
        return splits;
    }

    /**
     * Returns the blocks in their order, as they are in the file. With the option {@code follow}, an iterator that has
     * ended may go on later. It throws PackordException where the file is at fault. With the option {@code select}
     * their data are read when they are asked for.
     */
    public Iterator<Block> blocks() {
        return new BlockIterator<>(cursor(options.select != null), block -> block);
    }

    /**
     * Notes that a block of {@link #blocks} could not be read, where what is damaged is passed over; or throws the
     * error. The block is the one that the iterator has returned last.
     */
    public void refuse(Block block, PackordException error) {
        stream.refuse(block, error);
    }

    private BlockCursor cursor(boolean isLazy) {
        if (closed) throw new IllegalStateException("the reader is closed");
        if (stream != null && !in.isSeekable()) return stream;
        damaged.clear();
        stream = new BlockCursor(in, header, mark, blocks, index, options, damaged, isLazy);
        return stream;
    }

    /**
     * Returns the rows and messages, in the order of the file: what the unpacker of the options makes of them. The
     * iterator throws PackordException where the file is at fault, after all blocks before.
     */
    @Override
    public Iterator<Object> iterator() {
        return rows(false, null);
    }

    /**
     * Returns the rows and messages as values of a type, as {@link packord.Unpacker#unpack(byte[], Class)} reads them.
     * The iterator throws PackordException where the file is at fault, or a value does not fit the type.
     */
    public <T> Iterator<T> rows(Class<T> type) {
        return rows(TypeRef.of(type));
    }

    /** Returns the rows and messages as values of a type with arguments. */
    public <T> Iterator<T> rows(TypeRef<T> type) {
        return rows(false, type);
    }

    private <T> Iterator<T> rows(boolean isPacked, TypeRef<T> type) {
        boolean isLazy = options.select != null || options.where != null;
        return new RowIterator<>(cursor(isLazy), bodies, options, isPacked, type);
    }

    /** Returns the rows and messages in packed form: each as a message of its own, without columns. */
    public Iterator<byte[]> packed() {
        return rows(true, null);
    }

    /** Closes the file. An iteration that waits for more ends. */
    @Override
    public void close() throws IOException {
        closed = true;
        waiting.stop();
        in.close();
        bodies.close();
    }
}
