package packord.connect;

import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.storage.ConverterConfig;

/**
 * The configuration of {@link PackordConverter}. In the configuration of a worker or connector the entries have a
 * prefix: {@code key.converter.}, {@code value.converter.} or {@code header.converter.}.
 */
public final class PackordConverterConfig extends ConverterConfig {
    /** Whether messages have an envelope with their schema: {@code {"schema": …, "payload": …}}. */
    public static final String SCHEMAS_ENABLE = "schemas.enable";

    /** The schema of all messages that are read, as JSON. */
    public static final String SCHEMA_CONTENT = "schema.content";

    /** Whether data that have no schema get that of their own types. */
    public static final String SCHEMA_INFER = "schema.infer";

    /** How many schemas are kept. */
    public static final String SCHEMAS_CACHE_SIZE = "schemas.cache.size";

    /** Whether a null becomes the default value of its schema. */
    public static final String REPLACE_NULL_WITH_DEFAULT = "replace.null.with.default";

    /** How decimals, dates, times and timestamps are written: text, ext or number. */
    public static final String LOGICAL_FORMAT = "logical.format";

    /** Whether records are written. */
    public static final String RECORDS_ENABLE = "records.enable";

    /** Whether columns are written. */
    public static final String COLUMNS_ENABLE = "columns.enable";

    /** How many containers may be open at once. */
    public static final String MAX_DEPTH = "max.depth";

    /** The largest size of a value that is stored by column, in sizes of its payload. */
    public static final String MAX_EXPANSION = "max.expansion";

    private static final ConfigDef DEFINITION = define();

    private static ConfigDef define() {
        ConfigDef def = ConverterConfig.newConfigDef();
        Group schemas = new Group(def, "Schemas");
        schemas.entry(SCHEMAS_ENABLE, "Enable schemas", Type.BOOLEAN, false, null, Importance.HIGH)
                .says("Whether a message is a map of two entries, schema and payload. The schema has the form that"
                        + " the JsonConverter of Kafka gives it. If false, messages are the data alone.");
        schemas.entry(SCHEMA_CONTENT, "Schema", Type.STRING, null, null, Importance.HIGH)
                .says("The schema of all messages that are read, as JSON in the form that the JsonConverter of Kafka"
                        + " gives schemas. Messages are then read as data without an envelope. Writing is not"
                        + " affected.");
        schemas.entry(SCHEMA_INFER, "Infer schemas", Type.BOOLEAN, false, null, Importance.HIGH)
                .says("Whether data that are read without a schema get one from their own types, message by message:"
                        + " maps with string keys become structs of optional fields. If false, they are read as"
                        + " data without a schema.");
        schemas.entry(SCHEMAS_CACHE_SIZE, "Schema cache size", Type.INT, 1000, Range.atLeast(0), Importance.LOW)
                .says("The maximum number of schemas that are kept for later messages, in each direction.");
        Group values = new Group(def, "Values");
        values.entry(REPLACE_NULL_WITH_DEFAULT, "Replace null with default", Type.BOOLEAN, true, null, Importance.LOW)
                .says("Whether a null is replaced by the default value of its schema, in both directions.");
        Validator formats = ConfigDef.CaseInsensitiveValidString.in("text", "ext", "number");
        values.entry(LOGICAL_FORMAT, "Logical types", Type.STRING, "text", formats, Importance.MEDIUM)
                .says("How logical types are written. text: Decimal, Date and Time as strings, Timestamp as a"
                        + " timestamp of MessagePack. ext: the same, but Decimal, Date and Time as ext types 84, 87"
                        + " and 88 of packord. number: as Connect's own bytes and integers. All are read, whatever is"
                        + " set here.");
        values.entry(RECORDS_ENABLE, "Write records", Type.BOOLEAN, false, null, Importance.MEDIUM)
                .says("Whether maps of the same keys within a message are written as records, which name the keys once."
                        + " Records are always read.");
        values.entry(COLUMNS_ENABLE, "Write columns", Type.BOOLEAN, false, null, Importance.MEDIUM)
                .says("Whether arrays of similar values within a message are written by column where that is smaller."
                        + " Columns are always read.");
        values.entry(MAX_DEPTH, "Maximum depth", Type.INT, 1024, Range.between(1, 1024), Importance.LOW)
                .says("The maximum number of arrays and maps that may be open at once, in both directions.");
        values.entry(MAX_EXPANSION, "Maximum expansion", Type.LONG, 16L, Range.atLeast(0), Importance.LOW)
                .says("The maximum size of a value that is stored by column, as plain MessagePack, in sizes of its"
                        + " payload.");
        return def;
    }

    /** Defines the entries of a group in their order, each when its documentation is given. */
    private static final class Group {
        private final ConfigDef def;
        private final String name;
        private int order;
        private Consumer<String> define;

        Group(ConfigDef def, String name) {
            this.def = def;
            this.name = name;
        }

        Group entry(String key, String shown, Type type, Object usual, Validator validator, Importance importance) {
            // An entry without a default is a long text.
            Width width = usual == null ? Width.LONG : Width.MEDIUM;
            define = documentation ->
                    def.define(key, type, usual, validator, importance, documentation, name, order++, width, shown);
            return this;
        }

        void says(String documentation) {
            define.accept(documentation);
        }
    }

    /** Reads a configuration. */
    @SuppressWarnings("this-escape") // The superclass has no method that this class overrides.
    public PackordConverterConfig(Map<String, ?> entries) {
        super(DEFINITION, entries);
        if (schemasEnabled() && getBoolean(SCHEMA_INFER)) {
            throw new ConfigException(SCHEMA_INFER, true, "cannot be set with " + SCHEMAS_ENABLE);
        }
        if (schemaContent() != null && getBoolean(SCHEMA_INFER)) {
            throw new ConfigException(SCHEMA_INFER, true, "cannot be set with " + SCHEMA_CONTENT);
        }
    }

    /** Returns the definition of all entries, with their documentation. */
    public static ConfigDef configDef() {
        return DEFINITION;
    }

    boolean schemasEnabled() {
        return getBoolean(SCHEMAS_ENABLE);
    }

    /** Returns the JSON of the schema, or null. */
    String schemaContent() {
        String content = getString(SCHEMA_CONTENT);
        return content == null || content.isBlank() ? null : content;
    }

    LogicalFormat logicalFormat() {
        return LogicalFormat.valueOf(getString(LOGICAL_FORMAT).toUpperCase(Locale.ROOT));
    }
}
