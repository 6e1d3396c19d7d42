package packord.spark;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Container files as a table of Spark. */
final class PackordTable implements SupportsRead, SupportsWrite {
    private final StructType schema;
    private final SourceOptions options;
    private final FileOpener opener;
    private final ContainerFiles files;

    /** {@code files} may be null if they were not listed yet. */
    PackordTable(StructType schema, SourceOptions options, FileOpener opener, ContainerFiles files) {
        this.schema = schema;
        this.options = options;
        this.opener = opener;
        this.files = files;
    }

    @Override
    public String name() {
        return "packord " + String.join(", ", options.paths());
    }

    @Override
    @SuppressWarnings("deprecation") // What replaces it needs Spark 3.4 or newer, and is made of this.
    public StructType schema() {
        return schema;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(
                TableCapability.BATCH_READ,
                TableCapability.MICRO_BATCH_READ,
                TableCapability.BATCH_WRITE,
                TableCapability.TRUNCATE);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
        return new PackordScanBuilder(schema, options, opener, files);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new PackordWrite(info, options, opener);
    }
}
