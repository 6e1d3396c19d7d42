package packord.connect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.errors.SchemaBuilderException;
import packord.ErrorKind;

/** Schemas as maps, with the keys and names that Kafka's JsonConverter has. */
final class SchemaMaps {
    private static final Map<String, Schema.Type> SCALARS = Arrays.stream(Schema.Type.values())
            .filter(Schema.Type::isPrimitive)
            .collect(Collectors.toMap(SchemaMaps::typeName, type -> type));

    private SchemaMaps() {}

    /** Returns what a type of schemas is called in their maps. */
    static String typeName(Schema.Type type) {
        switch (type) {
            case FLOAT32:
                return "float";
            case FLOAT64:
                return "double";
            default:
                return type.name().toLowerCase(Locale.ROOT);
        }
    }

    static Map<String, Object> write(Schema schema, ConnectWriter values) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("type", typeName(schema.type()));
        switch (schema.type()) {
            case ARRAY:
                map.put("items", write(schema.valueSchema(), values));
                break;
            case MAP:
                map.put("keys", write(schema.keySchema(), values));
                map.put("values", write(schema.valueSchema(), values));
                break;
            case STRUCT: {
                List<Object> fields = new ArrayList<>();
                for (Field field : schema.fields()) {
                    Map<String, Object> entries = write(field.schema(), values);
                    entries.put("field", field.name());
                    fields.add(entries);
                }
                map.put("fields", fields);
                break;
            }
            default:
        }
        map.put("optional", schema.isOptional());
        if (schema.name() != null) map.put("name", schema.name());
        if (schema.version() != null) map.put("version", schema.version());
        if (schema.doc() != null) map.put("doc", schema.doc());
        if (schema.parameters() != null) map.put("parameters", new LinkedHashMap<>(schema.parameters()));
        if (schema.defaultValue() != null) map.put("default", values.write(schema, schema.defaultValue()));
        return map;
    }

    /** Returns the schema of a map. Throws Misfit if it is not that of a schema. */
    static Schema read(Object map, ConnectReader values) {
        if (!(map instanceof Map)) throw Misfit.type("a schema", map);
        Map<?, ?> entries = (Map<?, ?>) map;
        try {
            SchemaBuilder builder = builder(entries, values);
            String name = entry(entries, "name", String.class, "string");
            if (name != null) builder.name(name);
            String doc = entry(entries, "doc", String.class, "string");
            if (doc != null) builder.doc(doc);
            Long version = entry(entries, "version", Long.class, "int32");
            if (version != null) builder.version(version(version));
            addParameters(builder, entry(entries, "parameters", Map.class, "map"));
            boolean isOptional = Boolean.TRUE.equals(entry(entries, "optional", Boolean.class, "boolean"));
            if (isOptional) builder.optional();
            LogicalFormat.check(builder);
            Object value = entries.get("default");
            if (value != null) builder.defaultValue(inside("default", () -> values.read(builder, value)));
            return builder.build();
        } catch (SchemaBuilderException exception) {
            throw new Misfit(ErrorKind.TYPE_MISMATCH, exception.getMessage());
        }
    }

    private static SchemaBuilder builder(Map<?, ?> entries, ConnectReader values) {
        String type = entry(entries, "type", String.class, "string");
        if (SCALARS.containsKey(type)) return new SchemaBuilder(SCALARS.get(type));
        switch (type == null ? "" : type) {
            case "array":
                return SchemaBuilder.array(inner(entries, "items", values));
            case "map":
                return SchemaBuilder.map(inner(entries, "keys", values), inner(entries, "values", values));
            case "struct":
                return struct(entries, values);
            default:
                throw new Misfit(ErrorKind.TYPE_MISMATCH, type + " for the type of a schema").in("type");
        }
    }

    /** Without a function that is called, whose frames would be on the stack for each level of a schema. */
    private static Schema inner(Map<?, ?> entries, String key, ConnectReader values) {
        try {
            return read(entries.get(key), values);
        } catch (Misfit misfit) {
            throw misfit.in(key);
        }
    }

    private static SchemaBuilder struct(Map<?, ?> entries, ConnectReader values) {
        List<?> fields = entry(entries, "fields", List.class, "array");
        if (fields == null) throw Misfit.type("array", null).in("fields");
        SchemaBuilder builder = SchemaBuilder.struct();
        for (int i = 0; i < fields.size(); i++) {
            Object field = fields.get(i);
            try {
                Schema schema = read(field, values);
                String name = entry((Map<?, ?>) field, "field", String.class, "string");
                if (name == null) throw Misfit.type("string", null).in("field");
                builder.field(name, schema);
            } catch (Misfit misfit) {
                throw misfit.in(i).in("fields");
            }
        }
        return builder;
    }

    private static void addParameters(SchemaBuilder builder, Map<?, ?> parameters) {
        if (parameters == null) return;
        for (Object key : parameters.keySet()) {
            if (!(key instanceof String)) throw Misfit.type("string", key).in("parameters");
            String value = inside("parameters", () -> entry(parameters, (String) key, String.class, "string"));
            builder.parameter((String) key, value);
        }
    }

    private static int version(Long value) {
        if (value != value.intValue()) throw Misfit.range(value, "int32").in("version");
        return value.intValue();
    }

    /** Returns the value of a key, or null if it is nil or missing. */
    private static <T> T entry(Map<?, ?> entries, String key, Class<T> type, String wanted) {
        Object value = entries.get(key);
        if (value != null && !type.isInstance(value))
            throw Misfit.type(wanted, value).in(key);
        return type.cast(value);
    }

    private static <T> T inside(String key, Supplier<T> read) {
        try {
            return read.get();
        } catch (Misfit misfit) {
            throw misfit.in(key);
        }
    }
}
