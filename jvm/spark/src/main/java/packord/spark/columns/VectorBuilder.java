package packord.spark.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import packord.spark.columns.PackedValue.Type;

/**
 * Makes a vector of Spark of values that are plain MessagePack. A value that the type of the vector cannot hold becomes
 * null, or is a {@link Misfit} if the rules are strict. For one thread.
 */
public abstract class VectorBuilder {
    private static final int FIRST = 64;
    private static final boolean[] NONE = {};

    final DataType type;
    private final Rules rules;

    /** The number of values. */
    int size;

    /** The room that is made for the first value after others were built. */
    private int first = FIRST;

    boolean[] nulls = new boolean[FIRST];
    int nullCount;

    VectorBuilder(DataType type, Rules rules) {
        this.type = type;
        this.rules = rules;
    }

    /** Makes a builder. Throws IllegalArgumentException when no value can have the type. */
    public static VectorBuilder of(DataType type, Rules rules) {
        if (type instanceof BooleanType) return new LongsBuilder.Booleans(type, rules);
        if (type instanceof ByteType) return new LongsBuilder.Integers(type, rules, Byte.MIN_VALUE, Byte.MAX_VALUE);
        if (type instanceof ShortType) return new LongsBuilder.Integers(type, rules, Short.MIN_VALUE, Short.MAX_VALUE);
        if (type instanceof IntegerType) {
            return new LongsBuilder.Integers(type, rules, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        if (type instanceof LongType) return new LongsBuilder.Integers(type, rules, Long.MIN_VALUE, Long.MAX_VALUE);
        if (type instanceof DateType) return new LongsBuilder.Dates(type, rules);
        if (type instanceof TimestampType || type instanceof TimestampNTZType) {
            return new LongsBuilder.Timestamps(type, rules);
        }
        if (type instanceof FloatType || type instanceof DoubleType) return new DoublesBuilder(type, rules);
        if (type instanceof DecimalType decimal) return new DecimalsBuilder(decimal, rules);
        if (type instanceof StringType) return new StringsBuilder(type, rules);
        if (type instanceof BinaryType) return new BytesBuilder(type, rules);
        if (type instanceof ArrayType array) return new ArraysBuilder(array, rules);
        if (type instanceof MapType map) return new MapsBuilder(map, rules);
        if (type instanceof StructType struct) return new StructsBuilder(struct, rules);
        if (type instanceof NullType) return new NullsBuilder(type, rules);
        throw new IllegalArgumentException("container files have no type " + type.simpleString());
    }

    /** Returns longs without nulls; the first is {@code values[from]}. */
    public static ColumnVector of(long[] values, int from) {
        return new Vector.Longs(DataTypes.LongType, values, from, null, 0);
    }

    /** Returns doubles without nulls; the first is {@code values[from]}. */
    public static ColumnVector of(double[] values, int from) {
        return new Vector.Doubles(DataTypes.DoubleType, values, from, null, 0);
    }

    /** Returns the number of values so far. */
    public final int size() {
        return size;
    }

    /** Appends a null. */
    public final void appendNull() {
        ensure();
        emptySlot();
        nulls[size++] = true;
        nullCount++;
    }

    /** Appends an integer. */
    public final void appendLong(long value) {
        ensure();
        if (integer(value)) filled();
        else misfit(Type.INT);
    }

    /** Appends a float. */
    public final void appendDouble(double value) {
        ensure();
        if (number(value)) filled();
        else misfit(Type.FLOAT);
    }

    /** Appends a value, and returns the index after it. */
    public final int append(byte[] bytes, int at) {
        Type found = PackedValue.type(bytes, at);
        if (found == Type.NIL) {
            appendNull();
            return at + 1;
        }
        ensure();
        int end = add(found, bytes, at);
        if (end >= 0) {
            filled();
            return end;
        }
        misfit(found);
        return PackedValue.skip(bytes, at);
    }

    private void filled() {
        nulls[size++] = false;
    }

    private void misfit(Type found) {
        if (rules.isStrict) throw Misfit.of(found, type.simpleString());
        appendNull();
    }

    /** Makes room for as many values, so that it is not made step by step. */
    public final void reserve(int capacity) {
        if (capacity <= nulls.length) return;
        rules.take(capacity - nulls.length);
        room(capacity);
    }

    private void ensure() {
        if (size < nulls.length) return;
        rules.take(size);
        room(size == 0 ? first : 2 * size);
    }

    private void room(int capacity) {
        nulls = Arrays.copyOf(nulls, capacity);
        grow(capacity);
    }

    /** Forgets the values from a number on. */
    final void truncate(int to) {
        for (int i = to; i < size; i++) if (nulls[i]) nullCount--;
        forget(to);
        size = to;
    }

    /** Returns a vector of all values, and begins with none. */
    public final ColumnVector build() {
        ColumnVector vector = vector();
        first = Math.max(FIRST, Math.min(nulls.length, 2 * size));
        nulls = NONE;
        size = 0;
        nullCount = 0;
        grow(0);
        reset();
        return vector;
    }

    // ---------------------------------------------------------------- what a type has

    /** Returns the vector of what was added. */
    abstract ColumnVector vector();

    /** Makes the arrays of values longer. */
    void grow(int capacity) {}

    /** Lets go of what the values of a vector were made of. */
    void reset() {}

    /** Fills the place {@link #size} of a null. */
    void emptySlot() {}

    /** Forgets what belongs to the values from a number on, all of which are there still. */
    void forget(int to) {}

    /** Puts a value that is not nil at {@link #size}. Returns the index after it, or -1 if it does not fit. */
    int add(Type found, byte[] bytes, int at) {
        int from = PackedValue.content(bytes, at);
        return switch (found) {
            case BOOL -> bool(PackedValue.bool(bytes, at)) ? from : -1;
            case INT -> integer(PackedValue.integer(bytes, at)) ? from : -1;
            case UINT -> unsigned(PackedValue.integer(bytes, at)) ? from : -1;
            case FLOAT -> number(PackedValue.number(bytes, at)) ? from : -1;
            case STR -> string(bytes, from, PackedValue.size(bytes, at)) ? from + PackedValue.size(bytes, at) : -1;
            case BIN -> binary(bytes, from, PackedValue.size(bytes, at)) ? from + PackedValue.size(bytes, at) : -1;
            case EXT ->
                ext(PackedValue.extType(bytes, at), bytes, from, PackedValue.size(bytes, at))
                        ? from + PackedValue.size(bytes, at)
                        : -1;
            case TIMESTAMP ->
                timestamp(PackedValue.seconds(bytes, at), PackedValue.nanos(bytes, at))
                        ? from + PackedValue.size(bytes, at)
                        : -1;
            case ARRAY -> array(bytes, from, PackedValue.size(bytes, at));
            case MAP -> map(bytes, from, PackedValue.size(bytes, at));
            case NIL -> -1;
        };
    }

    boolean bool(boolean value) {
        return false;
    }

    boolean integer(long value) {
        return false;
    }

    /** Takes an integer of 2^63 or more, as the long of the same bits. */
    boolean unsigned(long value) {
        return false;
    }

    boolean number(double value) {
        return false;
    }

    boolean string(byte[] bytes, int from, int length) {
        return false;
    }

    boolean binary(byte[] bytes, int from, int length) {
        return false;
    }

    boolean ext(int extType, byte[] bytes, int from, int length) {
        return false;
    }

    boolean timestamp(long seconds, int nanos) {
        return false;
    }

    /** Takes an array, whose elements begin at an index. Returns the index after them, or -1. */
    int array(byte[] bytes, int from, int count) {
        return -1;
    }

    /** Takes a map, whose entries begin at an index. Returns the index after them, or -1. */
    int map(byte[] bytes, int from, int count) {
        return -1;
    }
}
