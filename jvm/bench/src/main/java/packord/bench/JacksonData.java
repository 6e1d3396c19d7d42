package packord.bench;

import clojure.lang.ITransientCollection;
import clojure.lang.ITransientMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentVector;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * jackson-databind to and from Clojure's data, the way of jsonista: a module with a deserializer for maps and one for
 * lists, a key deserializer, and serializers for keywords.
 */
public final class JacksonData {
    private JacksonData() {}

    /** A mapper for the format of the factory: JSON, Smile, CBOR or MessagePack. */
    public static ObjectMapper mapper(JsonFactory factory, boolean keywords) {
        SimpleModule module = new SimpleModule("clojure");
        module.addDeserializer(List.class, new Vectors());
        module.addDeserializer(Map.class, new Maps());
        module.addSerializer(Keyword.class, new Values());
        module.addKeySerializer(Keyword.class, new Keys());
        if (keywords) module.addKeyDeserializer(Object.class, new KeywordKeys());
        ObjectMapper mapper = factory == null ? new ObjectMapper() : new ObjectMapper(factory);
        mapper.enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_LONG_FOR_INTS);
        mapper.registerModule(module);
        return mapper;
    }

    private static final class KeywordKeys extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return Keyword.intern(key);
        }
    }

    private static final class Maps extends StdDeserializer<Map<?, ?>> {
        private static final long serialVersionUID = 1L;

        Maps() {
            super(Map.class);
        }

        @Override
        public Map<?, ?> deserialize(JsonParser p, DeserializationContext context) throws IOException {
            ITransientMap m = PersistentArrayMap.EMPTY.asTransient();
            var object = context.constructType(Object.class);
            KeyDeserializer keys = context.findKeyDeserializer(object, null);
            var values = context.findNonContextualValueDeserializer(object);
            while (p.nextToken() != JsonToken.END_OBJECT) {
                Object key = keys.deserializeKey(p.currentName(), context);
                p.nextToken();
                m = m.assoc(key, values.deserialize(p, context));
            }
            return (Map<?, ?>) m.persistent();
        }
    }

    private static final class Vectors extends StdDeserializer<List<?>> {
        private static final long serialVersionUID = 1L;

        Vectors() {
            super(List.class);
        }

        @Override
        public List<?> deserialize(JsonParser p, DeserializationContext context) throws IOException {
            ITransientCollection v = PersistentVector.EMPTY.asTransient();
            var values = context.findNonContextualValueDeserializer(context.constructType(Object.class));
            while (p.nextToken() != JsonToken.END_ARRAY) v = v.conj(values.deserialize(p, context));
            return (List<?>) v.persistent();
        }
    }

    private static final class Values extends StdSerializer<Keyword> {
        private static final long serialVersionUID = 1L;

        Values() {
            super(Keyword.class);
        }

        @Override
        public void serialize(Keyword k, JsonGenerator g, SerializerProvider provider) throws IOException {
            g.writeString(k.sym.toString());
        }
    }

    private static final class Keys extends StdSerializer<Keyword> {
        private static final long serialVersionUID = 1L;

        Keys() {
            super(Keyword.class);
        }

        @Override
        public void serialize(Keyword k, JsonGenerator g, SerializerProvider provider) throws IOException {
            g.writeFieldName(k.sym.toString());
        }
    }
}
