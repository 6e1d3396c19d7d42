package packord.jackson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import packord.Ext;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;
import packord.Options;
import packord.Packer;

/** What Jackson reads. */
class ParserTest {
    private final ObjectMapper mapper = new PackordMapper();

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static byte[] packed(Object value) {
        return Packer.standard().pack(value);
    }

    @Test
    void tokensComeInTurn() throws IOException {
        try (JsonParser parser = new PackordFactory().createParser(bytes("83a16191c3c40102ca3fc00000a162820102c0a0"))) {
            StringBuilder seen = new StringBuilder();
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                seen.append(token.name())
                        .append(' ')
                        .append(parser.currentName())
                        .append(' ')
                        .append(parser.getText())
                        .append('\n');
                if (parser.currentTokenLocation().getByteOffset() > 13) break;
            }
            assertEquals(
                    "START_OBJECT null {\nFIELD_NAME a a\nSTART_ARRAY a [\nVALUE_TRUE null true\nEND_ARRAY a ]\n",
                    seen.substring(0, seen.indexOf("FIELD_NAME \u0002")));
        }
    }

    @Test
    void valuesAreReadWithoutATypeAsJacksonHasThem() throws IOException {
        Object value = mapper.readValue(
                bytes("9a01ce80000000cf8000000000000000cb3ff8000000000000c0c3a161c4010281a16b0190"), Object.class);
        assertEquals(
                "[1, 2147483648, 9223372036854775808, 1.5, null, true, a",
                value.toString().split(", \\[B")[0]);
        assertEquals(Integer.class, ((List<?>) value).get(0).getClass());
        assertEquals(BigInteger.class, ((List<?>) value).get(2).getClass());
    }

    public static class Person {
        public String name;

        @JsonProperty("years")
        public int age;

        @JsonIgnore
        public String secret = "s";

        public List<Map<String, Double>> marks;
        public byte[] photo;
        public Instant seen;
        public BigDecimal price;
        public Ext raw;
    }

    @Test
    void objectsComeBack() throws IOException {
        Person person = new Person();
        person.name = "Ädä";
        person.age = 36;
        person.marks = List.of(Map.of("a", 1.5), Map.of());
        person.photo = new byte[300];
        person.seen = Instant.ofEpochSecond(5, 7);
        person.price = new BigDecimal("1.50");
        person.raw = new Ext(9, new byte[3]);
        byte[] written = mapper.writeValueAsBytes(person);
        Person read = mapper.readValue(written, Person.class);
        assertEquals(
                person.name + person.age + person.marks + person.seen + person.price + person.raw,
                read.name + read.age + read.marks + read.seen + read.price + read.raw);
        assertArrayEquals(person.photo, read.photo);
        assertArrayEquals(
                written, mapper.writeValueAsBytes(mapper.readValue(new ByteArrayInputStream(written), Person.class)));
        UnrecognizedPropertyException error = assertThrows(
                UnrecognizedPropertyException.class, () -> mapper.readValue(packed(Map.of("other", 1)), Person.class));
        assertEquals("other", error.getPropertyName());
        assertEquals(
                "marks",
                assertThrows(
                                JsonMappingException.class,
                                () -> mapper.readValue(packed(Map.of("marks", List.of(1))), Person.class))
                        .getPath()
                        .get(0)
                        .getFieldName());
    }

    @Test
    void keysOfOtherTypesAreText() throws IOException {
        assertEquals(
                Map.of(1, 10, -7, 11),
                mapper.readValue(bytes("82010af90b"), new TypeReference<Map<Integer, Integer>>() {}));
        assertEquals(
                Map.of(0.5f, 10),
                mapper.readValue(bytes("81ca3f0000000a"), new TypeReference<Map<Float, Integer>>() {}));
        assertEquals(
                Map.of(true, 10), mapper.readValue(bytes("81c30a"), new TypeReference<Map<Boolean, Integer>>() {}));
        assertEquals(List.of(Map.of("bar", 12), 1), mapper.readValue(bytes("9281c4036261720c01"), Object.class));
        assertThrows(JsonParseException.class, () -> mapper.readValue(bytes("819000"), Object.class));
    }

    @Test
    void textIsReadAsNumbersAndBytes() throws IOException {
        assertEquals(Integer.MAX_VALUE, mapper.readValue(packed("" + Integer.MAX_VALUE), Integer.class));
        assertEquals(0.1, mapper.readValue(packed("0.1"), Double.class));
        assertEquals(new BigDecimal("1.7E+400"), mapper.readValue(packed("1.7E+400"), BigDecimal.class));
        assertArrayEquals(new byte[] {98, 97, 114}, mapper.readValue(packed("bar"), byte[].class));
    }

    @Test
    void numbersAreConverted() throws IOException {
        assertEquals(3.0, mapper.readValue(packed(3), double.class));
        assertEquals(new BigDecimal("0.1"), mapper.readValue(packed(0.1), BigDecimal.class));
        assertEquals(
                new BigInteger("18446744073709551615"),
                mapper.readValue(bytes("cfffffffffffffffff"), BigInteger.class));
        for (Class<?> type : List.of(int.class, long.class)) {
            Throwable error =
                    assertThrows(IOException.class, () -> mapper.readValue(bytes("cfffffffffffffffff"), type));
            assertTrue(
                    error instanceof InputCoercionException || error.getCause() instanceof InputCoercionException,
                    error.toString());
        }
    }

    @Test
    void messagesOfAStreamAreReadOneByOne() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object each : Arrays.asList("foo", 1L << 40, List.of(1), null, 3.14)) out.writeBytes(packed(each));
        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
        ObjectMapper keeping = new PackordMapper();
        keeping.configure(JsonParser.Feature.AUTO_CLOSE_SOURCE, false);
        assertEquals("foo", keeping.readValue(in, String.class));
        assertEquals(1L << 40, keeping.readValue(in, long.class));
        assertEquals(List.of(1), keeping.readValue(in, List.class));
        try (MappingIterator<Double> rest = keeping.readerFor(Double.class).readValues(in)) {
            assertNull(rest.next());
            assertEquals(3.14, rest.next());
            assertEquals(false, rest.hasNext());
        }
    }

    @Test
    void inputThatEndsIsAnError() {
        for (String cut : List.of(
                "93a36f6e65a374776f",
                "83a36f6e6501a374776f02",
                "81a16101".substring(0, 6),
                "cd01",
                "a3616263".substring(0, 6))) {
            assertThrows(JsonEOFException.class, () -> mapper.readValue(bytes(cut), Object.class), cut);
            assertThrows(
                    JsonEOFException.class,
                    () -> mapper.readValue(new ByteArrayInputStream(bytes(cut)), Object.class),
                    cut);
        }
    }

    @Test
    void faultsAreErrorsWithTheirOffset() {
        JsonParseException error =
                assertThrows(JsonParseException.class, () -> mapper.readValue(bytes("9201c1"), Object.class));
        assertEquals(2, error.getLocation().getByteOffset());
        assertTrue(error.getMessage().startsWith("reserved_marker at byte 2 ($[1])"), error.getMessage());
        assertThrows(IOException.class, () -> mapper.readValue(bytes("91a1ff"), Object.class));
        assertThrows(IOException.class, () -> mapper.readValue(bytes("91".repeat(5000) + "c0"), Object.class));
        assertThrows(UnsupportedOperationException.class, () -> mapper.readValue("1", Object.class));
        assertThrows(
                IllegalArgumentException.class,
                () -> new PackordFactory(Options.builder().canonical(true).build()));
    }

    @Test
    void keysThatStandTwiceAreRefusedByTheFeature() throws IOException {
        byte[] twice = bytes("82a16101a16102");
        assertEquals(Map.of("a", 2), mapper.readValue(twice, Map.class));
        ObjectMapper strict = new PackordMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
        assertThrows(JsonParseException.class, () -> strict.readValue(twice, Map.class));
        assertThrows(JsonParseException.class, () -> strict.readTree(twice));
        List<Map<String, Integer>> apart = List.of(Map.of("a", 1), Map.of("a", 2));
        assertEquals(apart, strict.readValue(strict.writeValueAsBytes(apart), List.class));
    }

    @Test
    void aClosedParserHasNoValue() throws IOException {
        JsonParser parser = mapper.createParser(packed("abc"));
        parser.nextToken();
        parser.close();
        assertEquals(List.of(2), mapper.readValue(packed(List.of(2)), List.class));
        assertNull(parser.getText());
        assertNull(parser.getEmbeddedObject());
        assertNull(parser.nextToken());
        assertThrows(IOException.class, parser::getIntValue);
        assertThrows(IOException.class, parser::getBinaryValue);
    }

    @Test
    void recordsAreObjects() throws IOException {
        Options records = Options.builder().records(true).build();
        Object value = List.of(Map.of("a", 1, "b", List.of(Map.of("a", 2, "b", 3))), Map.of("a", 4, "b", 5));
        assertEquals(
                value,
                new PackordMapper(new PackordFactory(records))
                        .readValue(Packer.of(records).pack(value), Object.class));
    }

    record Money(int cents) {}

    @Test
    void extensionsMakeTheirValues() throws IOException {
        Extension money = new Extension() {
            @Override
            public Class<?>[] classes() {
                return new Class<?>[] {Money.class};
            }

            @Override
            public boolean canPack(Object value) {
                return value instanceof Money;
            }

            @Override
            public boolean canUnpack(int type) {
                return type == 12;
            }

            @Override
            public void pack(ExtensionPacker packer, Object value) {
                packer.packExtension(12, new byte[] {(byte) ((Money) value).cents()});
            }

            @Override
            public Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header) {
                return new Money(unpacker.readPayload(1)[0]);
            }
        };
        ObjectMapper own = new PackordMapper(
                new PackordFactory(Options.builder().extension(money).build()));
        assertEquals(List.of(new Money(5)), own.readValue(bytes("91d40c05"), Object.class));
        assertEquals(
                new Ext(12, new byte[] {5}),
                mapper.readValue(bytes("91d40c05"), List.class).get(0));
    }
}
