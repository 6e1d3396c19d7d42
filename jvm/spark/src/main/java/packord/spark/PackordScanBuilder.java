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
    private final PackordTable table;
    private StructType required;
    private Predicate[] pushed = {};
    private int limit = Integer.MAX_VALUE;

    PackordScanBuilder(PackordTable table) {
        this.table = table;
        required = table.schema();
    }

    @Override
    public void pruneColumns(StructType requiredSchema) {
        required = requiredSchema;
    }

    /** Spark compares all rows itself: only blocks are left out here. */
    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
        pushed = Arrays.stream(predicates)
                .filter(predicate -> Filters.isUseful(predicate, table.schema()))
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
            ContainerFiles listed = table.files();
            if (listed == null) listed = ContainerFiles.of(table.opener(), table.options());
            BlockFilter filter = new BlockFilter(Filters.conditions(pushed, table.schema()));
            return new PackordScan(required, table.options(), listed, filter, limit);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
