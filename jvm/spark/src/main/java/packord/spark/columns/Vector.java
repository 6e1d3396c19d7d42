package packord.spark.columns;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** Values of one type in memory of the JVM. A subclass has the getters of its type. */
abstract class Vector extends ColumnVector {
    private final boolean[] nulls;
    private final int nullCount;

    /** {@code nulls} may be null if there are none. */
    Vector(DataType type, boolean[] nulls, int nullCount) {
        super(type);
        this.nulls = nulls;
        this.nullCount = nullCount;
    }

    @Override
    public void close() {}

    @Override
    public final boolean hasNull() {
        return nullCount > 0;
    }

    @Override
    public final int numNulls() {
        return nullCount;
    }

    @Override
    public final boolean isNullAt(int row) {
        return nullCount > 0 && nulls[row];
    }

    private UnsupportedOperationException other() {
        return new UnsupportedOperationException("a value of " + type.simpleString() + " as another type");
    }

    @Override
    public boolean getBoolean(int row) {
        throw other();
    }

    @Override
    public byte getByte(int row) {
        throw other();
    }

    @Override
    public short getShort(int row) {
        throw other();
    }

    @Override
    public int getInt(int row) {
        throw other();
    }

    @Override
    public long getLong(int row) {
        throw other();
    }

    @Override
    public float getFloat(int row) {
        throw other();
    }

    @Override
    public double getDouble(int row) {
        throw other();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw other();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw other();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        throw other();
    }

    @Override
    public UTF8String getUTF8String(int row) {
        throw other();
    }

    @Override
    public byte[] getBinary(int row) {
        throw other();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
        throw other();
    }

    /** Values that are longs: integers of all sizes, booleans, dates and times. */
    static final class Longs extends Vector {
        private final long[] values;
        private final int from;

        Longs(DataType type, long[] values, int from, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.values = values;
            this.from = from;
        }

        @Override
        public boolean getBoolean(int row) {
            return values[from + row] != 0;
        }

        @Override
        public byte getByte(int row) {
            return (byte) values[from + row];
        }

        @Override
        public short getShort(int row) {
            return (short) values[from + row];
        }

        @Override
        public int getInt(int row) {
            return (int) values[from + row];
        }

        @Override
        public long getLong(int row) {
            return values[from + row];
        }
    }

    /** Floats and doubles. */
    static final class Doubles extends Vector {
        private final double[] values;
        private final int from;

        Doubles(DataType type, double[] values, int from, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.values = values;
            this.from = from;
        }

        @Override
        public float getFloat(int row) {
            return (float) values[from + row];
        }

        @Override
        public double getDouble(int row) {
            return values[from + row];
        }
    }

    /** Decimals. */
    static final class Decimals extends Vector {
        private final Decimal[] values;

        Decimals(DataType type, Decimal[] values, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.values = values;
        }

        @Override
        public Decimal getDecimal(int row, int precision, int scale) {
            return isNullAt(row) ? null : values[row];
        }
    }

    /** Strings and bytes, in the bytes from which they were read or, where {@code starts} is below 0, in others. */
    static final class Bytes extends Vector {
        private final byte[] source;
        private final byte[] made;
        private final int[] starts;
        private final int[] lengths;

        Bytes(DataType type, byte[] source, byte[] made, int[] starts, int[] lengths, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.source = source;
            this.made = made;
            this.starts = starts;
            this.lengths = lengths;
        }

        @Override
        public UTF8String getUTF8String(int row) {
            if (isNullAt(row)) return null;
            int start = starts[row];
            return start >= 0
                    ? UTF8String.fromBytes(source, start, lengths[row])
                    : UTF8String.fromBytes(made, ~start, lengths[row]);
        }

        @Override
        public byte[] getBinary(int row) {
            if (isNullAt(row)) return null;
            byte[] copy = new byte[lengths[row]];
            System.arraycopy(source, starts[row], copy, 0, copy.length);
            return copy;
        }
    }

    /** Arrays, as ranges of a vector of all elements. */
    static final class Arrays extends Vector {
        private final int[] starts;
        private final int[] lengths;
        private final ColumnVector elements;

        Arrays(DataType type, int[] starts, int[] lengths, ColumnVector elements, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.starts = starts;
            this.lengths = lengths;
            this.elements = elements;
        }

        @Override
        public ColumnarArray getArray(int row) {
            return new ColumnarArray(elements, starts[row], lengths[row]);
        }

        @Override
        public ColumnVector getChild(int ordinal) {
            return elements;
        }
    }

    /** Maps, as ranges of vectors of all keys and values. */
    static final class Maps extends Vector {
        private final int[] starts;
        private final int[] lengths;
        private final ColumnVector keys;
        private final ColumnVector values;

        Maps(
                DataType type,
                int[] starts,
                int[] lengths,
                ColumnVector keys,
                ColumnVector values,
                boolean[] nulls,
                int nullCount) {
            super(type, nulls, nullCount);
            this.starts = starts;
            this.lengths = lengths;
            this.keys = keys;
            this.values = values;
        }

        @Override
        public ColumnarMap getMap(int row) {
            return new ColumnarMap(keys, values, starts[row], lengths[row]);
        }

        @Override
        public ColumnVector getChild(int ordinal) {
            return ordinal == 0 ? keys : values;
        }
    }

    /** Structs, as a vector for each field. */
    static final class Structs extends Vector {
        private final ColumnVector[] fields;

        Structs(DataType type, ColumnVector[] fields, boolean[] nulls, int nullCount) {
            super(type, nulls, nullCount);
            this.fields = fields;
        }

        @Override
        public ColumnVector getChild(int ordinal) {
            return fields[ordinal];
        }
    }

    /** Nothing but nulls. */
    static final class Nulls extends Vector {
        Nulls(DataType type, boolean[] nulls, int count) {
            super(type, nulls, count);
        }
    }
}
