package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.fault;
import static packord.connect.Converters.withSchemas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

/** Depth, stack, memory and threads. */
class LimitsTest {
    private static byte[] nested(int depth, int marker) {
        byte[] message = new byte[depth + 1];
        Arrays.fill(message, 0, depth, (byte) marker);
        return message;
    }

    /** A map of one entry, whose value is a map of one entry. */
    private static byte[] nestedMaps(int depth) {
        byte[] message = new byte[3 * depth + 1];
        for (int i = 0; i < depth; i++) {
            message[3 * i] = (byte) 0x81;
            message[3 * i + 1] = (byte) 0xa1;
            message[3 * i + 2] = 'k';
        }
        return message;
    }

    private static void onSmallStack(Runnable action) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        action.run();
                    } catch (Throwable failure) {
                        thrown[0] = failure;
                    }
                },
                "small stack",
                1 << 20);
        thread.start();
        thread.join();
        assertNull(thrown[0]);
    }

    @Test
    void theDepthIsLimitedAndTheStackOfAThreadIsEnoughForIt() throws InterruptedException {
        onSmallStack(() -> {
            for (PackordConverter converter : List.of(converter(), converter("schema.infer", true))) {
                for (byte[] message : List.of(nested(1024, 0x91), nestedMaps(1024))) {
                    SchemaAndValue data = converter.toConnectData(TOPIC, message);
                    assertEquals(message.length, converter.fromConnectData(TOPIC, data.schema(), data.value()).length);
                }
                assertEquals(
                        "depth_limit",
                        fault(() -> converter.toConnectData(TOPIC, nested(1025, 0x91)))
                                .kind()
                                .id());
            }
        });
    }

    @Test
    void aSchemaOfAnyDepthInAnEnvelopeIsReadOrRefused() throws InterruptedException {
        Object schema = Map.of("type", "int8");
        for (int i = 0; i < 1021; i++) schema = Map.of("type", "array", "items", schema);
        Map<String, Object> envelope = new HashMap<>();
        envelope.put("schema", schema);
        envelope.put("payload", List.of());
        byte[] message = converter().fromConnectData(TOPIC, null, envelope);
        onSmallStack(() -> assertEquals(
                List.of(), withSchemas().toConnectData(TOPIC, message).value()));
    }

    @Test
    void aSmallerDepthCanBeConfigured() {
        assertEquals(
                "depth_limit",
                fault(() -> converter("max.depth", 8).toConnectData(TOPIC, nested(9, 0x91)))
                        .kind()
                        .id());
        List<Object> deep = List.of();
        for (int i = 0; i < 8; i++) deep = List.of(deep);
        List<Object> value = deep;
        assertEquals(
                "depth_limit",
                fault(() -> converter("max.depth", 8).fromConnectData(TOPIC, null, value))
                        .kind()
                        .id());
    }

    @Test
    void aValueThatContainsItselfIsAnError() {
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        assertEquals(
                "depth_limit",
                fault(() -> converter().fromConnectData(TOPIC, null, cycle))
                        .kind()
                        .id());
    }

    @Test
    void announcedLengthsAreNotAllocated() {
        for (int marker : new int[] {0xdd, 0xdf, 0xdb, 0xc6, 0xc9}) {
            byte[] message = {(byte) marker, 0x7f, -1, -1, -1, 1};
            assertEquals(
                    "eof",
                    fault(() -> converter("schema.infer", true).toConnectData(TOPIC, message))
                            .kind()
                            .id());
        }
    }

    @Test
    void threadsShareAConverter() throws Exception {
        Schema schema = SchemaBuilder.struct().field("id", Schema.INT32_SCHEMA).build();
        PackordConverter converter = withSchemas("schemas.cache.size", 2);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> results = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            results.add(threads.submit(() -> {
                for (int i = 0; i < 2000; i++) {
                    Struct struct = new Struct(schema).put("id", i);
                    byte[] message = converter.fromConnectData(TOPIC, schema, struct);
                    assertEquals(new SchemaAndValue(schema, struct), converter.toConnectData(TOPIC, message));
                }
            }));
        }
        for (Future<?> result : results) result.get();
        threads.shutdown();
    }
}
