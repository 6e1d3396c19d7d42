package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code packord}: container files of MessagePack as tables of Spark.
 *
 * <pre>{@code
 * Dataset<Row> events = spark.read().format("packord").load("events/");
 * events.where("level = 'error'").count();
 * events.write().format("packord").mode("append").save("copy/");
 * }</pre>
 *
 * <p>A path is a file, a folder or a pattern, of any file system that Hadoop knows. The README has the options, and
 * which types of values become which types of columns.
 */
public final class PackordSource implements TableProvider, DataSourceRegister {
    /** What the last call of {@link #inferSchema} has found, for the call of {@link #getTable} after it. */
    private ContainerFiles found;

    /** For Spark, which finds the class by its name. */
    public PackordSource() {}

    @Override
    public String shortName() {
        return "packord";
    }

    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        SourceOptions asked = SourceOptions.of(options);
        try {
            found = ContainerFiles.of(FileOpener.of(options), asked);
            return SchemaReader.read(found, asked);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        if (partitioning.length > 0) {
            throw new IllegalArgumentException("container files have no partitioning by columns");
        }
        CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
        return new PackordTable(schema.asNullable(), SourceOptions.of(options), FileOpener.of(options), found);
    }
}
