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

/** Container files as a table of Spark; {@code files} is null if they were not listed yet. */
@SuppressWarnings("deprecation") // Of schema: what replaces it needs Spark 3.4 or newer, and is made of this.
record PackordTable(StructType schema, SourceOptions options, FileOpener opener, ContainerFiles files)
        implements SupportsRead, SupportsWrite {
    @Override
    public String name() {
        return "packord " + String.join(", ", options.paths());
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
        return new PackordScanBuilder(this);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new PackordWrite(info, options, opener);
    }
}
