package packord.container;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import packord.Options;
import packord.PackordException;
import packord.Token;
import packord.Unpacker;
import packord.decode.Decoder;
import packord.decode.StepReader;
import packord.wire.Bytes;
import packord.wire.PackedBytes;

/**
 * The index of a container file: where its blocks are, and what is in them ({@code spec/container.md} section 3).
 * {@link ContainerReader#index()} returns it. Immutable.
 */
public final class ContainerIndex {
    private static final Unpacker PARTS =
            Unpacker.of(Options.builder().trailing(Options.Trailing.ALLOW).build());

    private static final byte[] NAME = {'i', 'n', 'd', 'e', 'x'};

    /** The smallest mark and block together. */
    private static final int LEAST_BLOCK = 25;

    private static final long MOST_ROWS = 1L << 53;

    private final long offset;
    private final byte[] bytes;
    private final List<Entry> entries = new ArrayList<>();
    private Map<?, ?> totals;

    private ContainerIndex(long offset, byte[] bytes) {
        this.offset = offset;
        this.bytes = bytes;
    }

    // ---------------------------------------------------------------- reading

    /** Returns the index of a file with random access, or null if there is none that can be used. */
    static ContainerIndex read(FileInput in, ContainerHeader header, Mark mark, int maxBlock) {
        long end = in.size() - Mark.TRAILER_SIZE;
        if (end < header.size() + Mark.SIZE) return null;
        if (in.fill(end, Mark.TRAILER_SIZE) < Mark.TRAILER_SIZE) return null;
        long offset = Mark.offsetIn(in.buf, in.index(end));
        long start = offset + Mark.SIZE;
        if (offset < header.size() || offset > end - Mark.SIZE || end - start > maxBlock) return null;
        byte[] whole = in.copy(offset, (int) (in.size() - offset));
        int crcAt = whole.length - Mark.CRC_SIZE;
        if (Mark.crc(whole, 0, crcAt) != Bytes.u32(whole, crcAt) || !mark.isAt(in, offset)) return null;
        try {
            ValueScan scan = new ValueScan(in);
            scan.pos = start;
            scan.limit = end - start;
            scan.value();
            if (scan.pos != end) return null;
            ContainerIndex index =
                    new ContainerIndex(offset, Arrays.copyOfRange(whole, Mark.SIZE, (int) (end - offset)));
            return index.isRead(header.size()) ? index : null;
        } catch (RuntimeException malformed) {
            PackordException.of(malformed);
            return null;
        }
    }

    /** Reads the array. Returns false if it is not one of an index. */
    private boolean isRead(long headerSize) {
        StepReader steps = StepReader.of(new Decoder(Options.builder().build()), bytes, 0, bytes.length);
        steps.nextMessage();
        if (steps.next() != Token.ARRAY || steps.size() < 4) return false;
        if (steps.next() != Token.STR || !Arrays.equals(steps.payload(), NAME)) return false;
        if (natural(steps) != 1 || steps.next() != Token.ARRAY) return false;
        long free = headerSize;
        long sum = 0;
        for (long left = steps.size(); left > 0; left--) {
            Entry entry = entry(steps);
            boolean fits = entry != null
                    && entry.offset >= free
                    && entry.size >= LEAST_BLOCK
                    && entry.size <= offset - entry.offset;
            if (!fits) return false;
            free = entry.offset + entry.size;
            sum = Math.min(MOST_ROWS, sum + Math.min(entry.count, MOST_ROWS));
            entries.add(entry);
        }
        steps.next();
        if (steps.next() != Token.MAP) return false;
        totals = (Map<?, ?>) part(steps.markerOffset);
        return sum < MOST_ROWS && Long.valueOf(sum).equals(totals.get("count"));
    }

    /** Reads an entry. Returns null if it is none. */
    private Entry entry(StepReader steps) {
        if (steps.next() != Token.ARRAY) return null;
        long left = steps.size() - 4;
        if (left < 0) return null;
        long at = natural(steps);
        long size = natural(steps);
        long count = natural(steps);
        if (at < 0 || size < 0 || count < 0) return null;
        Token token = steps.next();
        int statistics = token == Token.MAP ? steps.markerOffset : -1;
        steps.skip();
        Entry entry = new Entry(at, size, count, statistics, steps.index());
        for (; left > 0; left--) {
            steps.next();
            steps.skip();
        }
        steps.next();
        return token == Token.MAP || token == Token.NIL ? entry : null;
    }

    /** Reads an integer from 0 up; returns -1 for another value, and for one of 2^63 and more. */
    private static long natural(StepReader steps) {
        return steps.next() == Token.INTEGER ? Math.max(-1, steps.number) : -1;
    }

    private Object part(int at) {
        return PARTS.unpack(bytes, at, bytes.length - at);
    }

    // ---------------------------------------------------------------- what it says

    /** What the index says of a block. */
    public final class Entry {
        private final long offset;
        private final long size;
        private final long count;
        private final int statistics;
        private final int end;

        /** The statistics begin at an index of {@code bytes}, or -1 if there are none, and end at another. */
        private Entry(long offset, long size, long count, int statistics, int end) {
            this.offset = offset;
            this.size = size;
            this.count = count;
            this.statistics = statistics;
            this.end = end;
        }

        /** Returns where the mark of the block begins, in bytes from the start of the file. */
        public long offset() {
            return offset;
        }

        /** Returns the size of the mark and the block together, in bytes. */
        public long size() {
            return size;
        }

        /** Returns the number of rows or messages in the block. */
        public long count() {
            return count;
        }

        /** Returns the statistics of the block. */
        public Map<String, PathStatistics> statistics() {
            if (statistics < 0) return Collections.emptyMap();
            Map<String, PathStatistics> found = new LinkedHashMap<>();
            ((Map<?, ?>) part(statistics)).forEach((path, values) -> {
                if (!(path instanceof String) || !(values instanceof List)) return;
                PathStatistics known = PathStatistics.of((List<?>) values);
                if (known != null) found.put((String) path, known);
            });
            return Collections.unmodifiableMap(found);
        }

        /** Writes the statistics as they are. */
        void packedStatistics(PackedBytes out) {
            if (statistics < 0) out.nil();
            else out.raw(bytes, statistics, end - statistics);
        }

        @Override
        public String toString() {
            return count() + " in " + size() + " bytes at " + offset();
        }
    }

    /** Returns the blocks of the file in their order, those of earlier indexes included. */
    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** Returns the number of rows and messages in the file. */
    public long count() {
        return (Long) totals.get("count");
    }

    /** Returns what types the values at each path of the table have; null if the index does not say. */
    public Map<String, PathType> schema() {
        Object schema = totals.get("schema");
        if (!(schema instanceof Map)) return null;
        Map<String, PathType> types = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) schema).entrySet()) {
            PathType type = PathType.of(entry.getValue());
            if (type == null || !(entry.getKey() instanceof String)) return null;
            types.put((String) entry.getKey(), type);
        }
        return Collections.unmodifiableMap(types);
    }

    /** Returns where the mark of the index begins, in bytes from the start of the file. */
    public long offset() {
        return offset;
    }

    /** Returns the index of the first block that begins at an offset or later. */
    int firstFrom(long from) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = low + high >>> 1;
            if (entries.get(middle).offset < from) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Returns the offset of the first mark of a block at an offset or later, or {@code end}. */
    long markFrom(long from, long end) {
        int first = firstFrom(from);
        return first < entries.size() ? entries.get(first).offset : end;
    }
}
