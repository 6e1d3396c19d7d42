package packord.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import packord.container.Block;
import packord.container.BlockColumn;
import packord.container.Predicate;
import packord.spark.columns.Rules;
import packord.spark.columns.VectorBuilder;

/** Makes batches of columns of the rows of a block. For one thread. */
final class BlockBatches {
    /** The rows of a batch, at most. */
    private static final int MOST_ROWS = 4096;

    /** The keys of the rows that are columns. */
    final List<String> keys;

    private final DataType[] types;
    private final VectorBuilder[] builders;
    private final Rules rules;
    private List<BlockColumn> columns = List.of();
    private int bodySize;
    private int rows;
    private int row;

    BlockBatches(StructType schema, boolean isStrict) {
        rules = new Rules(isStrict);
        keys = List.of(schema.fieldNames());
        types = Arrays.stream(schema.fields()).map(StructField::dataType).toArray(DataType[]::new);
        builders =
                Arrays.stream(types).map(type -> VectorBuilder.of(type, rules)).toArray(VectorBuilder[]::new);
    }

    /**
     * Reads the columns of a block, unless no row can match a predicate that is not null, and returns the number of
     * their values; -1 if no row matches. A block of which nothing is needed is not read.
     */
    long begin(Block block, Predicate where) {
        rows = row = 0;
        columns = keys.isEmpty() ? List.of() : block.columns(keys, where);
        if (columns == null) return -1;
        bodySize = block.bodySize();
        rows = Math.toIntExact(block.count());
        return columns.stream().mapToLong(BlockColumn::count).sum();
    }

    /** Whether the block has rows that are not in a batch yet. */
    boolean hasNext() {
        return row < rows;
    }

    /** Returns the next rows as a batch, {@code most} at most. */
    ColumnarBatch next(int most) {
        int to = Math.min(rows, row + Math.min(most, MOST_ROWS));
        rules.begin(bodySize);
        ColumnVector[] vectors = new ColumnVector[types.length];
        for (int i = 0; i < vectors.length; i++) vectors[i] = vector(i, to);
        ColumnarBatch batch = new ColumnarBatch(vectors, to - row);
        row = to;
        return batch;
    }

    private ColumnVector vector(int index, int to) {
        BlockColumn column = columns.get(index);
        if (column.isInAllRows()) {
            // Without a copy.
            if (column.longs() != null && types[index] instanceof LongType)
                return VectorBuilder.of(column.longs(), row);
            if (column.doubles() != null && types[index] instanceof DoubleType)
                return VectorBuilder.of(column.doubles(), row);
        }
        VectorBuilder builder = builders[index];
        builder.reserve(to - row);
        int value = column.valueFrom(row);
        int next = value < column.count() ? column.row(value) : Integer.MAX_VALUE;
        for (int i = row; i < to; i++) {
            if (i < next) {
                builder.appendNull();
                continue;
            }
            if (column.longs() != null) builder.appendLong(column.longs()[value]);
            else if (column.doubles() != null) builder.appendDouble(column.doubles()[value]);
            else builder.append(column.bytes(), column.start(value));
            value++;
            next = value < column.count() ? column.row(value) : Integer.MAX_VALUE;
        }
        return builder.build();
    }
}
