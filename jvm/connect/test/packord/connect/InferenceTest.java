package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.fault;
import static packord.connect.Converters.packed;

import java.math.BigDecimal;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.junit.jupiter.api.Test;

/** Schemas that are inferred from what is in a message. */
class InferenceTest {
    private final PackordConverter converter = converter("schema.infer", true);

    private SchemaAndValue read(String notation) {
        return converter.toConnectData(TOPIC, packed(notation));
    }

    private static Schema arrayOf(Schema elements) {
        return SchemaBuilder.array(elements).optional().build();
    }

    @Test
    void scalarsHaveTheWidestTypeOfTheirKind() {
        Map<String, Object> expected = Map.of(
                "true",
                new SchemaAndValue(Schema.OPTIONAL_BOOLEAN_SCHEMA, true),
                "7",
                new SchemaAndValue(Schema.OPTIONAL_INT64_SCHEMA, 7L),
                "0.5",
                new SchemaAndValue(Schema.OPTIONAL_FLOAT64_SCHEMA, 0.5),
                "\"a\"",
                new SchemaAndValue(Schema.OPTIONAL_STRING_SCHEMA, "a"),
                "18446744073709551615",
                new SchemaAndValue(Decimal.builder(0).optional().build(), new BigDecimal("18446744073709551615")),
                "timestamp(1, 500000000)",
                new SchemaAndValue(Timestamp.builder().optional().build(), new Date(1500)),
                "ext(84, h'020096')",
                new SchemaAndValue(Decimal.builder(2).optional().build(), new BigDecimal("1.50")),
                "ext(87, h'00000001')",
                new SchemaAndValue(
                        org.apache.kafka.connect.data.Date.builder().optional().build(), new Date(86_400_000)),
                "ext(88, h'000000003b9aca00')",
                new SchemaAndValue(Time.builder().optional().build(), new Date(1000)));
        expected.forEach((notation, data) -> assertEquals(data, read(notation), notation));
        assertEquals(Schema.OPTIONAL_BYTES_SCHEMA, read("h'00'").schema());
        assertEquals(SchemaAndValue.NULL, read("nil"));
    }

    @Test
    void aMapWithStringsAsKeysIsAStructOfOptionalFields() {
        Schema inner = SchemaBuilder.struct()
                .optional()
                .field("x", Schema.OPTIONAL_FLOAT64_SCHEMA)
                .build();
        Schema schema = SchemaBuilder.struct()
                .optional()
                .field("id", Schema.OPTIONAL_INT64_SCHEMA)
                .field("at", inner)
                .field("none", Schema.OPTIONAL_STRING_SCHEMA)
                .build();
        Struct struct = new Struct(schema).put("id", 1L).put("at", new Struct(inner).put("x", 2.5));
        assertEquals(new SchemaAndValue(schema, struct), read("{\"id\": 1, \"at\": {\"x\": 2.5}, \"none\": nil}"));
        assertEquals(SchemaBuilder.struct().optional().build(), read("{}").schema());
    }

    @Test
    void aMapWithOtherKeysIsAMap() {
        Schema schema = SchemaBuilder.map(Schema.OPTIONAL_INT64_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA)
                .optional()
                .build();
        assertEquals(new SchemaAndValue(schema, Map.of(1L, "a", 2L, "b")), read("{1: \"a\", 2: \"b\"}"));
    }

    @Test
    void elementsOfAnArrayHaveTheTypeThatHoldsThemAll() {
        assertEquals(new SchemaAndValue(arrayOf(Schema.OPTIONAL_FLOAT64_SCHEMA), List.of(1.0, 2.5)), read("[1, 2.5]"));
        assertEquals(
                arrayOf(Schema.OPTIONAL_INT64_SCHEMA), read("[nil, 1, nil]").schema());
        assertEquals(arrayOf(Schema.OPTIONAL_STRING_SCHEMA), read("[]").schema());
        assertEquals(arrayOf(Schema.OPTIONAL_STRING_SCHEMA), read("[nil]").schema());
        assertEquals(
                arrayOf(arrayOf(Schema.OPTIONAL_FLOAT64_SCHEMA)),
                read("[[], [1], [0.5]]").schema());
        assertEquals(
                arrayOf(Decimal.builder(0).optional().build()),
                read("[1, 18446744073709551615]").schema());
        assertEquals(
                List.of(new BigDecimal("1.00"), new BigDecimal("1.50")),
                read("[1, ext(84, h'020096')]").value());
        Schema row = SchemaBuilder.struct()
                .optional()
                .field("a", Schema.OPTIONAL_FLOAT64_SCHEMA)
                .field("b", Schema.OPTIONAL_STRING_SCHEMA)
                .build();
        SchemaAndValue rows = read("[{\"a\": 1}, {\"b\": \"x\", \"a\": 0.5}]");
        assertEquals(arrayOf(row), rows.schema());
        assertEquals(
                List.of(
                        new Struct(row).put("a", 1.0),
                        new Struct(row).put("a", 0.5).put("b", "x")),
                rows.value());
    }

    @Test
    void elementsWithoutATypeInCommonAreAnErrorAtTheFirstThatDoesNotFit() {
        assertEquals(
                "type_mismatch at byte 5 ($.a[1]): value has an unexpected type: values of several types, which have no"
                        + " schema",
                fault(() -> read("{\"a\": [1, \"x\"]}")).getMessage());
        for (String notation :
                List.of("[true, 1]", "[[1], 1]", "[{}, []]", "[h'00', \"a\"]", "[0.5, ext(84, h'020096')]")) {
            assertEquals("type_mismatch", fault(() -> read(notation)).kind().id(), notation);
        }
    }

    @Test
    void integersThatNoFloatHoldsAreAnErrorBesideFloats() {
        assertEquals(
                "out_of_range",
                fault(() -> read("[0.5, 9007199254740993]")).kind().id());
        assertEquals(
                "out_of_range",
                fault(() -> read("[0.5, 9223372036854775807]")).kind().id());
        assertEquals(List.of(0.5, -0x1p63), read("[0.5, -9223372036854775808]").value());
    }

    @Test
    void messagesOfTheSameShapeHaveTheSameSchemaObject() {
        assertSame(read("{\"a\": 1}").schema(), read("{\"a\": 2}").schema());
        assertSame(read("[{\"a\": null}]").schema(), read("[{\"a\": \"x\"}]").schema());
    }

    @Test
    void messagesOfOtherShapesHaveOtherSchemas() {
        List<String> messages = List.of(
                "{\"a\": 1}",
                "{\"a\": 1.5}",
                "{\"b\": 1}",
                "{\"a\": 1, \"b\": 1}",
                "{\"b\": 1, \"a\": 1}",
                "[1]",
                "[\"1\"]",
                "{\"a\": [1]}",
                "{1: 2}",
                "{1: \"2\"}",
                "{true: 2}",
                "18446744073709551615");
        Set<Schema> schemas = new HashSet<>();
        for (String message : messages) schemas.add(read(message).schema());
        assertEquals(messages.size(), schemas.size());
    }

    @Test
    void recordsAndColumnsAreReadAsWhatTheyHold() {
        for (String option : List.of("records.enable", "columns.enable")) {
            List<Object> rows = new java.util.ArrayList<>();
            for (long i = 0; i < 50; i++) rows.add(Map.of("id", i, "name", "n" + i));
            byte[] plain = converter().fromConnectData(TOPIC, null, rows);
            byte[] smaller = converter(option, true).fromConnectData(TOPIC, null, rows);
            assertEquals(true, smaller.length < plain.length);
            assertEquals(
                    converter.toConnectData(TOPIC, plain).value(),
                    converter.toConnectData(TOPIC, smaller).value());
            assertEquals(rows, converter().toConnectData(TOPIC, smaller).value());
        }
    }

    @Test
    void timestampsAreCutToMillisecondsAndKeptAsStringsWhereASchemaSaysSo() {
        assertEquals(new Date(-1), read("timestamp(-1, 999999999)").value());
        PackordConverter strings = converter("schema.content", "{\"type\": \"string\"}");
        assertEquals("1970-01-01T00:00:01.000000005Z", Converters.read(strings, "timestamp(1, 5)"));
        assertEquals("1970-01-02", Converters.read(strings, "ext(87, h'00000001')"));
        assertEquals("00:00:01", Converters.read(strings, "ext(88, h'000000003b9aca00')"));
        assertEquals(
                "00010203-0405-0607-0809-0a0b0c0d0e0f",
                Converters.read(strings, "ext(85, h'000102030405060708090a0b0c0d0e0f')"));
    }

    @Test
    void withoutASchemaTypesThatConnectLacksAreStringsAndDecimals() {
        assertEquals("1970-01-02", Converters.read(converter(), "ext(87, h'00000001')"));
        assertEquals(new Date(1500), Converters.read(converter(), "timestamp(1, 500000000)"));
        assertEquals(new BigDecimal("18446744073709551615"), Converters.read(converter(), "18446744073709551615"));
        assertNull(Converters.read(converter(), "nil"));
    }
}
