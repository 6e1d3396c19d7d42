package packord.container;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import packord.Packer;
import packord.wire.PackedBytes;

/** Collects the index of a file: {@code spec/container.md} sections 3 and 7.1. */
final class IndexBuilder {
    private long[] offsets = new long[16];
    private long[] sizes = new long[16];
    private long[] counts = new long[16];
    private final PackedBytes statistics = new PackedBytes();
    private int[] ends = new int[16];
    private int blocks;
    private long count;
    private Map<String, PathType> earlier;
    private boolean isKnown = true;

    /**
     * Returns the index of what a file has. Without an index of its own all of it is read. Throws PackordException when
     * the file is damaged.
     */
    static IndexBuilder of(ContainerReader reader) {
        IndexBuilder builder = new IndexBuilder();
        ContainerIndex index = reader.index();
        if (index != null) {
            for (int i = 0; i < index.blocks(); i++) {
                PackedBytes stats = new PackedBytes();
                index.packedStatistics(i, stats);
                builder.add(index.offset(i), index.size(i), index.count(i), stats);
            }
            builder.earlier = index.schema();
        } else {
            PackedBytes none = new PackedBytes();
            none.nil();
            for (Iterator<Block> all = reader.blocks(); all.hasNext(); ) {
                Block block = all.next();
                builder.add(block.offset(), block.size(), block.count(), none);
            }
        }
        builder.isKnown = builder.blocks == 0 || builder.earlier != null;
        return builder;
    }

    /** Whether the rows that were there before are known. */
    boolean isKnown() {
        return isKnown;
    }

    /** Returns the schema of the whole table, or null. */
    Map<String, PathType> schema(SchemaBuilder added) {
        Map<String, PathType> found = added.schema();
        if (found == null) return added.isKnown() ? earlier : null;
        return earlier == null ? found : Schemas.together(earlier, found);
    }

    long count() {
        return count;
    }

    void add(long offset, long size, long rows, PackedBytes stats) {
        if (blocks == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * blocks);
            sizes = Arrays.copyOf(sizes, 2 * blocks);
            counts = Arrays.copyOf(counts, 2 * blocks);
            ends = Arrays.copyOf(ends, 2 * blocks);
        }
        offsets[blocks] = offset;
        sizes[blocks] = size;
        counts[blocks] = rows;
        statistics.raw(stats.buf, 0, stats.pos);
        ends[blocks++] = statistics.pos;
        count += rows;
    }

    /** Writes the statistics of a block as the index of another file has them. */
    static void statistics(Map<String, PathStatistics> known, PackedBytes out) {
        if (known.isEmpty()) {
            out.nil();
            return;
        }
        out.mapHeader(known.size());
        known.forEach((path, values) -> {
            out.str(path);
            out.arrayHeader(3);
            out.integer(values.nulls());
            out.raw(Packer.standard().pack(values.min()));
            out.raw(Packer.standard().pack(values.max()));
        });
    }

    /**
     * Writes the index-array, without statistics if it would be too large with them. Returns false if it is too large
     * even so; nothing is to be written then.
     */
    boolean write(PackedBytes out, Map<String, PathType> schema, int most) {
        int start = out.pos;
        write(out, schema, true);
        if (out.pos - start > most) {
            out.pos = start;
            write(out, schema, false);
        }
        return out.pos - start <= most;
    }

    private void write(PackedBytes out, Map<String, PathType> schema, boolean withStatistics) {
        out.arrayHeader(4);
        out.str("index");
        out.integer(1);
        out.arrayHeader(blocks);
        for (int i = 0; i < blocks; i++) {
            out.arrayHeader(4);
            out.integer(offsets[i]);
            out.integer(sizes[i]);
            out.integer(counts[i]);
            int from = i == 0 ? 0 : ends[i - 1];
            if (withStatistics) out.raw(statistics.buf, from, ends[i] - from);
            else out.nil();
        }
        out.mapHeader(schema == null ? 1 : 2);
        out.str("count");
        out.integer(count);
        if (schema == null) return;
        out.str("schema");
        out.mapHeader(schema.size());
        schema.forEach((path, type) -> {
            out.str(path);
            out.arrayHeader(2);
            out.arrayHeader(type.types().size());
            for (String name : type.types()) out.str(name);
            out.bool(type.isNullable());
        });
    }
}
