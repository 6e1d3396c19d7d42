package packord.spark.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of floats and doubles, of floats and of integers, which are rounded to the nearest. */
final class DoublesBuilder extends VectorBuilder {
    private double[] values = new double[nulls.length];

    DoublesBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    void grow(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    ColumnVector vector() {
        return new Vector.Doubles(type, values, 0, nulls, nullCount);
    }

    @Override
    boolean number(double value) {
        values[size] = value;
        return true;
    }

    @Override
    boolean integer(long value) {
        return number((double) value);
    }

    @Override
    boolean unsigned(long value) {
        // The lowest bit only decides which of two is nearer.
        return number(2.0 * (value >>> 1 | value & 1));
    }
}
