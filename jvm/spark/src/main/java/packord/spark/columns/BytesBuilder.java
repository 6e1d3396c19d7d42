package packord.spark.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of binary, of bins and of the payloads of exts, which stay where they are. */
class BytesBuilder extends VectorBuilder {
    /** The bytes of all values but those that are made: one array for all that is appended to a vector. */
    byte[] source;

    int[] starts = new int[nulls.length];
    int[] lengths = new int[nulls.length];

    BytesBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    final void grow(int capacity) {
        starts = Arrays.copyOf(starts, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }

    @Override
    void reset() {
        source = null;
    }

    @Override
    ColumnVector vector() {
        return new Vector.Bytes(type, source, null, starts, lengths, nulls, nullCount);
    }

    final boolean slice(byte[] bytes, int from, int length) {
        if (source != null && source != bytes) throw new IllegalStateException("values of several arrays");
        source = bytes;
        starts[size] = from;
        lengths[size] = length;
        return true;
    }

    @Override
    boolean binary(byte[] bytes, int from, int length) {
        return slice(bytes, from, length);
    }

    @Override
    boolean ext(int extType, byte[] bytes, int from, int length) {
        return slice(bytes, from, length);
    }
}
