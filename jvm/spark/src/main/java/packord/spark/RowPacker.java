package packord.spark;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
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

/** Makes of rows of Spark what a packer packs. */
final class RowPacker {
    private static final BigInteger SMALLEST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** Takes a value that is not null from a row or array. */
    private interface Getter {
        Object get(SpecializedGetters values, int index);
    }

    private final String[] names;
    private final Getter[] fields;

    /** Makes one. Throws IllegalArgumentException when a type has no encoding. */
    RowPacker(StructType schema) {
        names = schema.fieldNames();
        fields = new Getter[names.length];
        for (int i = 0; i < fields.length; i++) fields[i] = getter(schema.fields()[i].dataType());
    }

    /** Returns the map of a row; a null is an entry with nil. */
    Map<String, Object> value(InternalRow row) {
        Map<String, Object> map = new LinkedHashMap<>(2 * fields.length);
        for (int i = 0; i < fields.length; i++) map.put(names[i], get(fields[i], row, i));
        return map;
    }

    private static Object get(Getter getter, SpecializedGetters values, int index) {
        return values.isNullAt(index) ? null : getter.get(values, index);
    }

    private static Getter getter(DataType type) {
        if (type instanceof BooleanType) return SpecializedGetters::getBoolean;
        if (type instanceof ByteType) return SpecializedGetters::getByte;
        if (type instanceof ShortType) return SpecializedGetters::getShort;
        if (type instanceof IntegerType) return SpecializedGetters::getInt;
        if (type instanceof LongType) return SpecializedGetters::getLong;
        if (type instanceof FloatType) return SpecializedGetters::getFloat;
        if (type instanceof DoubleType) return SpecializedGetters::getDouble;
        if (type instanceof StringType)
            return (values, i) -> values.getUTF8String(i).toString();
        if (type instanceof BinaryType) return SpecializedGetters::getBinary;
        if (type instanceof DateType)
            return (values, i) -> LocalDate.ofEpochDay(values.getInt(i)).toString();
        if (type instanceof TimestampType) return (values, i) -> instant(values.getLong(i));
        if (type instanceof TimestampNTZType) return (values, i) -> local(instant(values.getLong(i)));
        if (type instanceof NullType) return (values, i) -> null;
        if (type instanceof DecimalType decimal) {
            return (values, i) -> decimal(
                    values.getDecimal(i, decimal.precision(), decimal.scale()).toJavaBigDecimal());
        }
        if (type instanceof ArrayType array) {
            Getter element = getter(array.elementType());
            return (values, i) -> list(values.getArray(i), element);
        }
        if (type instanceof MapType map) {
            Getter key = getter(map.keyType());
            Getter value = getter(map.valueType());
            return (values, i) -> map(values.getMap(i), key, value);
        }
        if (type instanceof StructType struct) {
            RowPacker packer = new RowPacker(struct);
            return (values, i) -> packer.value(values.getStruct(i, packer.fields.length));
        }
        throw new IllegalArgumentException("container files have no type " + type.simpleString());
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) * 1000L);
    }

    private static String local(Instant time) {
        return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
    }

    /** Whole numbers of 64 bits are integers, others strings. */
    private static Object decimal(BigDecimal value) {
        if (value.scale() == 0) {
            BigInteger whole = value.unscaledValue();
            if (whole.compareTo(SMALLEST) >= 0 && whole.compareTo(LARGEST) <= 0) return whole;
        }
        return value.toPlainString();
    }

    private static List<Object> list(ArrayData array, Getter element) {
        List<Object> list = new ArrayList<>(array.numElements());
        for (int i = 0; i < array.numElements(); i++) list.add(get(element, array, i));
        return list;
    }

    private static Map<Object, Object> map(MapData map, Getter key, Getter value) {
        Map<Object, Object> made = new LinkedHashMap<>();
        ArrayData keys = map.keyArray();
        ArrayData values = map.valueArray();
        for (int i = 0; i < map.numElements(); i++) made.put(key.get(keys, i), get(value, values, i));
        return made;
    }
}
