package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import packord.PackordException;
import packord.container.Block;
import packord.container.ContainerIndex;
import packord.container.ContainerReader;
import packord.container.Predicate;
import packord.container.ReadOptions;
import packord.container.Split;
import packord.spark.FilePartition.Slice;
import packord.spark.columns.Rules;

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
        return new BatchReader((FilePartition) partition);
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new RowReader(createColumnarReader(partition));
    }

    /** Reads the blocks of one partition as batches of columns. */
    private final class BatchReader implements PartitionReader<ColumnarBatch> {
        private final Iterator<Slice> slices;
        private final BlockBatches batches = new BlockBatches(columns, options.isStrict());
        private final Metrics metrics = new Metrics();
        private int rowsLeft = limit;

        private Slice slice;
        private ContainerReader reader;
        private Predicate where;
        private Iterator<Block> blocks;
        private Block block;
        private ColumnarBatch batch;

        BatchReader(FilePartition partition) {
            slices = partition.slices().iterator();
        }

        @Override
        public boolean next() throws IOException {
            batch = null;
            if (rowsLeft == 0) return false;
            while (!batches.hasNext()) if (!nextBlock()) return false;
            try {
                batch = batches.next(rowsLeft);
            } catch (Rules.Broken broken) {
                // Within a block there are no offsets.
                throw FileOpener.faulty(
                        slice.path(),
                        new PackordException(broken.kind, block.offset(), broken.getMessage(), null, broken));
            }
            rowsLeft -= batch.numRows();
            return true;
        }

        /** Goes to the next block with rows, of this slice or of the next one. */
        private boolean nextBlock() throws IOException {
            try {
                while (true) {
                    if (blocks == null) {
                        if (!slices.hasNext()) return false;
                        open(slices.next());
                    }
                    if (!blocks.hasNext()) {
                        close();
                        continue;
                    }
                    block = blocks.next();
                    if (block.hasRows() && read()) return true;
                }
            } catch (PackordException error) {
                throw FileOpener.faulty(slice.path(), error);
            } catch (UncheckedIOException exception) {
                throw exception.getCause();
            }
        }

        private void open(Slice next) throws IOException {
            slice = next;
            ReadOptions.Builder reading =
                    options.reading().split(new Split(next.from(), next.to())).select(batches.keys);
            reader = isGrowing
                    ? GrowingFile.open(opener, next.path(), reading)
                    : opener.open(next.path(), reading.build());
            where = filter.of(reader.schema());
            if (where != null) {
                countSkipped();
                close();
                reader = opener.open(next.path(), reading.prune(where).build());
            }
            blocks = reader.blocks();
        }

        private void countSkipped() {
            for (ContainerIndex.Entry entry : reader.index().entries()) {
                boolean isHere = entry.offset() >= slice.from() && entry.offset() < slice.to();
                if (isHere && where.skips(entry.count(), entry.statistics())) metrics.skipped++;
            }
        }

        /** Reads the columns of the block. Returns false if no row can match, and if it is damaged and passed over. */
        private boolean read() {
            try {
                long values = batches.begin(block, where);
                metrics.blocks++;
                metrics.values += Math.max(0, values);
                return values >= 0;
            } catch (PackordException error) {
                reader.refuse(block, error);
                return false;
            }
        }

        @Override
        public ColumnarBatch get() {
            if (batch == null) throw new NoSuchElementException();
            return batch;
        }

        @Override
        public CustomTaskMetric[] currentMetricsValues() {
            return metrics.ofTask();
        }

        @Override
        public void close() throws IOException {
            if (reader != null) {
                metrics.damaged += reader.damaged().size();
                metrics.bytes += reader.bytesRead();
                reader.close();
            }
            reader = null;
            blocks = null;
        }
    }
}
