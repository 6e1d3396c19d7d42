package packord.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.msgpack.core.MessagePack;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import packord.Options;
import packord.Packer;
import packord.Unpacker;

/** The Java front on 1000 maps of 7 keys: packord, with and without records, and msgpack-java. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JavaCore {
    private final Options records = Options.builder().records(true).build();
    private final Packer packer = Packer.standard();
    private final Packer recordPacker = Packer.of(records);
    private final Unpacker unpacker = Unpacker.standard();
    private final Unpacker recordUnpacker = Unpacker.of(records);
    private final MessagePackMapper mapper = new MessagePackMapper();
    private List<Object> rows;
    private byte[] plain;
    private byte[] compact;

    /** Makes the rows. */
    @Setup
    public void setup() {
        rows = new ArrayList<>();
        for (long i = 0; i < 1000; i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", i);
            row.put("name", "name " + i * 7919 % 1000);
            row.put("email", "user" + i + "@example.com");
            row.put("age", 18 + i % 60);
            row.put("active", i % 3 == 0);
            row.put("score", i / 7.0);
            row.put("tags", List.of("red", "green"));
            rows.add(row);
        }
        plain = packer.pack(rows);
        compact = recordPacker.pack(rows);
    }

    /** Packs maps. */
    @Benchmark
    public byte[] pack() {
        return packer.pack(rows);
    }

    /** Packs records. */
    @Benchmark
    public byte[] packRecords() {
        return recordPacker.pack(rows);
    }

    /** Packs by msgpack-java's Jackson mapper. */
    @Benchmark
    public byte[] packJackson() throws IOException {
        return mapper.writeValueAsBytes(rows);
    }

    /** Unpacks maps. */
    @Benchmark
    public Object unpack() {
        return unpacker.unpack(plain);
    }

    /** Unpacks records. */
    @Benchmark
    public Object unpackRecords() {
        return recordUnpacker.unpack(compact);
    }

    /** Unpacks by msgpack-java's Jackson mapper. */
    @Benchmark
    public Object unpackJackson() throws IOException {
        return mapper.readValue(plain, Object.class);
    }

    /** Unpacks into msgpack-java's own values. */
    @Benchmark
    public Object unpackValues() throws IOException {
        return MessagePack.newDefaultUnpacker(plain).unpackValue();
    }
}
