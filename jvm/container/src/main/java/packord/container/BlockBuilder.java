package packord.container;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import packord.Options;
import packord.encode.Encoder;
import packord.wire.PackedBytes;

/** Collects the rows or messages of a block, and makes its chunks and data. */
final class BlockBuilder {
    private static final int KEPT = 1 << 24;

    /** From this size on, no other column is added to a chunk. */
    private static final int CHUNK = 8192;

    private final WriteOptions options;
    final String codecName;
    private final Codec codec;

    /** Writes bodies with columns, or null if they have none. */
    private final Encoder encoder;

    /** What was added. */
    private final PackedBytes plain = new PackedBytes();

    int count;
    Chunks chunks;

    /** The data of each chunk. */
    final List<ByteBuffer> data = new ArrayList<>();

    BlockBuilder(ContainerHeader header, WriteOptions options) {
        this.options = options;
        codecName = options.codec == null ? header.codec() : options.codec;
        String obstacle = Codec.obstacle(codecName);
        if (obstacle != null) throw new IllegalArgumentException(obstacle);
        codec = Codec.of(codecName, options.level);
        boolean hasColumns = options.columns && !options.messages;
        Options own =
                Options.builder().columns(true).maxDepth(Integer.MAX_VALUE).build();
        encoder = hasColumns ? new Encoder(own) : null;
    }

    /** Whether these are rows of the table, not messages. */
    boolean hasRows() {
        return !options.messages;
    }

    int kind() {
        return hasRows() ? 1 : 0;
    }

    private static int arrayHeader(long count) {
        return count < 16 ? 1 : count < 1 << 16 ? 3 : 5;
    }

    /** Returns the plain body of a block with one row of this size. */
    long sizeAlone(long size) {
        return hasRows() ? size + arrayHeader(1) : size;
    }

    /** Whether a row of this size belongs in the block. */
    boolean hasRoom(int size) {
        long all = (long) plain.pos + size + (hasRows() ? arrayHeader(count + 1L) : 0);
        return count == 0 || all <= options.blockSize;
    }

    boolean isFull() {
        return count >= options.blockRows;
    }

    void add(byte[] message, int size) {
        plain.raw(message, 0, size);
        count++;
    }

    /** Makes the chunks and the data. */
    void end() {
        chunks = new Chunks();
        if (!hasRows()) {
            chunk(plain.buf, 0, plain.pos);
            return;
        }
        PackedBytes array = new PackedBytes();
        array.arrayHeader(count);
        int header = array.pos;
        byte[] message = new byte[header + plain.pos];
        System.arraycopy(array.buf, 0, message, 0, header);
        System.arraycopy(plain.buf, 0, message, header, plain.pos);
        if (encoder == null) {
            chunk(message, 0, message.length);
            return;
        }
        encoder.plainMessage(message, message.length);
        byte[] body = encoder.buf;
        int from = 0;
        for (int key : BodyColumns.keyStarts(body, encoder.pos)) {
            if (key - from < CHUNK) continue;
            chunk(body, from, key);
            from = key;
        }
        chunk(body, from, encoder.pos);
    }

    private void chunk(byte[] body, int from, int to) {
        int size = to - from;
        if (size == 0) return;
        byte[] compressed = codec.compress(body, from, size);
        ByteBuffer stored = compressed == null ? ByteBuffer.wrap(body, from, size) : ByteBuffer.wrap(compressed);
        chunks.add(size, stored.remaining(), Mark.crc(stored));
        data.add(stored);
    }

    /** Begins the next block. */
    void clear() {
        plain.clear(KEPT);
        data.clear();
        count = 0;
        if (encoder != null) encoder.release();
    }

    void close() {
        codec.close();
    }
}
