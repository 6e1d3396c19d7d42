package packord.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.types.StructType;
import packord.PackordException;
import packord.container.Block;
import packord.container.BlockColumn;
import packord.container.ContainerReader;
import packord.container.PathType;
import packord.container.ReadOptions;

/** Reads the schema of a table from the indexes of its files, or from the rows of those that have none. */
final class SchemaReader {
    private static final int MOST_PATHS = 1000;

    private SchemaReader() {}

    /**
     * Returns the columns of all files, and notes the number of rows. Throws IOException of a file, also if it is
     * faulty.
     */
    static StructType read(ContainerFiles files, SourceOptions options) throws IOException {
        if (files.list.isEmpty()) throw new IOException("there is no container file, and so no schema: give one");
        ColumnTypes types = new ColumnTypes();
        ReadOptions reading = options.reading().build();
        long rows = 0;
        boolean isKnown = true;
        for (ContainerFiles.File file : files.list) {
            try (ContainerReader reader = files.opener.open(file.path(), reading)) {
                Map<String, PathType> schema = reader.schema();
                if (schema != null && schema.size() <= MOST_PATHS) types.addIndex(schema);
                else addRows(reader, types, options);
                isKnown &= reader.count().isPresent();
                rows += reader.count().orElse(0);
            } catch (PackordException error) {
                throw FileOpener.faulty(file.path(), error);
            }
        }
        files.rows = isKnown && rows >= 0 ? OptionalLong.of(rows) : OptionalLong.empty();
        StructType columns = types.columns();
        if (columns.isEmpty()) {
            String lacking = types.isEmpty() ? "no rows" : "no rows that are maps with strings as keys";
            throw new IOException("the container files have " + lacking + ", and so no schema: give one");
        }
        return columns;
    }

    private static void addRows(ContainerReader reader, ColumnTypes types, SourceOptions options) {
        for (Iterator<Block> blocks = reader.blocks(); blocks.hasNext(); ) {
            Block block = blocks.next();
            if (!block.hasRows()) continue;
            try {
                BlockColumn rows = block.rows();
                for (int i = 0; i < rows.count(); i++) types.add(rows.bytes(), rows.start(i));
            } catch (PackordException error) {
                if (!options.skipsBadBlocks()) throw error;
            }
            if (options.sampleBytes() > 0 && block.offset() + block.size() >= options.sampleBytes()) return;
        }
    }
}
