package packord.container;

import java.util.Iterator;
import java.util.Map;
import packord.Packer;
import packord.wire.PackedBytes;

/** Collects the index of a file: {@code spec/container.md} sections 3 and 7.1. */
final class IndexBuilder {
    /** The entries of all blocks, and the same without statistics, for an index that would be too large with them. */
    private final PackedBytes entries = new PackedBytes();

    private final PackedBytes bareEntries = new PackedBytes();
    private int blocks;
    private Map<String, PathType> earlier;

    /** The number of rows and messages in all blocks. */
    long count;

    /** Whether the rows that were there before are known. */
    boolean isKnown = true;

    /**
     * Returns the index of what a file has. Without an index of its own all of it is read. Throws PackordException when
     * the file is damaged.
     */
    static IndexBuilder of(ContainerReader reader) {
        IndexBuilder builder = new IndexBuilder();
        ContainerIndex index = reader.index();
        PackedBytes stats = new PackedBytes();
        if (index != null) {
            for (ContainerIndex.Entry entry : index.entries()) {
                stats.pos = 0;
                entry.packedStatistics(stats);
                builder.add(entry.offset(), entry.size(), entry.count(), stats);
            }
            builder.earlier = index.schema();
        } else {
            stats.nil();
            for (Iterator<Block> all = reader.blocks(); all.hasNext(); ) {
                Block block = all.next();
                builder.add(block.offset(), block.size(), block.count(), stats);
            }
        }
        builder.isKnown = builder.blocks == 0 || builder.earlier != null;
        return builder;
    }

    /** Returns the schema of the whole table, or null. */
    Map<String, PathType> schema(SchemaBuilder added) {
        Map<String, PathType> found = added.schema();
        if (found == null) return added.isLost ? null : earlier;
        return earlier == null ? found : Schemas.together(earlier, found);
    }

    void add(long offset, long size, long rows, PackedBytes stats) {
        int from = entries.pos;
        entries.arrayHeader(4);
        entries.integer(offset);
        entries.integer(size);
        entries.integer(rows);
        bareEntries.raw(entries.buf, from, entries.pos - from);
        entries.raw(stats.buf, 0, stats.pos);
        bareEntries.nil();
        blocks++;
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
        write(out, schema, entries);
        if (out.pos - start > most) {
            out.pos = start;
            write(out, schema, bareEntries);
        }
        return out.pos - start <= most;
    }

    private void write(PackedBytes out, Map<String, PathType> schema, PackedBytes all) {
        out.arrayHeader(4);
        out.str("index");
        out.integer(1);
        out.arrayHeader(blocks);
        out.raw(all.buf, 0, all.pos);
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
