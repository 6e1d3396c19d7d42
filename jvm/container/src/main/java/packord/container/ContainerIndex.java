package packord.container;

import java.util.AbstractList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import packord.Options;
import packord.Unpacker;
import packord.wire.PackedBytes;

/**
 * The index of a container file: where its blocks are, and what is in them ({@code spec/container.md} section 3).
 * {@link ContainerReader#index()} returns it. Immutable.
 */
public final class ContainerIndex {
    private static final Unpacker PARTS =
            Unpacker.of(Options.builder().trailing(Options.Trailing.ALLOW).build());

    private final long offset;
    private final byte[] bytes;
    private final long[] offsets;
    private final long[] sizes;
    private final long[] counts;
    private final int[] statistics;
    private final Map<?, ?> totals;

    /** Of each block {@code statistics} has where they begin in {@code bytes}, or -1, and where they end. */
    ContainerIndex(
            long offset,
            byte[] bytes,
            long[] offsets,
            long[] sizes,
            long[] counts,
            int[] statistics,
            Map<?, ?> totals) {
        this.offset = offset;
        this.bytes = bytes;
        this.offsets = offsets;
        this.sizes = sizes;
        this.counts = counts;
        this.statistics = statistics;
        this.totals = totals;
    }

    /** What the index says of a block. */
    public final class Entry {
        private final int index;

        private Entry(int index) {
            this.index = index;
        }

        /** Returns where the mark of the block begins, in bytes from the start of the file. */
        public long offset() {
            return offsets[index];
        }

        /** Returns the size of the mark and the block together, in bytes. */
        public long size() {
            return sizes[index];
        }

        /** Returns the number of rows or messages in the block. */
        public long count() {
            return counts[index];
        }

        /** Returns the statistics of the block. */
        public Map<String, PathStatistics> statistics() {
            return ContainerIndex.this.statistics(index);
        }

        @Override
        public String toString() {
            return count() + " in " + size() + " bytes at " + offset();
        }
    }

    /** Returns the blocks of the file in their order, those of earlier indexes included. */
    public List<Entry> entries() {
        return new AbstractList<>() {
            @Override
            public Entry get(int index) {
                if (index < 0 || index >= offsets.length) throw new IndexOutOfBoundsException("entry " + index);
                return new Entry(index);
            }

            @Override
            public int size() {
                return offsets.length;
            }
        };
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

    /** Returns the offset of the mark of a block. */
    long offset(int index) {
        return offsets[index];
    }

    /** Returns the size of a block with its mark. */
    long size(int index) {
        return sizes[index];
    }

    /** Returns the count of a block. */
    long count(int index) {
        return counts[index];
    }

    /** Returns the number of blocks. */
    int blocks() {
        return offsets.length;
    }

    /** Returns the index of the first block that begins at an offset or later. */
    int firstFrom(long from) {
        int low = 0;
        int high = offsets.length;
        while (low < high) {
            int middle = low + high >>> 1;
            if (offsets[middle] < from) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Writes the statistics of a block as they are. */
    void packedStatistics(int index, PackedBytes out) {
        int at = statistics[2 * index];
        if (at < 0) out.nil();
        else out.raw(bytes, at, statistics[2 * index + 1] - at);
    }

    /** Returns the offset of the first mark of a block at an offset or later, or {@code end}. */
    long markFrom(long from, long end) {
        int first = firstFrom(from);
        return first < offsets.length ? offsets[first] : end;
    }

    /** Returns the statistics of a block. */
    Map<String, PathStatistics> statistics(int index) {
        int at = statistics[2 * index];
        if (at < 0) return Collections.emptyMap();
        Map<String, PathStatistics> found = new LinkedHashMap<>();
        Map<?, ?> all = (Map<?, ?>) PARTS.unpack(bytes, at, bytes.length - at);
        for (Map.Entry<?, ?> entry : all.entrySet()) {
            if (!(entry.getKey() instanceof String) || !(entry.getValue() instanceof List)) continue;
            List<?> values = (List<?>) entry.getValue();
            PathStatistics known = PathStatistics.of(values);
            if (known != null) found.put((String) entry.getKey(), known);
        }
        return Collections.unmodifiableMap(found);
    }
}
