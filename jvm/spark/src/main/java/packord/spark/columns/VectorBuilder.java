package packord.spark.columns;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import packord.ErrorKind;
import packord.spark.columns.PackedValue.Type;
import packord.wire.Marker;

/**
 * Makes a vector of Spark of values that are plain MessagePack. A value that the type of the vector cannot hold becomes
 * null, or is an error if the rules are strict. This class itself takes no value but nil. For one thread.
 */
public class VectorBuilder {
    private static final int FIRST = 64;
    private static final Map<DataType, Long> LARGEST = Map.of(
            DataTypes.ByteType, (long) Byte.MAX_VALUE,
            DataTypes.ShortType, (long) Short.MAX_VALUE,
            DataTypes.IntegerType, (long) Integer.MAX_VALUE,
            DataTypes.LongType, Long.MAX_VALUE);

    final DataType type;

    /** Makes what is within each value. */
    final VectorBuilder[] children;

    private final Rules rules;

    int size;

    /** The room that is made for the first value after others were built. */
    private int first = FIRST;

    /** The values so far, and room for more. */
    Vector vector;

    VectorBuilder(DataType type, Rules rules, DataType... inner) {
        this.type = type;
        this.rules = rules;
        children = Arrays.stream(inner).map(each -> of(each, rules)).toArray(VectorBuilder[]::new);
        vector = new Vector(type);
        vector.grow(FIRST);
    }

    /** Makes a builder. Throws IllegalArgumentException when no value can have the type. */
    public static VectorBuilder of(DataType type, Rules rules) {
        Long largest = LARGEST.get(type);
        if (largest != null) return new ScalarBuilders.Integers(type, rules, largest);
        if (type instanceof BooleanType) return new ScalarBuilders.Booleans(type, rules);
        if (type instanceof DateType) return new ScalarBuilders.Dates(type, rules);
        if (type instanceof TimestampType || type instanceof TimestampNTZType) {
            return new ScalarBuilders.Timestamps(type, rules);
        }
        if (type instanceof FloatType || type instanceof DoubleType) return new ScalarBuilders.Doubles(type, rules);
        if (type instanceof DecimalType decimal) return new ScalarBuilders.Decimals(decimal, rules);
        if (type instanceof StringType) return new StringsBuilder(type, rules);
        if (type instanceof BinaryType) return new ScalarBuilders.Binaries(type, rules);
        if (type instanceof ArrayType array) return new RangesBuilder(array, rules, array.elementType());
        if (type instanceof MapType map) return new RangesBuilder(map, rules, map.keyType(), map.valueType());
        if (type instanceof StructType struct) return new StructsBuilder(struct, rules);
        if (type instanceof NullType) return new VectorBuilder(type, rules);
        throw new IllegalArgumentException("container files have no type " + type.simpleString());
    }

    /** Returns longs without nulls; the first is {@code values[from]}. */
    public static ColumnVector of(long[] values, int from) {
        Vector vector = new Vector(DataTypes.LongType);
        vector.longs = values;
        vector.first = from;
        return vector;
    }

    /** Returns doubles without nulls; the first is {@code values[from]}. */
    public static ColumnVector of(double[] values, int from) {
        Vector vector = new Vector(DataTypes.DoubleType);
        vector.doubles = values;
        vector.first = from;
        return vector;
    }

    public final void appendNull() {
        ensure();
        emptySlot();
        vector.nulls[size++] = true;
        vector.nullCount++;
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
        vector.nulls[size++] = false;
    }

    private void misfit(Type found) {
        if (rules.isStrict) {
            String name = found.name().toLowerCase(Locale.ROOT);
            throw new Rules.Broken(ErrorKind.TYPE_MISMATCH, name + " for " + type.simpleString());
        }
        appendNull();
    }

    /** Makes room for as many values, so that it is not made step by step. */
    public final void reserve(int capacity) {
        if (capacity <= vector.nulls.length) return;
        rules.take(capacity - vector.nulls.length);
        vector.grow(capacity);
    }

    private void ensure() {
        if (size < vector.nulls.length) return;
        rules.take(size);
        vector.grow(size == 0 ? first : 2 * size);
    }

    /** Forgets the values from a number on. */
    final void truncate(int to) {
        for (int i = to; i < size; i++) if (vector.nulls[i]) vector.nullCount--;
        forget(to);
        size = to;
    }

    /** Returns a vector of all values, and begins with none. */
    public final ColumnVector build() {
        Vector built = vector;
        finish();
        if (children.length > 0) {
            built.children = Arrays.stream(children).map(VectorBuilder::build).toArray(ColumnVector[]::new);
        }
        first = Math.max(FIRST, Math.min(built.nulls.length, 2 * size));
        vector = new Vector(type);
        size = 0;
        return built;
    }

    // ---------------------------------------------------------------- what a type has

    /** Completes a vector. */
    void finish() {}

    /** Fills the place {@link #size} of a null. */
    void emptySlot() {}

    /** Forgets what belongs to the values from a number on, all of which are there still. */
    void forget(int to) {}

    /** Puts a value that is not nil at {@link #size}. Returns the index after it, or -1 if it does not fit. */
    int add(Type found, byte[] bytes, int at) {
        int from = PackedValue.content(bytes, at);
        int length = PackedValue.size(bytes, at);
        boolean fits = switch (found) {
            case BOOL -> bool(PackedValue.bool(bytes, at));
            case INT -> integer(Marker.integer(bytes, at));
            case UINT -> unsigned(Marker.integer(bytes, at));
            case FLOAT -> number(Marker.number(bytes, at));
            case STR -> string(bytes, from, length);
            case BIN -> binary(bytes, from, length);
            case EXT -> ext(PackedValue.extType(bytes, at), bytes, from, length);
            case TIMESTAMP -> timestamp(PackedValue.seconds(bytes, at), PackedValue.nanos(bytes, at));
            case ARRAY, MAP, NIL -> false;
        };
        if (fits) return from + length;
        if (found == Type.ARRAY) return array(bytes, from, length);
        return found == Type.MAP ? map(bytes, from, length) : -1;
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
