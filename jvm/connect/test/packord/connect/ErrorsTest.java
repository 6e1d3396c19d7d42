package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.fault;
import static packord.connect.Converters.packed;
import static packord.connect.Converters.withSchemas;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.Test;
import packord.PackordException;

/** Every fault is a DataException whose cause has packord's kind, and the place. */
class ErrorsTest {
    private static final Schema DATE_SCHEMA = org.apache.kafka.connect.data.Date.SCHEMA;
    private static final Schema ROW = SchemaBuilder.struct()
            .field("id", Schema.INT32_SCHEMA)
            .field("tags", SchemaBuilder.array(Schema.STRING_SCHEMA).optional().build())
            .field("at", Timestamp.builder().optional().build())
            .field("price", Decimal.builder(2).optional().build())
            .build();

    private static void assertFault(String expected, PackordException fault) {
        assertEquals(expected, fault.getMessage());
    }

    /** The fault of a message by the schema of a struct of these fields, as JSON. */
    private static PackordException faultOf(String fields, String notation) {
        String content = ("{'type': 'struct', 'fields': [" + fields + "]}").replace('\'', '"');
        PackordConverter converter = converter("schema.content", content);
        return fault(() -> converter.toConnectData(TOPIC, packed(notation)));
    }

    @Test
    void bytesThatAreNotOneMessageHaveKindAndOffset() {
        for (PackordConverter converter : List.of(converter(), withSchemas(), converter("schema.infer", true))) {
            assertFault(
                    "eof at byte 2 ($): input ends before the message does",
                    fault(() -> converter.toConnectData(TOPIC, new byte[] {(byte) 0x92, 1})));
            assertFault(
                    "reserved_marker at byte 1 ($[0]): marker c1 is reserved",
                    fault(() -> converter.toConnectData(TOPIC, new byte[] {(byte) 0x91, (byte) 0xc1})));
            assertFault(
                    "trailing_bytes at byte 1: bytes follow the message",
                    fault(() -> converter.toConnectData(TOPIC, new byte[] {1, 2})));
        }
    }

    @Test
    void anExtThatConnectHasNoTypeForIsAnError() {
        assertFault(
                "unknown_ext at byte 3 ($.a): ext type is not registered: type 7",
                fault(() -> converter().toConnectData(TOPIC, packed("{\"a\": ext(7, h'00')}"))));
    }

    @Test
    void aValueThatDoesNotFitItsSchemaHasTheOffsetOfItsMarker() {
        String id = "{'field': 'id', 'type': 'int8'}";
        assertFault(
                "type_mismatch at byte 4 ($.id): value has an unexpected type: str for int8",
                faultOf(id, "{\"id\": \"x\"}"));
        assertFault(
                "out_of_range at byte 4 ($.id): number is out of range: 128 for int8", faultOf(id, "{\"id\": 128}"));
        assertFault(
                "type_mismatch at byte 4 ($.id): value has an unexpected type: float for int8",
                faultOf(id, "{\"id\": 0.5}"));
        assertFault("type_mismatch at byte 0 ($): value has an unexpected type: array for struct", faultOf(id, "[1]"));
        assertFault(
                "type_mismatch at byte 4 ($.id): value has an unexpected type: nil for int8",
                faultOf(id, "{\"id\": nil}"));
        String tags = "{'field': 'tags', 'type': 'array', 'items': {'type': 'string'}}";
        assertFault(
                "type_mismatch at byte 9 ($.tags[1]): value has an unexpected type: int for string",
                faultOf(tags, "{\"tags\": [\"a\", 2]}"));
    }

    @Test
    void aFieldThatIsMissingHasTheOffsetOfItsMap() {
        assertFault(
                "type_mismatch at byte 0 ($.id): value has an unexpected type: nil for int8",
                faultOf("{'field': 'id', 'type': 'int8'}", "{}"));
    }

    @Test
    void aValueWithinColumnsHasTheOffsetOfTheColumns() {
        Map<String, Object> message = new HashMap<>();
        message.put("rows", java.util.Collections.nCopies(100, Map.of("id", "text")));
        byte[] bytes = converter("columns.enable", true).fromConnectData(TOPIC, null, message);
        assertTrue(bytes.length < 100, "written by column");
        PackordConverter converter = converter(
                "schema.content",
                "{\"type\": \"struct\", \"fields\": [{\"field\": \"rows\", \"type\": \"array\", \"items\":"
                        + " {\"type\": \"struct\", \"fields\": [{\"field\": \"id\", \"type\": \"int32\"}]}}]}");
        assertFault(
                "type_mismatch at byte 6 ($.rows[0].id): value has an unexpected type: str for int32",
                fault(() -> converter.toConnectData(TOPIC, bytes)));
    }

    @Test
    void faultsWithinAnEnvelopeHaveTheirPlaceInTheMessage() {
        Map<String, String> faults = Map.of(
                "{'schema': {'type': 'int8'}, 'payload': 'x'}",
                "type_mismatch at byte 27 ($.payload): value has an unexpected type: str for int8",
                "{'schema': {'type': 'int9'}, 'payload': 1}",
                "type_mismatch at byte 14 ($.schema.type): value has an unexpected type: int9 for the type of a schema",
                "{'schema': 7, 'payload': 1}",
                "type_mismatch at byte 8 ($.schema): value has an unexpected type: int for a schema",
                "{'schema': {'type': 'array'}, 'payload': []}",
                "type_mismatch at byte 8 ($.schema.items): value has an unexpected type: nil for a schema",
                "{'schema': {'type': 'int8', 'version': 4294967296}, 'payload': 1}",
                "out_of_range at byte 27 ($.schema.version): number is out of range: 4294967296 for int32",
                "{'schema': {'type': 'struct', 'fields': [{'type': 'int8'}]}, 'payload': {}}",
                "type_mismatch at byte 29 ($.schema.fields[0].field): value has an unexpected type: nil for string");
        faults.forEach((notation, expected) -> assertFault(
                expected, fault(() -> withSchemas().toConnectData(TOPIC, packed(notation.replace('\'', '"'))))));
    }

    @Test
    void schemasThatConnectRefusesAreErrors() {
        for (String schema : List.of(
                "{'type': 'struct'}",
                "{'type': 'struct', 'fields': [{'type': 'int8', 'field': 'a'}, {'type': 'int8', 'field': 'a'}]}",
                "{'type': 'int8', 'default': 'x'}",
                "{'type': 'int8', 'default': 300}",
                "{'type': 'int8', 'parameters': {'a': 1}}",
                "{'type': 'int8', 'parameters': {1: 'a'}}",
                "{'type': 'int8', 'optional': 1}",
                "{'type': 'int8', 'name': 1}",
                "{'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal'}",
                "{'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal', 'parameters': {'scale': 'x'}}",
                "{'type': 'string', 'name': 'org.apache.kafka.connect.data.Date'}")) {
            String notation = "{'schema': " + schema + ", 'payload': nil}";
            assertThrows(
                    DataException.class,
                    () -> withSchemas().toConnectData(TOPIC, packed(notation.replace('\'', '"'))),
                    schema);
        }
    }

    @Test
    void logicalValuesThatDoNotFitAreErrors() {
        String decimal = "{'field': 'v', 'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal',"
                + " 'parameters': {'scale': '2'}}";
        assertFault(
                "out_of_range at byte 3 ($.v): number is out of range: scale 3 for 2",
                faultOf(decimal, "{\"v\": \"1.234\"}"));
        assertEquals(
                "type_mismatch", faultOf(decimal, "{\"v\": \"one\"}").kind().id());
        assertEquals("type_mismatch", faultOf(decimal, "{\"v\": nan}").kind().id());
        String date = "{'field': 'v', 'type': 'int32', 'name': 'org.apache.kafka.connect.data.Date'}";
        assertEquals(
                "type_mismatch", faultOf(date, "{\"v\": \"2026-02-30\"}").kind().id());
        assertEquals("out_of_range", faultOf(date, "{\"v\": 2147483648}").kind().id());
        assertEquals(
                "out_of_range", faultOf(date, "{\"v\": timestamp(1, 0)}").kind().id());
        String time = "{'field': 'v', 'type': 'int32', 'name': 'org.apache.kafka.connect.data.Time'}";
        assertEquals("out_of_range", faultOf(time, "{\"v\": 86400000}").kind().id());
        assertEquals("out_of_range", faultOf(time, "{\"v\": -1}").kind().id());
        assertEquals(
                "type_mismatch", faultOf(time, "{\"v\": \"24:00:00\"}").kind().id());
        String timestamp = "{'field': 'v', 'type': 'int64', 'name': 'org.apache.kafka.connect.data.Timestamp'}";
        assertEquals(
                "type_mismatch", faultOf(timestamp, "{\"v\": \"today\"}").kind().id());
        assertEquals(
                "out_of_range",
                faultOf(timestamp, "{\"v\": timestamp(9223372036854775807, 0)}")
                        .kind()
                        .id());
        assertEquals(
                "out_of_range",
                faultOf(timestamp, "{\"v\": timestamp(31556889864403199, 0)}")
                        .kind()
                        .id());
    }

    @Test
    void decimalsThatWouldTakeMinutesAreRefusedAtOnce() {
        PackordConverter converter = converter(
                "schema.content",
                "{\"type\": \"bytes\", \"name\": \"org.apache.kafka.connect.data.Decimal\", \"parameters\":"
                        + " {\"scale\": \"2\"}}");
        long start = System.nanoTime();
        for (String notation : List.of(
                "\"1E2000000000\"", "\"1E-2000000000\"", "ext(84, h'd28000000001')", "ext(84, h'ce7fffffff01')")) {
            assertEquals(
                    "out_of_range",
                    fault(() -> converter.toConnectData(TOPIC, packed(notation)))
                            .kind()
                            .id());
        }
        byte[] digits = converter().fromConnectData(TOPIC, null, "9".repeat(5_000_000));
        assertEquals(
                "length_limit",
                fault(() -> converter.toConnectData(TOPIC, digits)).kind().id());
        assertTrue(System.nanoTime() - start < 60_000_000_000L);
    }

    @Test
    void malformedExtsAreErrors() {
        for (String ext : List.of(
                "ext(84, h'')",
                "ext(84, h'02')",
                "ext(84, h'a101')",
                "ext(85, h'00')",
                "ext(87, h'000000')",
                "ext(88, h'ffffffffffffffff')",
                "ext(88, h'00004e94914f0000')")) {
            assertEquals(
                    "invalid_ext",
                    fault(() -> converter().toConnectData(TOPIC, packed(ext)))
                            .kind()
                            .id(),
                    ext);
        }
    }

    @Test
    void whatCannotBePackedHasItsPath() {
        Map<String, Object> value = Map.of("a", List.of(1, new Object()));
        assertFault(
                "unsupported_type at $.a[1]: type has no encoding: java.lang.Object",
                fault(() -> converter().fromConnectData(TOPIC, null, value)));
        assertEquals(
                "unsupported_type",
                fault(() -> converter().fromConnectData(TOPIC, null, List.of(Thread.State.NEW)))
                        .kind()
                        .id());
        Schema list = SchemaBuilder.array(Schema.INT32_SCHEMA).build();
        assertFault(
                "type_mismatch at $[1]: value has an unexpected type: str for int32",
                fault(() -> converter().fromConnectData(TOPIC, list, List.of(1, "2"))));
        assertEquals(
                "invalid_utf8",
                fault(() -> converter().fromConnectData(TOPIC, null, "\ud800"))
                        .kind()
                        .id());
        assertEquals(
                "out_of_range",
                fault(() -> converter().fromConnectData(TOPIC, Decimal.schema(2), new BigDecimal("1.234")))
                        .kind()
                        .id());
        assertEquals(
                "out_of_range",
                fault(() -> converter().fromConnectData(TOPIC, DATE_SCHEMA, new Date(1)))
                        .kind()
                        .id());
        assertEquals(
                "out_of_range",
                fault(() -> converter().fromConnectData(TOPIC, Time.SCHEMA, new Date(-1)))
                        .kind()
                        .id());
        assertEquals(
                "type_mismatch",
                fault(() -> converter().fromConnectData(TOPIC, Timestamp.SCHEMA, 1L))
                        .kind()
                        .id());
    }

    @Test
    void aNullThatTheSchemaDoesNotAllowIsAnError() {
        Struct struct = new Struct(ROW);
        assertFault(
                "type_mismatch at $.id: value has an unexpected type: nil for int32",
                fault(() -> converter().fromConnectData(TOPIC, ROW, struct)));
        assertEquals(
                "type_mismatch",
                fault(() -> converter().fromConnectData(TOPIC, Schema.INT32_SCHEMA, null))
                        .kind()
                        .id());
    }

    @Test
    void aStructOfAnotherSchemaIsAnError() {
        Schema other = SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
        assertFault(
                "type_mismatch at $: value has an unexpected type: struct of another schema",
                fault(() -> converter().fromConnectData(TOPIC, ROW, new Struct(other).put("id", 1L))));
    }

    @Test
    void aMessageThatIsCutAnywhereIsAnEof() {
        Struct struct = new Struct(ROW)
                .put("id", 300)
                .put("tags", List.of("a", "é"))
                .put("at", new Date(1500))
                .put("price", new BigDecimal("1.50"));
        for (String logical : List.of("text", "ext", "number")) {
            PackordConverter converter = withSchemas("logical.format", logical, "records.enable", true);
            byte[] message = converter.fromConnectData(TOPIC, ROW, struct);
            assertEquals(struct, converter.toConnectData(TOPIC, message).value());
            for (int length = 0; length < message.length; length++) {
                byte[] cut = Arrays.copyOf(message, length);
                PackordException fault = fault(() -> converter.toConnectData(TOPIC, cut));
                assertEquals("eof", fault.kind().id());
                assertEquals(length, fault.offset());
            }
        }
    }

    @Test
    void changedBytesAreReadOrAreADataException() {
        Random random = new Random(1);
        Struct struct =
                new Struct(ROW).put("id", 300).put("tags", List.of("a", "é")).put("at", new Date(1500));
        Map<String, Object> columns = Map.of("rows", java.util.Collections.nCopies(50, Map.of("id", 1L, "name", "x")));
        for (PackordConverter converter : List.of(
                converter("records.enable", true),
                withSchemas("logical.format", "ext"),
                converter("schema.infer", true, "columns.enable", true))) {
            for (byte[] message : List.of(
                    converter.fromConnectData(TOPIC, ROW, struct), converter.fromConnectData(TOPIC, null, columns))) {
                for (int i = 0; i < message.length; i++) {
                    for (int round = 0; round < 10; round++) {
                        byte[] changed = message.clone();
                        changed[i] = (byte) (round < 8 ? changed[i] ^ 1 << round : random.nextInt());
                        try {
                            converter.toConnectData(TOPIC, changed);
                        } catch (DataException exception) {
                            assertTrue(exception.getCause() instanceof PackordException, () -> exception.toString());
                        }
                    }
                }
            }
        }
    }
}
