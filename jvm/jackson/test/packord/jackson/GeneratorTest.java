package packord.jackson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.Ext;
import packord.Options;
import packord.Packer;
import packord.Unpacker;

/** What Jackson writes. */
class GeneratorTest {
    private final ObjectMapper mapper = new PackordMapper();

    private String hex(Object value) throws IOException {
        return HexFormat.of().formatHex(mapper.writeValueAsBytes(value));
    }

    private Object back(Object value) throws IOException {
        return Unpacker.standard().unpack(mapper.writeValueAsBytes(value));
    }

    @Test
    void scalarsTakeTheirSmallestForm() throws IOException {
        assertEquals("c0", hex(null));
        assertEquals("c3", hex(true));
        assertEquals("7f", hex(127));
        assertEquals("d080", hex((byte) -128));
        assertEquals("cdffff", hex(65535L));
        assertEquals("ca3fc00000", hex(1.5f));
        assertEquals("cb3ff8000000000000", hex(1.5));
        assertEquals("a2c3bc", hex("ü"));
        assertEquals("c4020102", hex(new byte[] {1, 2}));
        assertEquals("cfffffffffffffffff", hex(new BigInteger("18446744073709551615")));
        assertEquals("a6312e35303030", hex(new BigDecimal("1.5000")));
        assertEquals("d6ff00000001", hex(Instant.ofEpochSecond(1)));
        assertEquals("d40507", hex(new Ext(5, new byte[] {7})));
    }

    @Test
    void containersOfAllSizesHaveTheirHeaders() throws IOException {
        for (int size : new int[] {0, 1, 15, 16, 17, 65535, 65536}) {
            List<Object> list = new ArrayList<>();
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                list.add(i % 3 == 0 ? List.of((long) i) : (long) i);
                map.put("k" + i, (long) i);
            }
            for (Object value : List.of(list, map, Map.of("in", List.of(list, map)))) {
                assertEquals(value, back(value));
                assertArrayEquals(Packer.standard().pack(value), mapper.writeValueAsBytes(value));
                // An iterator does not say how many elements it has.
                if (value == list)
                    assertArrayEquals(Packer.standard().pack(value), mapper.writeValueAsBytes(list.iterator()));
            }
        }
    }

    @Test
    void aGeneratorIsUsedDirectly() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator generator = new PackordFactory().createGenerator((OutputStream) out)) {
            generator.writeStartArray();
            generator.writeNumber(0);
            generator.writeStartObject();
            generator.writeFieldId(7);
            generator.writeString("one".toCharArray(), 0, 3);
            assertThrows(JsonProcessingException.class, () -> generator.writeNumber(1));
            assertThrows(JsonProcessingException.class, generator::writeEndArray);
            generator.writeEndObject();
            generator.writeEndArray();
            generator.writeBoolean(true);
        }
        assertEquals("92008107a36f6e65c3", HexFormat.of().formatHex(out.toByteArray()));
    }

    @Test
    void whatIsOpenAtTheEndIsClosed() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonGenerator generator = new PackordFactory().createGenerator((OutputStream) out);
        generator.writeStartArray();
        generator.writeStartObject();
        generator.close();
        generator.close();
        assertEquals("9180", HexFormat.of().formatHex(out.toByteArray()));
    }

    private static final class Target extends ByteArrayOutputStream {
        boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void theTargetIsClosedUnlessItShallNotBe() throws IOException {
        Target target = new Target();
        mapper.writeValue(target, List.of(1));
        assertEquals(true, target.closed);
        Target kept = new Target();
        mapper.copy().configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false).writeValue(kept, List.of(1));
        assertEquals(false, kept.closed);
        assertEquals("9101", HexFormat.of().formatHex(kept.toByteArray()));
    }

    @Test
    void filesHoldMessages(@TempDir Path dir) throws IOException {
        File file = dir.resolve("a.mp").toFile();
        mapper.writeValue(file, List.of("ü"));
        assertEquals("91a2c3bc", HexFormat.of().formatHex(Files.readAllBytes(file.toPath())));
        assertEquals(List.of("ü"), mapper.readValue(file, List.class));
        for (JsonEncoding encoding : JsonEncoding.values()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (JsonGenerator generator = mapper.createGenerator(file, encoding);
                    JsonGenerator other = mapper.createGenerator(out, encoding)) {
                generator.writeString("ü");
                other.writeString("ü");
            }
            assertEquals("a2c3bc", HexFormat.of().formatHex(Files.readAllBytes(file.toPath())));
            assertEquals("a2c3bc", HexFormat.of().formatHex(out.toByteArray()));
        }
    }

    @Test
    void keysMayBeIntegers() throws IOException {
        assertEquals(Map.of(5L, "a"), back(Map.of(5L, "a")));
        assertEquals(Map.of("5", "a"), back(Map.of((short) 5, "a")));
    }

    @Test
    void whatHasNoFormIsRefused() {
        BigInteger large = BigInteger.ONE.shiftLeft(64);
        assertThrows(JsonProcessingException.class, () -> hex(large));
        assertThrows(JsonProcessingException.class, () -> hex("\ud800"));
        assertThrows(JsonProcessingException.class, () -> hex("a?\udc00b"));
        assertThrows(UnsupportedOperationException.class, () -> mapper.writeValueAsString(1));
        ObjectMapper withBigint = new PackordMapper(
                new PackordFactory(Options.builder().bigint(true).build()));
        try {
            byte[] packed = withBigint.writeValueAsBytes(List.of(large));
            assertEquals(
                    List.of(large),
                    Unpacker.of(Options.builder().bigint(true).build()).unpack(packed));
            assertEquals(large, withBigint.readValue(packed, BigInteger[].class)[0]);
        } catch (IOException exception) {
            throw new AssertionError(exception);
        }
        Object deep = 1;
        for (int i = 0; i < 1025; i++) deep = Collections.singletonList(deep);
        Object all = deep;
        assertThrows(JsonProcessingException.class, () -> hex(all));
    }

    @Test
    void threadsShareAMapper() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Map<String, Object> value = Map.of("t", "x".repeat(thread * 100), "n", Arrays.asList(thread, null));
            results.add(pool.submit(() -> {
                boolean same = true;
                for (int i = 0; i < 500; i++)
                    same &= mapper.readValue(mapper.writeValueAsBytes(value), Map.class)
                            .equals(value);
                return same;
            }));
        }
        for (Future<Boolean> result : results) assertEquals(true, result.get());
        pool.shutdown();
    }
}
