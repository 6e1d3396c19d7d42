package packord.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the readers of tasks; Spark sends it to the executors.
 *
 * @param isGrowing whether files may end in something that is not whole
 */
record ReaderFactory(
        StructType columns, SourceOptions options, FileOpener opener, BlockFilter filter, int limit, boolean isGrowing)
        implements PartitionReaderFactory {
    @Override
    public boolean supportColumnarReads(InputPartition partition) {
        return options.isVectorized();
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
        BlockBatches blocks = new BlockBatches(columns, options.isStrict());
        return new BatchReader((FilePartition) partition, options, opener, filter, blocks, limit, isGrowing);
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new RowReader(createColumnarReader(partition));
    }
}
