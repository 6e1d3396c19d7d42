package packord.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import packord.ErrorKind;
import packord.wire.Marker;
import packord.wire.Type;

/** Reads what follows a mark, with the checks of {@code spec/container.md} section 2.1. */
final class BlockReader {
    private static final int ELEMENTS = 5;
    private static final int INDEX_ELEMENTS = 4;
    private static final int MOST_CHUNKS = 4096;
    private static final int LONGEST_CODEC = 64;

    private final FileInput in;
    private final ContainerHeader header;
    private final BodyReader bodies;
    private final int maxBlock;
    private final ValueScan scan;

    private long markAt;
    private long arrayAt;

    /** Whether what was read or checked last, and may be at fault, is an index. */
    boolean isIndex;

    /** The offset after what was read last. */
    long end;

    /** The number of the block in the file from 0, or -1. */
    private long number;

    BlockReader(FileInput in, ContainerHeader header, BodyReader bodies, int maxBlock) {
        this.in = in;
        this.header = header;
        this.bodies = bodies;
        this.maxBlock = maxBlock;
        scan = new ValueScan(in);
    }

    /** Returns how many bytes the last check has looked at. */
    long taken() {
        return Math.max(0, scan.pos - markAt);
    }

    /**
     * Returns the block after a mark; null for an index, which is passed. If lazy, chunks are read and compared with
     * their checksums later. Throws PackordException by the first check that fails.
     */
    Block read(long mark, long blockNumber, boolean isLazy) {
        number = blockNumber;
        return read(mark, isLazy ? Extent.LAZY : Extent.ALL);
    }

    /** Makes the checks of a search, which does not mind an unknown codec. */
    void check(long mark) {
        number = -1;
        read(mark, Extent.SEARCH);
    }

    /** How much of a block is read. */
    private enum Extent {
        /** Everything. */
        ALL,
        /** What comes before and after the data. */
        LAZY,
        /** Everything, and nothing is kept. */
        SEARCH
    }

    private Block read(long mark, Extent extent) {
        begin(mark, Long.MAX_VALUE);
        if (Marker.type(scan.marker()) != Type.ARRAY) throw wrong("a mark is not followed by an array");
        long size = scan.header();
        isIndex = size > 0 && Marker.type(scan.marker()) == Type.STR;
        if (isIndex) {
            number = -1;
            elements(size, INDEX_ELEMENTS, 1);
            end = scan.pos;
            return null;
        }
        return block(size, extent, -1);
    }

    /**
     * Returns the block that an index names, of this size and count; null if it is not there. Throws PackordException
     * by the first check that fails.
     */
    Block listed(long mark, long size, long count, long blockNumber, boolean isLazy) {
        number = blockNumber;
        begin(mark, mark + size);
        if (Marker.type(scan.marker()) != Type.ARRAY) return null;
        try {
            long elements = scan.header();
            if (elements > 0 && Marker.type(scan.marker()) == Type.STR) return null;
            return block(elements, isLazy ? Extent.LAZY : Extent.ALL, count);
        } catch (ValueScan.Beyond beyond) {
            return null;
        }
    }

    private void begin(long mark, long most) {
        markAt = mark;
        arrayAt = mark + Mark.SIZE;
        scan.end = most;
        isIndex = false;
        scan.pos = arrayAt;
    }

    private Block block(long size, Extent extent, long listed) {
        if (size < ELEMENTS) throw wrong("the block has " + size + " elements");
        long kind = uint();
        need(kind == 0 || kind == 1);
        long count = uint();
        need(count >= 0);
        String codec = codec();
        Chunks chunks = chunks();
        int marker = scan.marker();
        long dataSize = scan.header();
        need(Marker.type(marker) == Type.BIN);
        if (chunks.bodySize() > maxBlock || chunks.dataSize() > maxBlock || dataSize > maxBlock) {
            throw in.fault(ErrorKind.LENGTH_LIMIT, arrayAt, "max_block is " + maxBlock, null);
        }
        if (chunks.dataSize() != dataSize) throw wrong("the chunks are not the data");
        String obstacle = extent == Extent.SEARCH ? null : Codec.obstacle(codec);
        if (obstacle != null) throw wrong(obstacle);
        long dataAt = scan.pos;
        scan.pos += dataSize;
        scan.reach(scan.pos);
        boolean isLeft = extent == Extent.LAZY && in.isRandom();
        // A stream goes on: what is after the data can only be read once they are kept.
        byte[] data = isLeft || extent == Extent.SEARCH ? null : in.copy(dataAt, (int) dataSize);
        if (extent == Extent.SEARCH) in.fill(dataAt, (int) dataSize);
        byte[] bytes = data == null ? in.buf : data;
        int from = data == null ? in.index(dataAt) : 0;
        boolean isRight = extent == Extent.LAZY || areRight(chunks, bytes, from);
        elements(size - ELEMENTS, 0, 0);
        end = scan.pos;
        if (listed >= 0 && (listed != count || end != scan.end)) return null;
        if (!isRight) throw wrong("the crc of a chunk is wrong");
        if (extent == Extent.SEARCH) return null;
        BlockData found = isLeft ? BlockData.in(in, dataAt, (int) dataSize) : BlockData.of(data);
        return new Block(bodies, number, markAt, end - markAt, (int) kind, count, codec, chunks, found);
    }

    /**
     * Passes elements of the array. Those after the first known ones may not be marks: a damaged number of elements
     * would take in what follows.
     */
    private void elements(long size, int known, int depth) {
        for (long i = 0; i < size; i++) {
            if (i >= known && scan.pos + 1 < scan.end && Mark.begins(in, scan.pos))
                throw wrong("an element begins as a mark");
            scan.value(depth);
        }
    }

    private static boolean areRight(Chunks chunks, byte[] bytes, int from) {
        for (int i = 0; i < chunks.count; i++) {
            long crc = Mark.crc(bytes, from + chunks.dataStart(i), chunks.sizeInData(i));
            if (crc != chunks.crc(i)) return false;
        }
        return true;
    }

    private void need(boolean isRight) {
        if (!isRight) throw wrong("an element of the block has a wrong type or value");
    }

    private long uint() {
        long at = scan.pos;
        scan.header();
        return scan.uint(at);
    }

    private String codec() {
        int marker = scan.marker();
        long at = scan.pos;
        long length = scan.header();
        if (Marker.type(marker) == Type.NIL) return header.codec();
        need(Marker.type(marker) == Type.STR && length <= LONGEST_CODEC);
        scan.pos = at;
        scan.value();
        return new String(in.copy(scan.pos - length, (int) length), UTF_8);
    }

    private Chunks chunks() {
        int marker = scan.marker();
        long length = scan.header();
        need(Marker.type(marker) == Type.ARRAY && length % 3 == 0 && length <= 3 * MOST_CHUNKS);
        Chunks chunks = new Chunks();
        for (; length > 0; length -= 3) {
            long size = uint();
            need(size >= 0);
            long sizeInData = uint();
            need(sizeInData >= 0);
            long crc = uint();
            need(crc >= 0 && crc >>> 32 == 0);
            chunks.add(size, sizeInData, crc);
        }
        return chunks;
    }

    private RuntimeException wrong(String detail) {
        return in.fault(ErrorKind.INVALID_CONTAINER, arrayAt, Block.numbered(number) + detail, null);
    }
}
