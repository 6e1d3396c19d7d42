package packord.container;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import packord.ErrorKind;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Unpacker;
import packord.columns.Tape;
import packord.wire.PackedBytes;

/**
 * Writes a container file: rows or messages in blocks, then an index ({@code spec/container.md}).
 *
 * <pre>{@code
 * try (ContainerWriter writer = ContainerWriter.create(Path.of("events.pkd"))) {
 *   for (Event event : events) writer.write(event);
 * }
 * }</pre>
 *
 * <p>Rows stay in memory until their block ends. A file that was not finished has all blocks that ended, and no index.
 * A file that another writer has is a {@link ContainerLockedException}. For one thread.
 */
public final class ContainerWriter implements Closeable, Flushable {
    private static final int LARGEST = ReadOptions.MAX_BLOCK;
    private static final int KEPT = 1 << 24;

    private final OutputFile out;
    private final ContainerHeader header;
    private final byte[] mark;
    private final Packer packer;
    private final BlockBuilder builder;
    private final IndexBuilder index;
    private final StatisticsBuilder statistics;
    private final SchemaBuilder schema = new SchemaBuilder();
    private final Tape row = new Tape();
    private final PackedBytes bytes = new PackedBytes();
    private boolean hasNews;
    private boolean isFinished;
    private boolean isClosed;

    private ContainerWriter(OutputFile out, ContainerHeader header, IndexBuilder index, WriteOptions options) {
        this.out = out;
        this.header = header;
        this.index = index;
        mark = new Mark(header.sync).bytes;
        builder = new BlockBuilder(header, options);
        statistics = new StatisticsBuilder(header.stats());
        Options wanted = options.packer.options();
        int around = options.messages ? 0 : 1;
        packer = options.packer.with(wanted.toBuilder()
                .records(false)
                .columns(false)
                .sequential(false)
                .structures(null)
                .maxDepth(Math.max(0, wanted.maxDepth - around))
                .build());
    }

    /** Makes a file, or empties one that is there. */
    public static ContainerWriter create(Path path) throws IOException {
        return create(path, WriteOptions.standard());
    }

    /** Makes a file, or empties one that is there. */
    public static ContainerWriter create(Path path, WriteOptions options) throws IOException {
        FileChannel channel = OutputFile.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        boolean isOpen = false;
        try {
            channel.truncate(0);
            ContainerWriter writer = begin(OutputFile.after(channel), options);
            isOpen = true;
            return writer;
        } finally {
            if (!isOpen) channel.close();
        }
    }

    /** Writes a file to a stream. The stream is closed with the writer. */
    public static ContainerWriter of(OutputStream out, WriteOptions options) throws IOException {
        return begin(new OutputFile(out, 0), options);
    }

    /**
     * Goes on with a file, after what it has. Its header stays, and so only those options have a meaning that are about
     * blocks.
     *
     * @throws PackordException when the file is damaged or cut
     */
    public static ContainerWriter append(Path path, WriteOptions options) throws IOException {
        FileChannel channel = OutputFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean isOpen = false;
        try {
            // Not closed, because that would close the channel and so give up the lock.
            ContainerReader reader = ContainerReader.of(
                    channel, ReadOptions.builder().unpacker(options.unpacker).build());
            IndexBuilder index = IndexBuilder.of(reader);
            ContainerWriter writer = new ContainerWriter(OutputFile.after(channel), reader.header(), index, options);
            writer.hasNews = reader.index() == null;
            if (!index.isKnown) writer.schema.lose();
            isOpen = true;
            return writer;
        } finally {
            if (!isOpen) channel.close();
        }
    }

    private static ContainerWriter begin(OutputFile out, WriteOptions options) throws IOException {
        PackedBytes bytes = new PackedBytes();
        ContainerHeader header = ContainerHeader.write(options, bytes);
        ContainerWriter writer = new ContainerWriter(out, header, new IndexBuilder(), options);
        out.write(bytes);
        writer.hasNews = true;
        return writer;
    }

    /** Returns the options of the file. */
    public ContainerHeader header() {
        return header;
    }

    /** Returns the number of rows and messages in the file, those included that are not in a block yet. */
    public long count() {
        return index.count + builder.count;
    }

    /**
     * Writes a row, or a message.
     *
     * @throws PackordException when it cannot be packed, or takes more than 64 MiB; the file is as before
     */
    public void write(Object value) throws IOException {
        ensureOpen();
        byte[] packed = packer.pack(value);
        add(packed, packed.length);
    }

    /**
     * Writes a row, or a message, that is packed already.
     *
     * @throws PackordException when it is no such message, or takes more than 64 MiB; the file is as before
     */
    public void writePacked(byte[] message) throws IOException {
        ensureOpen();
        Unpacker checker = Unpacker.of(packer.options());
        checker.unpack(message);
        add(message, message.length);
    }

    private void ensureOpen() throws IOException {
        if (isClosed || isFinished) throw new IOException("the writer is closed");
        if (out.isBroken) throw new IOException("an earlier part of the file could not be written");
    }

    private void add(byte[] message, int size) throws IOException {
        row.scan(message, 0, size);
        if (builder.sizeAlone(size) > LARGEST) {
            throw packer.error(ErrorKind.LENGTH_LIMIT, "a row takes at most 64 MiB");
        }
        if (!builder.hasRoom(size)) endBlock();
        builder.add(message, size);
        if (builder.hasRows()) {
            statistics.add(row, 0);
            schema.add(row, 0);
        }
        if (builder.isFull()) endBlock();
    }

    /** Writes a block of another file, whose data stay as they are. */
    public void copy(Block block) throws IOException {
        ensureOpen();
        endBlock();
        if (block.hasRows()) schema.lose();
        PackedBytes stats = new PackedBytes();
        IndexBuilder.statistics(block.statistics(), stats);
        List<ByteBuffer> data = List.of(ByteBuffer.wrap(block.data()));
        write(block.kind(), block.count(), block.codec(), block.chunks, data, stats);
    }

    private void endBlock() throws IOException {
        if (builder.count == 0) return;
        PackedBytes stats = new PackedBytes();
        if (builder.hasRows()) statistics.take(stats);
        else stats.nil();
        builder.end();
        write(builder.kind(), builder.count, builder.codecName, builder.chunks, builder.data, stats);
        builder.clear();
    }

    private void write(int kind, long count, String codec, Chunks chunks, List<ByteBuffer> data, PackedBytes stats)
            throws IOException {
        long at = out.size;
        bytes.clear(KEPT);
        bytes.raw(mark);
        bytes.arrayHeader(5);
        bytes.integer(kind);
        bytes.integer(count);
        if (codec.equals(header.codec())) bytes.nil();
        else bytes.str(codec);
        chunks.write(bytes);
        bytes.binHeader(chunks.dataSize());
        for (ByteBuffer part : data) bytes.raw(part.array(), part.position(), part.remaining());
        out.write(bytes);
        index.add(at, bytes.pos, count, stats);
        hasNews = true;
    }

    /** Ends the block, and flushes the stream. */
    @Override
    public void flush() throws IOException {
        ensureOpen();
        endBlock();
        out.flush();
    }

    /** Ends the file with an index. Nothing can be written after that. */
    public void finish() throws IOException {
        if (isFinished) return;
        ensureOpen();
        endBlock();
        if (hasNews) {
            bytes.clear(KEPT);
            bytes.raw(mark);
            boolean isWritten = index.write(bytes, index.schema(schema), LARGEST);
            if (isWritten) {
                Mark.trailer(bytes, out.size);
                out.write(bytes);
            }
        }
        out.flush();
        isFinished = true;
    }

    /** Ends the file with an index, unless something could not be written, and closes it. */
    @Override
    public void close() throws IOException {
        if (isClosed) return;
        try {
            if (!out.isBroken) finish();
        } finally {
            isClosed = true;
            builder.close();
            out.close();
        }
    }
}
