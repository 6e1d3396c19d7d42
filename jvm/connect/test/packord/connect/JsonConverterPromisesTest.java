package packord.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.notation;
import static packord.connect.Converters.packed;
import static packord.connect.Converters.withSchemas;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Kafka's own converters promise, with MessagePack in place of JSON: those of the JsonConverter with schemas, of
 * the converters of numbers and of the converter of bytes. Where this converter differs by intention, the name of the
 * test says so.
 */
class JsonConverterPromisesTest {
    private static final String DECIMAL = "org.apache.kafka.connect.data.Decimal";
    private static final String DATE = "org.apache.kafka.connect.data.Date";
    private static final String TIME = "org.apache.kafka.connect.data.Time";
    private static final String TIMESTAMP = "org.apache.kafka.connect.data.Timestamp";

    private static final Schema DATE_SCHEMA = org.apache.kafka.connect.data.Date.SCHEMA;
    private static final Date DAY_10000 = new Date(10_000L * 86_400_000);
    private static final Schema THREE = SchemaBuilder.array(Schema.INT32_SCHEMA).build();
    private static final Schema BY_NAME =
            SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.INT32_SCHEMA).build();
    private static final Schema BY_NUMBER =
            SchemaBuilder.map(Schema.INT32_SCHEMA, Schema.INT32_SCHEMA).build();
    private static final Schema PAIR = SchemaBuilder.struct()
            .field("field1", Schema.BOOLEAN_SCHEMA)
            .field("field2", Schema.STRING_SCHEMA)
            .build();
    private static final Schema HALF = SchemaBuilder.struct()
            .field("optional", Schema.OPTIONAL_STRING_SCHEMA)
            .field("required", Schema.STRING_SCHEMA)
            .build();

    /** A schema and a value, the notation of both, in an envelope. */
    static Stream<Arguments> values() {
        return Stream.of(
                both(Schema.BOOLEAN_SCHEMA, true, "'type': 'boolean', 'optional': false", "true"),
                both(Schema.BOOLEAN_SCHEMA, false, "'type': 'boolean', 'optional': false", "false"),
                both(Schema.OPTIONAL_BOOLEAN_SCHEMA, null, "'type': 'boolean', 'optional': true", "nil"),
                both(
                        SchemaBuilder.bool().defaultValue(true).build(),
                        true,
                        "'type': 'boolean', 'optional': false, 'default': true",
                        "true"),
                both(
                        SchemaBuilder.bool()
                                .name("bool")
                                .version(2)
                                .doc("the documentation")
                                .parameter("a", "b")
                                .build(),
                        true,
                        "'type': 'boolean', 'optional': false, 'name': 'bool', 'version': 2,"
                                + " 'doc': 'the documentation', 'parameters': {'a': 'b'}",
                        "true"),
                both(Schema.INT8_SCHEMA, (byte) 12, "'type': 'int8', 'optional': false", "12"),
                both(Schema.INT16_SCHEMA, (short) 12, "'type': 'int16', 'optional': false", "12"),
                both(Schema.INT32_SCHEMA, 12, "'type': 'int32', 'optional': false", "12"),
                both(Schema.INT64_SCHEMA, 12L, "'type': 'int64', 'optional': false", "12"),
                both(Schema.INT64_SCHEMA, 1L << 42, "'type': 'int64', 'optional': false", "4398046511104"),
                both(Schema.FLOAT32_SCHEMA, 12.34f, "'type': 'float', 'optional': false", "12.34_f32"),
                both(Schema.FLOAT64_SCHEMA, 12.34, "'type': 'double', 'optional': false", "12.34"),
                both(Schema.STRING_SCHEMA, "foo-bar-baz", "'type': 'string', 'optional': false", "'foo-bar-baz'"),
                both(
                        THREE,
                        List.of(1, 2, 3),
                        "'type': 'array', 'items': {'type': 'int32', 'optional': false}, 'optional': false",
                        "[1, 2, 3]"),
                both(
                        BY_NAME,
                        Map.of("key1", 12),
                        "'type': 'map', 'keys': {'type': 'string', 'optional': false},"
                                + " 'values': {'type': 'int32', 'optional': false}, 'optional': false",
                        "{'key1': 12}"),
                both(
                        PAIR,
                        new Struct(PAIR).put("field1", true).put("field2", "string"),
                        "'type': 'struct', 'fields': [{'type': 'boolean', 'optional': false, 'field': 'field1'},"
                                + " {'type': 'string', 'optional': false, 'field': 'field2'}], 'optional': false",
                        "{'field1': true, 'field2': 'string'}"),
                both(
                        HALF,
                        new Struct(HALF).put("required", "r"),
                        "'type': 'struct', 'fields': [{'type': 'string', 'optional': true, 'field': 'optional'},"
                                + " {'type': 'string', 'optional': false, 'field': 'required'}], 'optional': false",
                        "{'optional': nil, 'required': 'r'}"),
                both(
                        Decimal.schema(2),
                        new BigDecimal("1.56"),
                        "'type': 'bytes', 'optional': false, 'name': '" + DECIMAL + "', 'version': 1,"
                                + " 'parameters': {'scale': '2'}",
                        "'1.56'"),
                both(
                        Decimal.schema(4),
                        new BigDecimal("1.5600"),
                        "'type': 'bytes', 'optional': false, 'name': '" + DECIMAL + "', 'version': 1,"
                                + " 'parameters': {'scale': '4'}",
                        "'1.5600'"),
                both(
                        Decimal.schema(17),
                        new BigDecimal("1.23456789123456789"),
                        "'type': 'bytes', 'optional': false, 'name': '" + DECIMAL + "', 'version': 1,"
                                + " 'parameters': {'scale': '17'}",
                        "'1.23456789123456789'"),
                both(
                        Decimal.builder(2).optional().build(),
                        null,
                        "'type': 'bytes', 'optional': true, 'name': '" + DECIMAL + "', 'version': 1,"
                                + " 'parameters': {'scale': '2'}",
                        "nil"),
                both(
                        DATE_SCHEMA,
                        DAY_10000,
                        "'type': 'int32', 'optional': false, 'name': '" + DATE + "', 'version': 1",
                        "'1997-05-19'"),
                both(
                        Time.SCHEMA,
                        new Date(14_400_000),
                        "'type': 'int32', 'optional': false, 'name': '" + TIME + "', 'version': 1",
                        "'04:00:00'"),
                both(
                        Timestamp.SCHEMA,
                        new Date(4_000_000_000L),
                        "'type': 'int64', 'optional': false, 'name': '" + TIMESTAMP + "', 'version': 1",
                        "timestamp(4000000, 0)"));
    }

    private static Arguments both(Schema schema, Object value, String schemaNotation, String valueNotation) {
        String envelope = "{'schema': {" + schemaNotation + "}, 'payload': " + valueNotation + "}";
        return Arguments.of(schema, value, envelope.replace('\'', '"'));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueAndItsSchemaAreReadFromAnEnvelope(Schema schema, Object value, String notation) {
        assertEquals(new SchemaAndValue(schema, value), withSchemas().toConnectData(TOPIC, packed(notation)));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueAndItsSchemaAreWrittenAsAnEnvelope(Schema schema, Object value, String notation) {
        assertArrayEquals(packed(notation), withSchemas().fromConnectData(TOPIC, schema, value));
    }

    @ParameterizedTest
    @MethodSource("values")
    void headersAreReadAndWrittenAsValues(Schema schema, Object value, String notation) {
        byte[] header = withSchemas().fromConnectHeader(TOPIC, "header", schema, value);
        assertArrayEquals(packed(notation), header);
        assertEquals(new SchemaAndValue(schema, value), withSchemas().toConnectHeader(TOPIC, "header", header));
    }

    @Test
    void bytesAreReadAndWritten() {
        byte[] message = withSchemas().fromConnectData(TOPIC, Schema.BYTES_SCHEMA, new byte[] {1, -1});
        assertEquals(
                "{\"schema\": {\"type\": \"bytes\", \"optional\": false}, \"payload\": h'01ff'}", notation(message));
        SchemaAndValue back = withSchemas().toConnectData(TOPIC, message);
        assertEquals(Schema.BYTES_SCHEMA, back.schema());
        assertArrayEquals(new byte[] {1, -1}, (byte[]) back.value());
    }

    @Test
    void aBufferIsWrittenAsAWholeWhereverItsPositionIs() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3});
        buffer.get();
        assertEquals("h'010203'", notation(converter().fromConnectData(TOPIC, Schema.BYTES_SCHEMA, buffer)));
        assertEquals(1, buffer.position());
        ByteBuffer direct = ByteBuffer.allocateDirect(2).put((byte) 7);
        assertEquals("h'0700'", notation(converter().fromConnectData(TOPIC, null, direct)));
        ByteBuffer slice = ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2).slice();
        assertEquals("h'0203'", notation(converter().fromConnectData(TOPIC, null, slice)));
    }

    @Test
    void theEntryOptionalMayBeMissing() {
        String notation = "{\"schema\": {\"type\": \"int8\"}, \"payload\": 1}";
        assertEquals(
                new SchemaAndValue(Schema.INT8_SCHEMA, (byte) 1), withSchemas().toConnectData(TOPIC, packed(notation)));
    }

    @Test
    void mapsWithOtherKeysThanStringsAreMapsAndNotPairs() {
        byte[] message = withSchemas().fromConnectData(TOPIC, BY_NUMBER, Map.of(1, 12));
        assertEquals(
                "{\"schema\": {\"type\": \"map\", \"keys\": {\"type\": \"int32\", \"optional\": false}, \"values\":"
                        + " {\"type\": \"int32\", \"optional\": false}, \"optional\": false}, \"payload\": {1: 12}}",
                notation(message));
        assertEquals(new SchemaAndValue(BY_NUMBER, Map.of(1, 12)), withSchemas().toConnectData(TOPIC, message));
    }

    @Test
    void aStructOfAnEqualSchemaIsWritten() {
        Schema same = SchemaBuilder.struct()
                .field("field1", Schema.BOOLEAN_SCHEMA)
                .field("field2", Schema.STRING_SCHEMA)
                .build();
        Struct struct = new Struct(same).put("field1", true).put("field2", "s");
        assertEquals(
                "{\"field1\": true, \"field2\": \"s\"}", notation(converter().fromConnectData(TOPIC, PAIR, struct)));
    }

    @Test
    void defaultsOfLogicalTypesAreReadAndWritten() {
        BigDecimal price = new BigDecimal("1.56");
        Date midnight = new Date(0);
        for (Schema schema : List.of(
                Decimal.builder(2).defaultValue(price).build(),
                Decimal.builder(2).optional().defaultValue(price).build(),
                org.apache.kafka.connect.data.Date.builder()
                        .defaultValue(midnight)
                        .build(),
                org.apache.kafka.connect.data.Date.builder()
                        .optional()
                        .defaultValue(midnight)
                        .build(),
                Time.builder().defaultValue(midnight).build(),
                Time.builder().optional().defaultValue(midnight).build(),
                Timestamp.builder().defaultValue(new Date(42)).build(),
                Timestamp.builder().optional().defaultValue(new Date(42)).build())) {
            for (String logical : List.of("text", "ext", "number")) {
                PackordConverter converter = withSchemas("logical.format", logical);
                byte[] message = converter.fromConnectData(TOPIC, schema, null);
                assertEquals(
                        new SchemaAndValue(schema, schema.defaultValue()), converter.toConnectData(TOPIC, message));
            }
        }
    }

    @Test
    void logicalTypesAreReadFromTheNumbersOfConnect() {
        Map<Object, Object> expected = Map.of(
                "{'schema': {'type': 'bytes', 'name': '" + DECIMAL + "', 'parameters': {'scale': '2'}},"
                        + " 'payload': h'009c'}",
                new BigDecimal("1.56"),
                "{'schema': {'type': 'bytes', 'name': '" + DECIMAL
                        + "', 'parameters': {'scale': '2'}}, 'payload': 1.56}",
                new BigDecimal("1.56"),
                "{'schema': {'type': 'int32', 'name': '" + DATE + "'}, 'payload': 10000}",
                DAY_10000,
                "{'schema': {'type': 'int32', 'name': '" + TIME + "'}, 'payload': 14400000}",
                new Date(14_400_000),
                "{'schema': {'type': 'int64', 'name': '" + TIMESTAMP + "'}, 'payload': 4000000000}",
                new Date(4_000_000_000L));
        expected.forEach((notation, value) -> {
            String json = ((String) notation).replace('\'', '"').replace("h\"009c\"", "h'009c'");
            assertEquals(value, withSchemas().toConnectData(TOPIC, packed(json)).value());
        });
    }

    @Test
    void datesDoNotDependOnTheZoneOfTheProcess() {
        TimeZone zone = TimeZone.getDefault();
        try {
            for (String other : List.of("Pacific/Kiritimati", "America/Los_Angeles")) {
                TimeZone.setDefault(TimeZone.getTimeZone(other));
                assertEquals("\"1997-05-19\"", notation(converter().fromConnectData(TOPIC, DATE_SCHEMA, DAY_10000)));
            }
        } finally {
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void aDeletionIsNullInBothDirections() {
        for (PackordConverter converter : List.of(converter(), withSchemas(), converter("schema.infer", true))) {
            assertNull(converter.fromConnectData(TOPIC, null, null));
            assertEquals(SchemaAndValue.NULL, converter.toConnectData(TOPIC, null));
        }
    }

    @Test
    void withoutAnEnvelopeANullOfAnySchemaIsADeletion() {
        assertNull(converter().fromConnectData(TOPIC, Schema.OPTIONAL_INT32_SCHEMA, null));
    }

    @Test
    void emptyBytesAreAnErrorSinceTheyAreNotAMessage() {
        assertEquals(
                0,
                Converters.fault(() -> converter().toConnectData(TOPIC, new byte[0]))
                        .offset());
    }

    @Test
    void dataWithoutASchemaAreReadFromAnEnvelopeWithoutOne() {
        PackordConverter converter = withSchemas();
        Map<String, Object> expected = Map.of(
                "true",
                true,
                "12",
                12L,
                "12.24",
                12.24,
                "\"a string\"",
                "a string",
                "[1, \"2\", 3]",
                List.of(1L, "2", 3L),
                "{\"field1\": 1}",
                Map.of("field1", 1L));
        expected.forEach((notation, value) -> {
            byte[] message = packed("{\"schema\": nil, \"payload\": " + notation + "}");
            assertEquals(new SchemaAndValue(null, value), converter.toConnectData(TOPIC, message));
        });
        assertEquals(
                SchemaAndValue.NULL, converter.toConnectData(TOPIC, packed("{\"schema\": nil, \"payload\": nil}")));
    }

    @Test
    void dataWithoutASchemaAreWrittenInAnEnvelopeWithoutOne() {
        assertEquals(
                "{\"schema\": nil, \"payload\": true}", notation(withSchemas().fromConnectData(TOPIC, null, true)));
        assertEquals(
                "{\"schema\": nil, \"payload\": [1, \"string\", true]}",
                notation(withSchemas().fromConnectData(TOPIC, null, List.of(1, "string", true))));
        for (Object key : List.of("string", 52, false)) {
            byte[] message = withSchemas().fromConnectData(TOPIC, null, Map.of(key, 12));
            Object shown = key instanceof String ? "\"string\"" : key;
            assertEquals("{\"schema\": nil, \"payload\": {" + shown + ": 12}}", notation(message));
        }
    }

    @Test
    void withoutSchemasFieldsAreThoseOfMaps() {
        Map<?, ?> read = (Map<?, ?>) Converters.read(converter(), "{\"a\": \"\", \"b\": nil}");
        assertEquals("", read.get("a"));
        assertNull(read.get("b"));
        assertEquals(2, read.size());
        assertEquals(new SchemaAndValue(null, true), converter().toConnectData(TOPIC, packed("true")));
        assertEquals("true", notation(converter().fromConnectData(TOPIC, null, true)));
    }

    @Test
    void aNullBecomesTheDefaultUnlessTheEntrySaysOtherwise() {
        Schema schema =
                SchemaBuilder.string().optional().defaultValue("default").build();
        Schema outer = SchemaBuilder.struct().field("field1", schema).build();
        String inner = "{\"type\": \"string\", \"optional\": true, \"default\": \"default\"";
        for (boolean replaces : List.of(true, false)) {
            PackordConverter converter = withSchemas("replace.null.with.default", replaces);
            String payload = replaces ? "\"default\"" : "nil";
            assertEquals(
                    "{\"schema\": " + inner + "}, \"payload\": " + payload + "}",
                    notation(converter.fromConnectData(TOPIC, schema, null)));
            assertEquals(
                    "{\"schema\": {\"type\": \"struct\", \"fields\": [" + inner + ", \"field\": \"field1\"}],"
                            + " \"optional\": false}, \"payload\": {\"field1\": " + payload + "}}",
                    notation(converter.fromConnectData(TOPIC, outer, new Struct(outer))));
            Object value = converter
                    .toConnectData(TOPIC, packed("{\"schema\": " + inner + "}, \"payload\": nil}"))
                    .value();
            assertEquals(replaces ? "default" : null, value);
            Struct struct = (Struct) converter
                    .toConnectData(
                            TOPIC,
                            packed("{\"schema\": {\"type\": \"struct\", \"fields\": [" + inner
                                    + ", \"field\": \"field1\"}]}, \"payload\": {\"field1\": nil}}"))
                    .value();
            assertEquals(replaces ? "default" : null, struct.getWithoutDefault("field1"));
        }
    }

    @Test
    void aValueOfAnotherTypeThanItsSchemaIsADataException() {
        for (PackordConverter converter : List.of(converter(), withSchemas())) {
            assertThrows(DataException.class, () -> converter.fromConnectData(TOPIC, Schema.FLOAT64_SCHEMA, true));
            assertThrows(
                    DataException.class, () -> converter.fromConnectData(TOPIC, Schema.INT32_SCHEMA, "not a number"));
            assertThrows(DataException.class, () -> converter.fromConnectData(TOPIC, Schema.INT32_SCHEMA, new byte[1]));
            assertThrows(DataException.class, () -> converter.fromConnectData(TOPIC, Schema.BYTES_SCHEMA, 12));
            assertThrows(DataException.class, () -> converter.fromConnectHeader(TOPIC, "h", Schema.INT64_SCHEMA, 12));
        }
    }

    @Test
    void aDecimalWithoutASchemaIsWrittenAsAString() {
        assertEquals("\"1.56\"", notation(converter().fromConnectData(TOPIC, null, new BigDecimal("1.56"))));
    }

    @Test
    void bytesThatAreNoEnvelopeAreADataExceptionThatNamesTheOption() {
        for (String notation :
                List.of("12", "{}", "{\"schema\": nil}", "{\"schema\": nil, \"payload\": 1, \"more\": 2}")) {
            DataException exception =
                    assertThrows(DataException.class, () -> withSchemas().toConnectData(TOPIC, packed(notation)));
            assertEquals(true, exception.getMessage().contains("schemas.enable=false"));
        }
    }

    @Test
    void theSameSchemaIsReadAsTheSameObject() {
        PackordConverter converter = withSchemas();
        byte[] message = packed("{\"schema\": {\"type\": \"boolean\"}, \"payload\": true}");
        Schema first = converter.toConnectData(TOPIC, message).schema();
        assertSame(first, converter.toConnectData(TOPIC, message).schema());
    }

    @Test
    void schemasAreKeptUpToTheNumberInTheConfiguration() {
        PackordConverter converter = withSchemas("schemas.cache.size", 1);
        byte[] message = packed("{\"schema\": {\"type\": \"boolean\"}, \"payload\": true}");
        Schema first = converter.toConnectData(TOPIC, message).schema();
        converter.toConnectData(TOPIC, packed("{\"schema\": {\"type\": \"int8\"}, \"payload\": 1}"));
        Schema again = converter.toConnectData(TOPIC, message).schema();
        assertEquals(first, again);
        assertEquals(false, first == again);
    }
}
