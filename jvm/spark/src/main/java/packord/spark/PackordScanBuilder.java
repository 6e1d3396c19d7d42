package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/** Takes what a query asks for: its columns, its conditions, its limit. */
final class PackordScanBuilder
        implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters, SupportsPushDownLimit {
    private final StructType schema;
    private final SourceOptions options;
    private final FileOpener opener;
    private final ContainerFiles files;
    private StructType required;
    private Predicate[] pushed = {};
    private int limit = Integer.MAX_VALUE;

    PackordScanBuilder(StructType schema, SourceOptions options, FileOpener opener, ContainerFiles files) {
        this.schema = schema;
        this.options = options;
        this.opener = opener;
        this.files = files;
        required = schema;
    }

    @Override
    public void pruneColumns(StructType requiredSchema) {
        required = requiredSchema;
    }

    /** Spark compares all rows itself: only blocks are left out here. */
    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
        pushed = Arrays.stream(predicates)
                .filter(predicate -> Filters.isUseful(predicate, schema))
                .toArray(Predicate[]::new);
        return predicates;
    }

    @Override
    public Predicate[] pushedPredicates() {
        return pushed.clone();
    }

    @Override
    public boolean pushLimit(int most) {
        limit = most;
        return true;
    }

    @Override
    public Scan build() {
        try {
            ContainerFiles listed = files != null ? files : ContainerFiles.of(opener, options);
            BlockFilter filter = new BlockFilter(Filters.conditions(pushed, schema));
            return new PackordScan(required, options, listed, filter, limit);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
