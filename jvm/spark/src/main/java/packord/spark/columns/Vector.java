package packord.spark.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Values of one type in memory of the JVM, in the arrays that the type needs; those of other types are null. */
final class Vector extends ColumnVector {
    boolean[] nulls = {};
    int nullCount;

    /** Integers of all sizes, booleans, dates and times; floats and doubles. The first of a vector is at an index. */
    long[] longs;

    double[] doubles;
    int first;
    Decimal[] decimals;

    /** Where strings and bytes are in {@link #source} or, below 0, in {@link #made}; arrays and maps in children. */
    int[] starts;

    int[] lengths;
    byte[] source;
    byte[] made;

    /** The elements of arrays, the keys and values of maps, the fields of structs. */
    ColumnVector[] children;

    Vector(DataType type) {
        super(type);
        boolean isSized = type instanceof StringType || type instanceof BinaryType;
        if (type instanceof FloatType || type instanceof DoubleType) {
            doubles = new double[0];
        } else if (type instanceof DecimalType) {
            decimals = new Decimal[0];
        } else if (isSized || type instanceof ArrayType || type instanceof MapType) {
            starts = lengths = new int[0];
        } else if (!(type instanceof StructType || type instanceof NullType)) {
            longs = new long[0];
        }
    }

    /** Makes the arrays longer. */
    void grow(int capacity) {
        nulls = Arrays.copyOf(nulls, capacity);
        if (longs != null) longs = Arrays.copyOf(longs, capacity);
        if (doubles != null) doubles = Arrays.copyOf(doubles, capacity);
        if (decimals != null) decimals = Arrays.copyOf(decimals, capacity);
        if (starts == null) return;
        starts = Arrays.copyOf(starts, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }

    @Override
    public void close() {}

    @Override
    public boolean hasNull() {
        return nullCount > 0;
    }

    @Override
    public int numNulls() {
        return nullCount;
    }

    @Override
    public boolean isNullAt(int row) {
        return nullCount > 0 && nulls[row];
    }

    private <T> T having(T values) {
        if (values != null) return values;
        throw new UnsupportedOperationException("a value of " + type.simpleString() + " as another type");
    }

    @Override
    public boolean getBoolean(int row) {
        return getLong(row) != 0;
    }

    @Override
    public byte getByte(int row) {
        return (byte) getLong(row);
    }

    @Override
    public short getShort(int row) {
        return (short) getLong(row);
    }

    @Override
    public int getInt(int row) {
        return (int) getLong(row);
    }

    @Override
    public long getLong(int row) {
        return having(longs)[first + row];
    }

    @Override
    public float getFloat(int row) {
        return (float) getDouble(row);
    }

    @Override
    public double getDouble(int row) {
        return having(doubles)[first + row];
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        Decimal value = having(decimals)[row];
        return isNullAt(row) ? null : value;
    }

    @Override
    public UTF8String getUTF8String(int row) {
        int start = having(starts)[row];
        if (isNullAt(row)) return null;
        return start >= 0
                ? UTF8String.fromBytes(source, start, lengths[row])
                : UTF8String.fromBytes(made, ~start, lengths[row]);
    }

    @Override
    public byte[] getBinary(int row) {
        int start = having(starts)[row];
        return isNullAt(row) ? null : Arrays.copyOfRange(source, start, start + lengths[row]);
    }

    @Override
    public ColumnarArray getArray(int row) {
        return new ColumnarArray(getChild(0), starts[row], lengths[row]);
    }

    @Override
    public ColumnarMap getMap(int row) {
        return new ColumnarMap(getChild(0), getChild(1), starts[row], lengths[row]);
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        return having(children)[ordinal];
    }
}
