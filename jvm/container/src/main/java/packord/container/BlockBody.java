package packord.container;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import packord.ErrorKind;
import packord.columns.ColumnNode;

/** The body of a block. Its chunks are read, compared with their checksums and unpacked when they are needed. */
final class BlockBody {
    private final Block block;
    private final Chunks chunks;
    private final BlockData data;
    private final Codec codec;

    /** The chunks that were unpacked; the others are null. */
    private final byte[][] unpacked;

    BlockBody(Block block, Codec codec) {
        this.block = block;
        chunks = block.chunks;
        data = block.data;
        this.codec = codec;
        unpacked = new byte[chunks.count][];
    }

    /** Returns all of the body. */
    byte[] all() {
        if (Arrays.stream(unpacked).anyMatch(Objects::nonNull)) {
            boolean[] wanted = new boolean[unpacked.length];
            Arrays.fill(wanted, true);
            load(wanted);
            return unpacked.length == 1 ? unpacked[0] : joined(0, size());
        }
        // At once, without an array for each chunk.
        BlockData part = data.part(0, chunks.dataSize());
        for (int i = 0; i < unpacked.length; i++) check(part, i);
        for (int i = 0; i < unpacked.length; i++) checkSize(i);
        byte[] body = new byte[size()];
        for (int i = 0; i < unpacked.length; i++) unpack(part, i, body, chunks.start(i));
        return body;
    }

    /** Returns the number of bytes of the body. */
    int size() {
        return chunks.bodySize();
    }

    /** Returns the beginning of the body, so many bytes at least if it has them. */
    byte[] beginning(long least) {
        int to = (int) Math.min(least, size());
        if (to == 0) return new byte[0];
        int last = chunks.at(to - 1);
        boolean[] wanted = new boolean[chunks.count];
        Arrays.fill(wanted, 0, last + 1, true);
        load(wanted);
        return last == 0 ? unpacked[0] : joined(0, chunks.start(last + 1));
    }

    /** Reads and unpacks the chunks that have sections of columns, neighbours with one access to the file. */
    void load(Collection<ColumnNode> columns) {
        boolean[] wanted = new boolean[chunks.count];
        for (ColumnNode column : columns) {
            int end = column.sectionsEnd();
            if (column.at == end) continue;
            for (int i = chunks.at(column.at); i < wanted.length && chunks.start(i) < end; i++) wanted[i] = true;
        }
        load(wanted);
        for (ColumnNode column : columns) place(column);
    }

    private void load(boolean[] wanted) {
        BlockData[] parts = new BlockData[wanted.length];
        for (int from = 0; from < wanted.length; from++) {
            int to = from;
            while (to < wanted.length && wanted[to] && unpacked[to] == null) to++;
            if (to == from) continue;
            Arrays.fill(parts, from, to, data.part(chunks.dataStart(from), chunks.dataStart(to)));
            for (; from < to; from++) check(parts[from], from);
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] == null) continue;
            checkSize(i);
            unpacked[i] = new byte[chunks.size(i)];
            unpack(parts[i], i, unpacked[i], 0);
        }
    }

    /** Puts into the sections of a column the bytes of their chunk, or of several put together. */
    private void place(ColumnNode column) {
        int from = column.at;
        int to = column.sectionsEnd();
        if (from == to) return;
        int chunk = chunks.at(from);
        if (to <= chunks.start(chunk + 1)) {
            column.place(unpacked[chunk], chunks.start(chunk));
            return;
        }
        column.place(joined(from, to), from);
    }

    /** Returns a part of the body that is in several chunks. */
    private byte[] joined(int from, int to) {
        byte[] joined = new byte[to - from];
        int chunk = chunks.at(from);
        for (int at = from; at < to; chunk++) {
            int end = Math.min(to, chunks.start(chunk + 1));
            System.arraycopy(unpacked[chunk], at - chunks.start(chunk), joined, at - from, end - at);
            at = end;
        }
        return joined;
    }

    private RuntimeException fault(String detail, Throwable cause) {
        return block.bodies.fault(block, ErrorKind.INVALID_CONTAINER, detail, cause);
    }

    private void check(BlockData part, int chunk) {
        int from = part.index(chunks.dataStart(chunk));
        if (Mark.crc(part.bytes, from, chunks.sizeInData(chunk)) != chunks.crc(chunk)) {
            block.isDamaged = true;
            throw fault("the crc of chunk " + chunk + " is wrong", null);
        }
    }

    /** Refuses a size that the data cannot stand for, before an array of it is made. */
    private void checkSize(int chunk) {
        if (!chunks.isStored(chunk) && chunks.size(chunk) > codec.most(chunks.sizeInData(chunk))) {
            throw fault("chunk " + chunk + " does not unpack to its size", null);
        }
    }

    private void unpack(BlockData part, int chunk, byte[] body, int at) {
        int from = part.index(chunks.dataStart(chunk));
        int size = chunks.size(chunk);
        if (chunks.isStored(chunk)) {
            System.arraycopy(part.bytes, from, body, at, size);
            return;
        }
        try {
            codec.unpack(part.bytes, from, chunks.sizeInData(chunk), body, at, size);
        } catch (Codec.CodecException exception) {
            throw fault("chunk " + chunk + ": " + exception.getMessage(), exception);
        }
    }
}
