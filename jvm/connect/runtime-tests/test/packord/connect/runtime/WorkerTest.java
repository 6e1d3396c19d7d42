package packord.connect.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.Options;
import packord.Packer;
import packord.Unpacker;

/** The converter as a plugin of a worker: sources, sinks, transformations, and wrong bytes. */
@Tag("engines")
class WorkerTest {
    private static final Schema EVENT = SchemaBuilder.struct()
            .name("event")
            .field("id", Schema.INT32_SCHEMA)
            .field("price", Decimal.schema(2))
            .field("at", Timestamp.SCHEMA)
            .field("tags", SchemaBuilder.array(Schema.STRING_SCHEMA).build())
            .field("note", Schema.OPTIONAL_STRING_SCHEMA)
            .build();

    @TempDir
    private static Path folder;

    private static Broker broker;
    private static Worker worker;

    @BeforeAll
    static void startAll() throws IOException {
        broker = new Broker(folder);
        worker = new Worker(folder, broker.address);
    }

    @AfterAll
    static void stopAll() {
        if (worker != null) worker.close();
        if (broker != null) broker.close();
    }

    private static Struct event(int id) {
        return new Struct(EVENT)
                .put("id", id)
                .put("price", new BigDecimal("1.50"))
                .put("at", new Date(1_500_000_000_123L + id))
                .put("tags", List.of("a", "é"));
    }

    private static SinkRecord take(String topic) throws InterruptedException {
        SinkRecord record = QueueSink.records(topic).poll(60, TimeUnit.SECONDS);
        assertNotNull(record, "a record of " + topic);
        return record;
    }

    private static void send(String topic, byte[] key, byte[]... values) throws Exception {
        Properties entries = new Properties();
        entries.setProperty("bootstrap.servers", broker.address);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(entries, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (byte[] value : values)
                producer.send(new ProducerRecord<>(topic, key, value)).get();
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> receive(String topic, int count) {
        Properties entries = new Properties();
        entries.setProperty("bootstrap.servers", broker.address);
        entries.setProperty("group.id", "test-" + topic);
        entries.setProperty("auto.offset.reset", "earliest");
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(entries, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (records.size() < count && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    @Test
    void whatASourceSendsWithItsSchemaASinkReceives() throws Exception {
        worker.start(
                "source",
                QueueSource.class,
                "key.converter.schemas.enable",
                "true",
                "value.converter.schemas.enable",
                "true");
        for (int i = 0; i < 1000; i++) {
            SourceRecord record = new SourceRecord(
                    Map.of("p", 1), Map.of("o", i), "events", null, Schema.STRING_SCHEMA, "k" + i, EVENT, event(i));
            record.headers().addLong("number", i);
            QueueSource.RECORDS.add(record);
        }
        QueueSource.RECORDS.add(
                new SourceRecord(Map.of("p", 1), Map.of("o", 1000), "events", Schema.STRING_SCHEMA, "k0", null, null));
        worker.start(
                "sink",
                QueueSink.class,
                "topics",
                "events",
                "key.converter.schemas.enable",
                "true",
                "value.converter.schemas.enable",
                "true");
        for (int i = 0; i < 1000; i++) {
            SinkRecord record = take("events");
            assertEquals("k" + i, record.key());
            assertEquals(Schema.STRING_SCHEMA, record.keySchema());
            assertEquals(EVENT, record.valueSchema());
            assertEquals(event(i), record.value());
            assertEquals((long) i, record.headers().lastWithName("number").value());
        }
        SinkRecord deletion = take("events");
        assertEquals("k0", deletion.key());
        assertNull(deletion.value());

        ConsumerRecord<byte[], byte[]> plain = receive("events", 1).get(0);
        Map<?, ?> envelope = (Map<?, ?>) Unpacker.standard().unpack(plain.value());
        assertEquals("1.50", ((Map<?, ?>) envelope.get("payload")).get("price"));
        assertEquals(Instant.ofEpochMilli(1_500_000_000_123L), ((Map<?, ?>) envelope.get("payload")).get("at"));
    }

    @Test
    void whatAnyProducerSendsIsTypedDataForASinkAndItsTransformations() throws Exception {
        Options records = Options.builder().records(true).build();
        send(
                "plain",
                Packer.standard().pack("k"),
                Packer.of(records)
                        .pack(Map.of("rows", List.of(Map.of("a", 1, "b", 2), Map.of("a", 3, "b", 4)), "user", "ada")));
        worker.start(
                "typed",
                QueueSink.class,
                "topics",
                "plain",
                "value.converter.schema.infer",
                "true",
                "transforms",
                "mask,rename",
                "transforms.mask.type",
                "org.apache.kafka.connect.transforms.MaskField$Value",
                "transforms.mask.fields",
                "user",
                "transforms.mask.replacement",
                "***",
                "transforms.rename.type",
                "org.apache.kafka.connect.transforms.ReplaceField$Value",
                "transforms.rename.renames",
                "rows:lines");
        SinkRecord record = take("plain");
        assertEquals("k", record.key());
        Struct value = (Struct) record.value();
        assertEquals("***", value.get("user"));
        List<?> lines = value.getArray("lines");
        assertEquals(3L, ((Struct) lines.get(1)).get("a"));
    }

    @Test
    void linesOfAFilePassThroughATopicIntoAFile() throws Exception {
        Path in = Files.writeString(folder.resolve("in.txt"), "first\nsecond é\n");
        Path out = folder.resolve("out.txt");
        worker.start(
                "file-in",
                "org.apache.kafka.connect.file.FileStreamSourceConnector",
                "file",
                in.toString(),
                "topic",
                "lines");
        worker.start(
                "file-out",
                "org.apache.kafka.connect.file.FileStreamSinkConnector",
                "file",
                out.toString(),
                "topics",
                "lines");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Files.writeString(in, "third\n", StandardOpenOption.APPEND);
        while (System.nanoTime() < end) {
            if (Files.exists(out) && Files.readString(out).endsWith("third\n")) break;
            Thread.sleep(100);
        }
        assertEquals("first\nsecond é\nthird\n", Files.readString(out));
        assertEquals(
                "first", Unpacker.standard().unpack(receive("lines", 3).get(0).value()));
    }

    @Test
    void wrongBytesGoToTheDeadLetterQueueWithTheirPlace() throws Exception {
        byte[] good = Packer.standard().pack(Map.of("id", 1));
        send("dirty", null, good, new byte[] {(byte) 0x92, 1}, Packer.standard().pack(Map.of("id", "x")), good);
        worker.start(
                "tolerant",
                QueueSink.class,
                "topics",
                "dirty",
                "value.converter.schema.content",
                "{\"type\": \"struct\", \"fields\": [{\"field\": \"id\", \"type\": \"int32\"}]}",
                "errors.tolerance",
                "all",
                "errors.deadletterqueue.topic.name",
                "dead",
                "errors.deadletterqueue.topic.replication.factor",
                "1",
                "errors.deadletterqueue.context.headers.enable",
                "true");
        assertEquals(1, ((Struct) take("dirty").value()).get("id"));
        assertEquals(1, ((Struct) take("dirty").value()).get("id"));
        List<ConsumerRecord<byte[], byte[]>> dead = receive("dead", 2);
        assertEquals(2, dead.size());
        assertTrue(reason(dead.get(0)).startsWith("eof at byte 2"), reason(dead.get(0)));
        assertTrue(reason(dead.get(1)).startsWith("type_mismatch at byte 4 ($.id)"), reason(dead.get(1)));
    }

    private static String reason(ConsumerRecord<byte[], byte[]> record) {
        byte[] header = record.headers()
                .lastHeader("__connect.errors.exception.message")
                .value();
        return new String(header, StandardCharsets.UTF_8);
    }

    @Test
    void withoutToleranceATaskFailsAndItsStatusNamesKindAndOffset() throws Exception {
        send("strict", null, new byte[] {(byte) 0xc1});
        worker.start("strict", QueueSink.class, "topics", "strict");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (worker.trace("strict") == null && System.nanoTime() < end) Thread.sleep(100);
        assertTrue(worker.trace("strict").contains("reserved_marker at byte 0"), worker.trace("strict"));
    }
}
