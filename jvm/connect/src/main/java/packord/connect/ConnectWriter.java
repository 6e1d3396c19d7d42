package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import packord.ErrorKind;

/** Makes of Connect data what a packer of packord packs. */
final class ConnectWriter {
    private static final BigInteger MAX_UINT64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /** The classes of scalars but bytes. */
    private static final Map<Schema.Type, Class<?>> SCALARS = Map.of(
            Schema.Type.BOOLEAN, Boolean.class,
            Schema.Type.INT8, Byte.class,
            Schema.Type.INT16, Short.class,
            Schema.Type.INT32, Integer.class,
            Schema.Type.INT64, Long.class,
            Schema.Type.FLOAT32, Float.class,
            Schema.Type.FLOAT64, Double.class,
            Schema.Type.STRING, CharSequence.class);

    private final LogicalFormat logical;
    private final boolean replacesNull;
    private final int maxDepth;

    ConnectWriter(LogicalFormat logical, boolean replacesNull, int maxDepth) {
        this.logical = logical;
        this.replacesNull = replacesNull;
        this.maxDepth = maxDepth;
    }

    /**
     * Returns what is packed for a value of a schema, or for data without one if the schema is null. Throws Misfit if
     * the value is not one of the schema.
     */
    Object write(Schema schema, Object value) {
        return write(schema, value, 0);
    }

    /** Writes a value within {@code depth} containers. */
    private Object write(Schema schema, Object value, int depth) {
        if (schema == null) {
            if (value instanceof Struct) return struct(((Struct) value).schema(), (Struct) value, depth);
            if (value instanceof Map) return map(null, null, (Map<?, ?>) value, depth);
            return value instanceof Collection ? array(null, (Collection<?>) value, depth) : withoutSchema(value);
        }
        if (value == null) return missing(schema, depth);
        if (LogicalFormat.isLogical(schema)) return logical.write(schema, value);
        switch (schema.type()) {
            case ARRAY:
                return array(schema.valueSchema(), Misfit.instance(Collection.class, "array", value), depth);
            case MAP:
                return map(schema.keySchema(), schema.valueSchema(), Misfit.instance(Map.class, "map", value), depth);
            case STRUCT:
                return struct(schema, Misfit.instance(Struct.class, "struct", value), depth);
            default:
                return scalar(schema, value);
        }
    }

    /** Is apart from what calls itself, whose frames would hold its variables at each level. */
    private static Object scalar(Schema schema, Object value) {
        Class<?> type = SCALARS.get(schema.type());
        if (type == null) return bytes(value);
        Object scalar = Misfit.instance(type, SchemaMaps.typeName(schema.type()), value);
        return schema.type() == Schema.Type.STRING ? scalar.toString() : scalar;
    }

    private Object missing(Schema schema, int depth) {
        if (schema.defaultValue() != null && replacesNull) return write(schema, schema.defaultValue(), depth);
        if (schema.isOptional()) return null;
        throw Misfit.type(SchemaMaps.typeName(schema.type()), null);
    }

    /** Takes the whole of a buffer, wherever its position is, as Kafka's own converters do. */
    private static byte[] bytes(Object value) {
        if (value instanceof byte[]) return (byte[]) value;
        if (!(value instanceof ByteBuffer)) throw Misfit.type("bytes", value);
        ByteBuffer whole = ((ByteBuffer) value).duplicate();
        whole.rewind();
        byte[] bytes = new byte[whole.remaining()];
        whole.get(bytes);
        return bytes;
    }

    /** Returns the depth within a container, which a value that contains itself exceeds. */
    private int inside(int depth) {
        if (depth == maxDepth) throw new Misfit(ErrorKind.DEPTH_LIMIT, null);
        return depth + 1;
    }

    private List<Object> array(Schema schema, Collection<?> values, int outside) {
        int depth = inside(outside);
        List<Object> array = new ArrayList<>(values.size());
        for (Object value : values) {
            try {
                array.add(write(schema, value, depth));
            } catch (Misfit misfit) {
                throw misfit.in(array.size());
            }
        }
        return array;
    }

    private Map<Object, Object> map(Schema keySchema, Schema valueSchema, Map<?, ?> entries, int outside) {
        int depth = inside(outside);
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            Object key = write(keySchema, entry.getKey(), depth);
            try {
                map.put(key, write(valueSchema, entry.getValue(), depth));
            } catch (Misfit misfit) {
                throw misfit.in(String.valueOf(key));
            }
        }
        return map;
    }

    private Map<Object, Object> struct(Schema schema, Struct struct, int outside) {
        int depth = inside(outside);
        if (!struct.schema().equals(schema)) {
            throw new Misfit(ErrorKind.TYPE_MISMATCH, "struct of another schema");
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Field field : schema.fields()) {
            try {
                map.put(field.name(), write(field.schema(), struct.getWithoutDefault(field.name()), depth));
            } catch (Misfit misfit) {
                throw misfit.in(field.name());
            }
        }
        return map;
    }

    private Object withoutSchema(Object value) {
        if (value == null
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double) {
            return value;
        }
        if (value instanceof CharSequence) return value.toString();
        if (value instanceof byte[] || value instanceof ByteBuffer) return bytes(value);
        if (value instanceof Date) return logical.timestamp(((Date) value).getTime());
        if (value instanceof BigDecimal) return decimal((BigDecimal) value);
        throw new Misfit(ErrorKind.UNSUPPORTED_TYPE, value.getClass().getName());
    }

    /** An integer of 64 bits without a sign is read as a decimal of scale 0. */
    private Object decimal(BigDecimal value) {
        boolean isUnsigned = value.scale() == 0
                && value.signum() >= 0
                && value.unscaledValue().compareTo(MAX_UINT64) <= 0;
        return isUnsigned ? value.unscaledValue() : logical.decimal(null, value);
    }
}
