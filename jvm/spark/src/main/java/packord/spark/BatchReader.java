package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import packord.ErrorKind;
import packord.PackordException;
import packord.container.Block;
import packord.container.ContainerIndex;
import packord.container.ContainerReader;
import packord.container.Predicate;
import packord.container.ReadOptions;
import packord.container.Split;
import packord.spark.FilePartition.Slice;
import packord.spark.columns.Misfit;
import packord.spark.columns.Rules;

/** Reads the blocks of one partition as batches of columns. */
final class BatchReader implements PartitionReader<ColumnarBatch> {
    private final Iterator<Slice> slices;
    private final SourceOptions options;
    private final FileOpener opener;
    private final BlockFilter filter;
    private final BlockBatches batches;
    private final Metrics metrics = new Metrics();
    private final boolean isGrowing;
    private int rowsLeft;

    private Slice slice;
    private ContainerReader reader;
    private Predicate where;
    private Iterator<Block> blocks;
    private Block block;
    private ColumnarBatch batch;

    BatchReader(
            FilePartition partition,
            SourceOptions options,
            FileOpener opener,
            BlockFilter filter,
            BlockBatches batches,
            int limit,
            boolean isGrowing) {
        slices = partition.slices().iterator();
        this.options = options;
        this.opener = opener;
        this.filter = filter;
        this.batches = batches;
        rowsLeft = limit;
        this.isGrowing = isGrowing;
    }

    @Override
    public boolean next() throws IOException {
        batch = null;
        if (rowsLeft == 0) return false;
        while (!batches.hasNext()) if (!nextBlock()) return false;
        try {
            batch = batches.next(rowsLeft);
        } catch (Misfit misfit) {
            throw fault(ErrorKind.TYPE_MISMATCH, misfit);
        } catch (Rules.Exceeded exceeded) {
            throw fault(ErrorKind.LENGTH_LIMIT, exceeded);
        }
        rowsLeft -= batch.numRows();
        return true;
    }

    /** Returns an error at the block, within which there are no offsets. */
    private IOException fault(ErrorKind kind, RuntimeException reason) {
        long offset = block.offset();
        return FileOpener.faulty(slice.path(), new PackordException(kind, offset, reason.getMessage(), null, reason));
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
                options.reading().split(new Split(next.from(), next.to())).select(batches.keys());
        reader = isGrowing ? GrowingFile.open(opener, next.path(), reading) : opener.open(next.path(), reading.build());
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
