package packord.spark;

import java.util.OptionalLong;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;

/** A query of container files. */
record PackordScan(StructType columns, SourceOptions options, ContainerFiles files, BlockFilter filter, int limit)
        implements Scan, Batch, SupportsReportStatistics {
    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return "packord " + String.join(", ", options.paths()) + ", blocks where "
                + String.join(
                        " and ",
                        filter.conditions().stream().map(PackordScan::text).toList());
    }

    private static String text(BlockFilter.Condition condition) {
        return condition.name() + " " + condition.operator()
                + (condition.constant() == null ? "" : " " + condition.constant());
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        return Partitions.of(files.slices(), options);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new ReaderFactory(columns, options, files.opener, filter, limit, false);
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpoint) {
        return new PackordStream(
                options, files.opener, new ReaderFactory(columns, options, files.opener, filter, limit, true));
    }

    @Override
    public ColumnarSupportMode columnarSupportMode() {
        return options.isVectorized() ? ColumnarSupportMode.SUPPORTED : ColumnarSupportMode.UNSUPPORTED;
    }

    @Override
    public Statistics estimateStatistics() {
        return new Statistics() {
            @Override
            public OptionalLong sizeInBytes() {
                return OptionalLong.of(files.size());
            }

            @Override
            public OptionalLong numRows() {
                return files.rows;
            }
        };
    }

    @Override
    public CustomMetric[] supportedCustomMetrics() {
        return Metrics.all();
    }
}
