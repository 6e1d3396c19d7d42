package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import packord.ErrorKind;

/**
 * The type of a value that was unpacked, for a schema. Elements of an array have one type, which holds all of them:
 * fields of all maps, integers and floats as floats. All is optional, since nothing says that the next message has it.
 */
final class InferredType {
    private enum Kind {
        UNKNOWN,
        BOOLEAN,
        INTEGER,
        DECIMAL,
        FLOAT,
        STRING,
        BYTES,
        DATE,
        TIME,
        TIMESTAMP,
        ARRAY,
        MAP,
        STRUCT
    }

    private static final InferredType UNKNOWN = new InferredType(Kind.UNKNOWN);

    private final Kind kind;
    private int scale;
    private InferredType keys;
    private InferredType elements;
    private final Map<String, InferredType> fields = new LinkedHashMap<>();

    private InferredType(Kind kind) {
        this.kind = kind;
    }

    /** Returns the type of a value. Throws Misfit if elements of an array have no type in common. */
    static InferredType of(Object value) {
        if (value == null) return UNKNOWN;
        if (value instanceof Boolean) return new InferredType(Kind.BOOLEAN);
        if (value instanceof Long) return new InferredType(Kind.INTEGER);
        if (value instanceof BigInteger) return new InferredType(Kind.DECIMAL);
        if (value instanceof Double) return new InferredType(Kind.FLOAT);
        if (value instanceof byte[]) return new InferredType(Kind.BYTES);
        if (value instanceof Instant) return new InferredType(Kind.TIMESTAMP);
        if (value instanceof LocalDate) return new InferredType(Kind.DATE);
        if (value instanceof LocalTime) return new InferredType(Kind.TIME);
        if (value instanceof List) return ofArray((List<?>) value);
        if (value instanceof Map) return ofMap((Map<?, ?>) value);
        if (value instanceof packord.Timestamp) throw Misfit.range(value, "Timestamp");
        if (!(value instanceof BigDecimal)) return new InferredType(Kind.STRING);
        InferredType decimal = new InferredType(Kind.DECIMAL);
        decimal.scale = ((BigDecimal) value).scale();
        return decimal;
    }

    private static InferredType ofArray(List<?> values) {
        InferredType array = new InferredType(Kind.ARRAY);
        array.elements = UNKNOWN;
        int index = 0;
        for (Object value : values) {
            try {
                array.elements = array.elements.with(of(value));
            } catch (Misfit misfit) {
                throw misfit.in(index);
            }
            index++;
        }
        return array;
    }

    private static InferredType ofMap(Map<?, ?> entries) {
        boolean isStruct = entries.keySet().stream().allMatch(String.class::isInstance);
        InferredType map = new InferredType(isStruct ? Kind.STRUCT : Kind.MAP);
        map.keys = UNKNOWN;
        map.elements = UNKNOWN;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            if (!isStruct) map.keys = map.keys.with(of(entry.getKey()));
            try {
                InferredType type = of(entry.getValue());
                if (isStruct) map.fields.put((String) entry.getKey(), type);
                else map.elements = map.elements.with(type);
            } catch (Misfit misfit) {
                throw misfit.in(entry.getKey());
            }
        }
        return map;
    }

    /** Returns the type that holds the values of both. This one may change. */
    private InferredType with(InferredType other) {
        if (kind == Kind.UNKNOWN) return other;
        if (other.kind == Kind.UNKNOWN) return this;
        if (kind != other.kind) return number(other);
        scale = Math.max(scale, other.scale);
        if (kind == Kind.ARRAY || kind == Kind.MAP) elements = elements.with(other.elements);
        if (kind == Kind.MAP) keys = keys.with(other.keys);
        other.fields.forEach((name, type) -> fields.merge(name, type, InferredType::with));
        return this;
    }

    private InferredType number(InferredType other) {
        boolean isLarger = kind.compareTo(other.kind) > 0;
        InferredType larger = isLarger ? this : other;
        InferredType smaller = isLarger ? other : this;
        boolean holds = larger.kind == Kind.DECIMAL || larger.kind == Kind.FLOAT;
        if (smaller.kind != Kind.INTEGER || !holds) {
            throw new Misfit(ErrorKind.TYPE_MISMATCH, "values of several types, which have no schema");
        }
        larger.scale = Math.max(larger.scale, 0);
        return larger;
    }

    /** Returns the schema. A value that is nil everywhere is an optional string. */
    Schema schema() {
        switch (kind) {
            case BOOLEAN:
                return Schema.OPTIONAL_BOOLEAN_SCHEMA;
            case INTEGER:
                return Schema.OPTIONAL_INT64_SCHEMA;
            case DECIMAL:
                return Decimal.builder(scale).optional().build();
            case FLOAT:
                return Schema.OPTIONAL_FLOAT64_SCHEMA;
            case BYTES:
                return Schema.OPTIONAL_BYTES_SCHEMA;
            case DATE:
                return Date.builder().optional().build();
            case TIME:
                return Time.builder().optional().build();
            case TIMESTAMP:
                return Timestamp.builder().optional().build();
            case ARRAY:
                return SchemaBuilder.array(elements.schema()).optional().build();
            case MAP:
                return SchemaBuilder.map(keys.schema(), elements.schema())
                        .optional()
                        .build();
            case STRUCT: {
                SchemaBuilder struct = SchemaBuilder.struct().optional();
                for (Map.Entry<String, InferredType> field : fields.entrySet()) {
                    struct.field(field.getKey(), field.getValue().schema());
                }
                return struct.build();
            }
            default:
                return Schema.OPTIONAL_STRING_SCHEMA;
        }
    }

    /**
     * Whether both have the same schema. A schema that is made of each message, and compared, takes half as long again
     * for a map of ten entries, and ten frames of the stack for a map in a map.
     */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof InferredType)) return false;
        InferredType type = (InferredType) other;
        if (shown() != type.shown() || scale != type.scale || fields.size() != type.fields.size()) return false;
        if (kind == Kind.MAP && !keys.equals(type.keys)) return false;
        if (kind == Kind.MAP || kind == Kind.ARRAY) return elements.equals(type.elements);
        Iterator<Map.Entry<String, InferredType>> others =
                type.fields.entrySet().iterator();
        for (Map.Entry<String, InferredType> field : fields.entrySet()) {
            Map.Entry<String, InferredType> same = others.next();
            if (!field.getKey().equals(same.getKey()) || !field.getValue().equals(same.getValue())) return false;
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = shown().ordinal() + 31 * scale;
        if (kind == Kind.MAP) hash = 31 * hash + keys.hashCode();
        if (kind == Kind.MAP || kind == Kind.ARRAY) hash = 31 * hash + elements.hashCode();
        for (Map.Entry<String, InferredType> field : fields.entrySet()) {
            hash = 31 * (31 * hash + field.getKey().hashCode())
                    + field.getValue().hashCode();
        }
        return hash;
    }

    private Kind shown() {
        return kind == Kind.UNKNOWN ? Kind.STRING : kind;
    }
}
