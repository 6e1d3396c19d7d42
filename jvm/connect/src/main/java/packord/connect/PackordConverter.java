package packord.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.ConverterConfig;
import org.apache.kafka.connect.storage.ConverterType;
import org.apache.kafka.connect.storage.HeaderConverter;
import packord.ErrorKind;
import packord.Extension;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Unpacker;
import packord.ext.RichTypes;

/**
 * Reads and writes keys, values and headers of Kafka Connect as MessagePack. {@link PackordConverterConfig} has the
 * entries of its configuration.
 *
 * <pre>{@code
 * value.converter=packord.connect.PackordConverter
 * value.converter.schema.infer=true
 * }</pre>
 *
 * <p>Bytes that are not one message, and values that do not fit their schema, are a {@link DataException}. Its cause is
 * a {@link PackordException} with the kind of the fault and, in reading, the offset and the path of the value. Threads
 * may share a converter after it is configured.
 */
public final class PackordConverter implements Converter, HeaderConverter, Versioned {
    private static final String SCHEMA = "schema";
    private static final String PAYLOAD = "payload";

    /**
     * The ext types for which Connect or Java has a type. A writer meets values of them with {@link LogicalFormat#EXT}
     * alone.
     */
    private static final List<Extension> TYPES =
            List.of(RichTypes.DECIMAL, RichTypes.UUIDS, RichTypes.DATE, RichTypes.TIME);

    private PackordConverterConfig config;
    private Packer packer;
    private Unpacker unpacker;
    private ConnectWriter writer;
    private ConnectReader reader;
    private Schema given;
    private SchemaCache<Schema, Map<String, Object>> written;
    private SchemaCache<Object, Schema> read;
    private SchemaCache<InferredType, Schema> inferred;

    /** For a configuration that names the class. */
    public PackordConverter() {}

    /** Returns the version of this library, for example 0.1.0. */
    @Override
    public String version() {
        try (InputStream in = PackordConverter.class.getResourceAsStream("version")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    @Override
    public ConfigDef config() {
        return PackordConverterConfig.configDef();
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        Map<String, Object> entries = new HashMap<>(configs);
        ConverterType type = isKey ? ConverterType.KEY : ConverterType.VALUE;
        entries.put(ConverterConfig.TYPE_CONFIG, type.getName());
        configure(entries);
    }

    /** Reads the configuration. */
    @Override
    public void configure(Map<String, ?> configs) {
        config = new PackordConverterConfig(configs);
        LogicalFormat logical = config.logicalFormat();
        int maxDepth = config.getInt(PackordConverterConfig.MAX_DEPTH);
        Options.Builder options = Options.builder().maxDepth(maxDepth);
        for (Extension type : TYPES) options.extension(type);
        packer = Packer.of(options.build().toBuilder()
                .records(config.getBoolean(PackordConverterConfig.RECORDS_ENABLE))
                .columns(config.getBoolean(PackordConverterConfig.COLUMNS_ENABLE))
                .build());
        unpacker = Unpacker.of(options.records(true)
                .columns(true)
                .maxExpansion(config.getLong(PackordConverterConfig.MAX_EXPANSION))
                .unknownExt(Options.UnknownExt.ERROR)
                .build());
        boolean replacesNull = config.getBoolean(PackordConverterConfig.REPLACE_NULL_WITH_DEFAULT);
        writer = new ConnectWriter(logical, replacesNull, maxDepth);
        reader = new ConnectReader(replacesNull);
        int capacity = config.getInt(PackordConverterConfig.SCHEMAS_CACHE_SIZE);
        written = new SchemaCache<>(capacity);
        read = new SchemaCache<>(capacity);
        inferred = new SchemaCache<>(capacity);
        given = config.schemaContent() == null ? null : parsed(config.schemaContent());
    }

    private Schema parsed(String json) {
        try {
            return SchemaMaps.read(Json.parse(json), reader);
        } catch (Misfit misfit) {
            throw wrongSchema(json, misfit.at(-1));
        } catch (RuntimeException exception) { // Of the text, or of a schema that Connect refuses.
            throw wrongSchema(json, exception);
        }
    }

    private static ConfigException wrongSchema(String json, RuntimeException reason) {
        ConfigException exception =
                new ConfigException(PackordConverterConfig.SCHEMA_CONTENT, json, reason.getMessage());
        exception.initCause(reason);
        return exception;
    }

    /**
     * Packs data: one message; null, which deletes, for a null outside an envelope or without a schema. The schema is
     * null for data without one.
     *
     * @throws DataException when the value is not one of the schema, or has no encoding
     */
    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        if (schema == null && value == null) return null;
        try {
            Object plain = writer.write(schema, value);
            if (config.schemasEnabled()) return packer.pack(envelope(schema, plain));
            return plain == null ? null : packer.pack(plain);
        } catch (Misfit misfit) {
            throw dataException(misfit.at(-1));
        } catch (PackordException exception) {
            throw dataException(exception);
        }
    }

    private Map<String, Object> envelope(Schema schema, Object plain) {
        Map<String, Object> envelope = new LinkedHashMap<>(4);
        envelope.put(SCHEMA, schema == null ? null : written.get(schema, s -> SchemaMaps.write(s, writer)));
        envelope.put(PAYLOAD, plain);
        return envelope;
    }

    /**
     * Unpacks a message: the data and their schema, which is null for data without one.
     *
     * @throws DataException when the bytes are not one message, or the data do not fit the schema
     */
    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
        if (value == null) return SchemaAndValue.NULL;
        try {
            Object plain = unpacker.unpack(value);
            if (given != null) return new SchemaAndValue(given, reader.read(given, plain));
            if (config.schemasEnabled()) return fromEnvelope(plain);
            Schema schema = config.getBoolean(PackordConverterConfig.SCHEMA_INFER) ? inferred(plain) : null;
            return new SchemaAndValue(schema, reader.read(schema, plain));
        } catch (Misfit misfit) {
            throw dataException(misfit.at(offset(value, misfit.path())));
        } catch (PackordException exception) {
            throw dataException(exception);
        }
    }

    private Schema inferred(Object plain) {
        return plain == null ? null : inferred.get(InferredType.of(plain), InferredType::schema);
    }

    private SchemaAndValue fromEnvelope(Object plain) {
        Map<?, ?> envelope = plain instanceof Map ? (Map<?, ?>) plain : Map.of();
        if (envelope.size() != 2 || !envelope.containsKey(SCHEMA) || !envelope.containsKey(PAYLOAD)) {
            throw new Misfit(
                    ErrorKind.TYPE_MISMATCH,
                    TypeNames.of(plain)
                            + " for a map of schema and payload; for data alone, set "
                            + PackordConverterConfig.SCHEMAS_ENABLE
                            + "=false");
        }
        Schema schema = null;
        if (envelope.get(SCHEMA) != null) {
            try {
                schema = read.get(envelope.get(SCHEMA), map -> SchemaMaps.read(map, reader));
            } catch (Misfit misfit) {
                throw misfit.in(SCHEMA);
            }
        }
        try {
            return new SchemaAndValue(schema, reader.read(schema, envelope.get(PAYLOAD)));
        } catch (Misfit misfit) {
            throw misfit.in(PAYLOAD);
        }
    }

    /** Returns the offset of the value at a path, or of the nearest around it that is not within an ext. */
    private long offset(byte[] message, Object[] path) {
        for (int steps = path.length; ; steps--) {
            long offset = unpacker.view(message).offset(Arrays.copyOf(path, steps));
            if (offset >= 0) return offset;
        }
    }

    private static DataException dataException(PackordException exception) {
        return new DataException(exception.getMessage(), exception);
    }

    @Override
    public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
        return fromConnectData(topic, schema, value);
    }

    @Override
    public SchemaAndValue toConnectHeader(String topic, String headerKey, byte[] value) {
        return toConnectData(topic, value);
    }

    /** Does nothing: a converter holds no resource. */
    @Override
    public void close() {}
}
