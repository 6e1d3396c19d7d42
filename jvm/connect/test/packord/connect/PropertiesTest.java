package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.notation;
import static packord.connect.Converters.packed;
import static packord.connect.Converters.unpacked;
import static packord.connect.Converters.withSchemas;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;
import packord.Notation;

/** What holds for data of any schema. */
class PropertiesTest {
    private static final int ROUNDS = 400;

    /** Bytes are compared by what is in them. */
    private static Object comparable(Object value) {
        if (value instanceof byte[]) return ByteBuffer.wrap((byte[]) value);
        if (value instanceof List) {
            List<Object> all = new ArrayList<>();
            ((List<?>) value).forEach(element -> all.add(comparable(element)));
            return all;
        }
        if (value instanceof Map) {
            Map<Object, Object> all = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((key, entry) -> all.put(key, comparable(entry)));
            return all;
        }
        if (!(value instanceof Struct)) return value;
        Map<Object, Object> all = new LinkedHashMap<>();
        Struct struct = (Struct) value;
        for (Field field : struct.schema().fields()) all.put(field, comparable(struct.get(field)));
        return all;
    }

    @Test
    void whatIsWrittenWithItsSchemaIsReadAsItWas() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomData data = new RandomData(seed);
            Schema schema = data.schema(3);
            Object value = data.value(schema);
            Object expected = value == null ? schema.defaultValue() : value;
            for (String format : List.of("text", "ext", "number")) {
                PackordConverter converter = withSchemas(
                        "logical.format", format, "records.enable", seed % 2 == 0, "columns.enable", seed % 3 == 0);
                SchemaAndValue back = converter.toConnectData(TOPIC, converter.fromConnectData(TOPIC, schema, value));
                assertEquals(schema, back.schema(), "seed " + seed);
                assertEquals(comparable(expected), comparable(back.value()), "seed " + seed);
            }
        }
    }

    @Test
    void withTheSameGivenSchemaNoEnvelopeIsNeeded() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomData data = new RandomData(seed);
            Schema schema = data.schema(3);
            Object value = data.value(schema);
            byte[] envelope = withSchemas().fromConnectData(TOPIC, schema, value);
            Object content = ((Map<?, ?>) unpacked(envelope)).get("schema");
            PackordConverter converter = converter("schema.content", json(content));
            byte[] message = converter.fromConnectData(TOPIC, schema, value);
            if (message == null) {
                assertNull(value);
                continue;
            }
            Object expected = value == null ? schema.defaultValue() : value;
            SchemaAndValue back = converter.toConnectData(TOPIC, message);
            assertEquals(schema, back.schema(), "seed " + seed);
            assertEquals(comparable(expected), comparable(back.value()), "seed " + seed);
        }
    }

    private static String json(Object value) {
        return Notation.of(value).replaceAll("timestamp\\((.*?)\\)", "$1");
    }

    @Test
    void schemasHaveTheFormThatTheJsonConverterGivesThem() {
        JsonConverter json = new JsonConverter();
        json.configure(Map.of("schemas.enable", true), false);
        PackordConverter converter = withSchemas("logical.format", "number");
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomData data = new RandomData(seed);
            Schema schema = data.schema(3);
            Object value = data.value(schema);
            String text = new String(json.fromConnectData(TOPIC, schema, value), StandardCharsets.UTF_8);
            Map<?, ?> expected = (Map<?, ?>) unpacked(packed(text));
            Map<?, ?> actual = (Map<?, ?>) unpacked(converter.fromConnectData(TOPIC, schema, value));
            assertEquals(inJson(expected.get("schema")), inJson(actual.get("schema")), "seed " + seed);
            assertEquals(inJson(expected.get("payload")), inJson(actual.get("payload")), "seed " + seed);
            assertEquals(
                    schema,
                    json.toConnectData(TOPIC, text.getBytes(StandardCharsets.UTF_8))
                            .schema());
        }
    }

    /** JSON has no bytes and no floats of 32 bits. */
    private static Object inJson(Object value) {
        if (value instanceof byte[]) return Base64.getEncoder().encodeToString((byte[]) value);
        if (value instanceof Double) return ((Double) value).floatValue();
        if (value instanceof List) {
            List<Object> all = new ArrayList<>();
            ((List<?>) value).forEach(element -> all.add(inJson(element)));
            return all;
        }
        if (!(value instanceof Map)) return value;
        Map<Object, Object> all = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((key, entry) -> all.put(key, inJson(entry)));
        return all;
    }

    @Test
    void dataWithoutASchemaAreReadAsTheyWereWritten() {
        for (String text : List.of(
                "nil",
                "true",
                "-7",
                "0.5",
                "\"é\"",
                "h'00ff'",
                "[1, nil, [\"a\"], {}]",
                "{\"a\": {\"b\": [1.5]}}",
                "{1: \"one\", true: h'01', 2.5: nil}",
                "timestamp(\"2017-07-14T02:40:00.123Z\")",
                "18446744073709551615")) {
            Object value = converter().toConnectData(TOPIC, packed(text)).value();
            if (value != null) assertEquals(text, notation(converter().fromConnectData(TOPIC, null, value)));
        }
    }

    @Test
    void dataWithAnInferredSchemaAreWrittenAsTheyWere() {
        for (String text : List.of(
                "true",
                "-7",
                "0.5",
                "\"é\"",
                "h'00ff'",
                "[1, nil, 3]",
                "{\"a\": {\"b\": [1.5]}, \"c\": nil}",
                "{1: \"one\", 2: nil}",
                "timestamp(\"2017-07-14T02:40:00.123Z\")",
                "[[], [{\"a\": 1}]]")) {
            PackordConverter converter = converter("schema.infer", true);
            SchemaAndValue data = converter.toConnectData(TOPIC, packed(text));
            assertEquals(text, notation(converter.fromConnectData(TOPIC, data.schema(), data.value())));
        }
    }
}
