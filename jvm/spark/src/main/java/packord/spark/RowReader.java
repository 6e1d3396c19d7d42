package packord.spark;

import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads the rows of batches one by one. */
final class RowReader implements PartitionReader<InternalRow> {
    private final PartitionReader<ColumnarBatch> batches;
    private Iterator<InternalRow> rows = Collections.emptyIterator();

    RowReader(PartitionReader<ColumnarBatch> batches) {
        this.batches = batches;
    }

    @Override
    public boolean next() throws IOException {
        while (!rows.hasNext()) {
            if (!batches.next()) return false;
            rows = batches.get().rowIterator();
        }
        return true;
    }

    @Override
    public InternalRow get() {
        return rows.next();
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return batches.currentMetricsValues();
    }

    @Override
    public void close() throws IOException {
        batches.close();
    }
}
