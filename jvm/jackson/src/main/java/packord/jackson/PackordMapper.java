package packord.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.time.Instant;
import packord.Ext;
import packord.Timestamp;

/**
 * A mapper of MessagePack. Instant and {@link Timestamp} are timestamps, {@link Ext} is an ext.
 *
 * <pre>{@code
 * ObjectMapper mapper = new PackordMapper();
 * byte[] bytes = mapper.writeValueAsBytes(user);
 * User same = mapper.readValue(bytes, User.class);
 * }</pre>
 *
 * <p>Bytes that are not a message, and values that MessagePack cannot hold, are the errors of {@link PackordFactory};
 * values that do not fit a class are Jackson's own. {@code writeValueAsString} and {@code readValue} of a string throw
 * an {@link UnsupportedOperationException}.
 */
public final class PackordMapper extends ObjectMapper {
    private static final long serialVersionUID = 1L;

    /** Makes a mapper with the default options. */
    public PackordMapper() {
        this(new PackordFactory());
    }

    /** Makes a mapper whose generators and parsers, with their options, a factory makes. */
    public PackordMapper(PackordFactory factory) {
        super(factory);
        SimpleModule module = new SimpleModule("packord");
        add(module, Instant.class);
        add(module, Timestamp.class);
        add(module, Ext.class);
        registerModule(module);
    }

    private PackordMapper(PackordMapper other) {
        super(other);
    }

    @Override
    public ObjectMapper copy() {
        return new PackordMapper(this);
    }

    private static <T> void add(SimpleModule module, Class<T> type) {
        module.addSerializer(type, new Embedded.Writer<>(type));
        module.addDeserializer(type, new Embedded.Reader<>(type));
    }

    /** Values that the format itself knows. */
    private static final class Embedded {
        private Embedded() {}

        private static final class Writer<T> extends StdScalarSerializer<T> {
            private static final long serialVersionUID = 1L;

            Writer(Class<T> type) {
                super(type);
            }

            @Override
            public void serialize(T value, JsonGenerator generator, SerializerProvider provider) throws IOException {
                generator.writeEmbeddedObject(value);
            }
        }

        private static final class Reader<T> extends StdScalarDeserializer<T> {
            private static final long serialVersionUID = 1L;

            Reader(Class<T> type) {
                super(type);
            }

            @Override
            @SuppressWarnings("unchecked")
            public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
                Object value = parser.getEmbeddedObject();
                return handledType().isInstance(value)
                        ? (T) value
                        : (T) context.handleUnexpectedToken(handledType(), parser);
            }
        }
    }
}
