package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** Makes Connect data of values that were unpacked. */
final class ConnectReader {
    private final boolean replacesNull;

    ConnectReader(boolean replacesNull) {
        this.replacesNull = replacesNull;
    }

    /**
     * Returns the value by a schema, or as data without one if the schema is null. Throws Misfit if the value is not
     * one of the schema.
     */
    Object read(Schema schema, Object value) {
        if (schema == null) {
            if (value instanceof List) return array(null, (List<?>) value);
            return value instanceof Map ? map(null, null, (Map<?, ?>) value) : withoutSchema(value);
        }
        if (value == null) return missing(schema);
        if (LogicalFormat.isLogical(schema)) return LogicalReader.read(schema, value);
        switch (schema.type()) {
            case ARRAY:
                return array(schema.valueSchema(), Misfit.instance(List.class, "array", value));
            case MAP:
                return map(schema.keySchema(), schema.valueSchema(), Misfit.instance(Map.class, "map", value));
            case STRUCT:
                return struct(schema, Misfit.instance(Map.class, "struct", value));
            default:
                return scalar(schema.type(), value);
        }
    }

    /** Is apart from what calls itself, whose frames would hold its variables at each level. */
    private static Object scalar(Schema.Type type, Object value) {
        switch (type) {
            case BOOLEAN:
                return Misfit.instance(Boolean.class, "boolean", value);
            case INT8:
                return (byte) integer(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "int8");
            case INT16:
                return (short) integer(value, Short.MIN_VALUE, Short.MAX_VALUE, "int16");
            case INT32:
                return (int) integer(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "int32");
            case INT64:
                return integer(value, Long.MIN_VALUE, Long.MAX_VALUE, "int64");
            case FLOAT32:
                return float32(value);
            case FLOAT64:
                return float64(value, "double");
            case STRING:
                return string(value);
            default:
                return Misfit.instance(byte[].class, "bytes", value);
        }
    }

    private Object missing(Schema schema) {
        if (schema.defaultValue() != null && replacesNull) return schema.defaultValue();
        if (schema.isOptional()) return null;
        throw Misfit.type(SchemaMaps.typeName(schema.type()), null);
    }

    private static long integer(Object value, long min, long max, String wanted) {
        if (value instanceof BigInteger) throw Misfit.range(value, wanted);
        if (value instanceof Double && (Double) value == ((Double) value).longValue()) {
            // 2^63 would become the largest long.
            double number = (Double) value;
            if (number == 0x1p63) throw Misfit.range(value, wanted);
            return integer((long) number, min, max, wanted);
        }
        if (!(value instanceof Long)) throw Misfit.type(wanted, value);
        long number = (Long) value;
        if (number < min || number > max) throw Misfit.range(value, wanted);
        return number;
    }

    private static double float64(Object value, String wanted) {
        if (value instanceof Double) return (Double) value;
        if (value instanceof BigInteger) {
            double number = ((BigInteger) value).doubleValue();
            if (new BigDecimal(number).toBigInteger().equals(value)) return number;
            throw Misfit.range(value, wanted);
        }
        if (!(value instanceof Long)) throw Misfit.type(wanted, value);
        double number = (Long) value;
        if (number == 0x1p63 || (long) number != (Long) value) throw Misfit.range(value, wanted);
        return number;
    }

    /** Rounds, since most writers have doubles alone; what is finite stays finite. */
    private static float float32(Object value) {
        double number = float64(value, "float");
        if (Float.isInfinite((float) number) && !Double.isInfinite(number)) throw Misfit.range(value, "float");
        return (float) number;
    }

    private static String string(Object value) {
        if (value instanceof String) return (String) value;
        String text = LogicalReader.textOf(value);
        if (text == null) throw Misfit.type("string", value);
        return text;
    }

    private List<Object> array(Schema schema, List<?> values) {
        List<Object> array = new ArrayList<>(values.size());
        for (Object value : values) {
            try {
                array.add(read(schema, value));
            } catch (Misfit misfit) {
                throw misfit.in(array.size());
            }
        }
        return array;
    }

    private Map<Object, Object> map(Schema keySchema, Schema valueSchema, Map<?, ?> entries) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            Object key = read(keySchema, entry.getKey());
            try {
                map.put(key, read(valueSchema, entry.getValue()));
            } catch (Misfit misfit) {
                throw misfit.in(entry.getKey());
            }
        }
        return map;
    }

    private Struct struct(Schema schema, Map<?, ?> entries) {
        Struct struct = new Struct(schema);
        for (Field field : schema.fields()) {
            try {
                struct.put(field, read(field.schema(), entries.get(field.name())));
            } catch (Misfit misfit) {
                throw misfit.in(field.name());
            }
        }
        return struct;
    }

    private static Object withoutSchema(Object value) {
        if (value instanceof Instant) return LogicalReader.dateOf(value);
        if (value instanceof BigInteger) return new BigDecimal((BigInteger) value);
        if (value instanceof packord.Timestamp) throw Misfit.range(value, "Timestamp");
        String text = LogicalReader.textOf(value);
        return text != null ? text : value;
    }
}
