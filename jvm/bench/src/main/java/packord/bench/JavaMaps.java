package packord.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import packord.Packer;
import packord.Unpacker;

/** Maps of seven keys as Java has them, without classes for what is in them. */
public final class JavaMaps {
    private final Packer packer = Packer.standard();
    private final Unpacker unpacker = Unpacker.standard();
    private final MessagePackMapper mapper = new MessagePackMapper();
    private final List<Object> rows = new ArrayList<>();
    private final byte[] plain;

    /** Makes {@code count} maps. */
    public JavaMaps(int count) {
        for (long i = 0; i < count; i++) {
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
    }

    /** Packs maps. */
    public byte[] pack() {
        return packer.pack(rows);
    }

    /** Packs by the best walk over data that can be written by hand. */
    public byte[] packByHand() throws IOException {
        return Walker.pack(rows);
    }

    /** Packs by jackson-dataformat-msgpack. */
    public byte[] packByJackson() throws IOException {
        return mapper.writeValueAsBytes(rows);
    }

    /** Unpacks maps. */
    public Object unpack() {
        return unpacker.unpack(plain);
    }

    /** Unpacks by msgpack-java, as a program writes it by hand. */
    public Object unpackByHand() throws IOException {
        return read(MessagePack.newDefaultUnpacker(plain));
    }

    private static Object read(MessageUnpacker in) throws IOException {
        switch (in.getNextFormat().getValueType()) {
            case STRING:
                return in.unpackString();
            case INTEGER:
                return in.unpackLong();
            case FLOAT:
                return in.unpackDouble();
            case BOOLEAN:
                return in.unpackBoolean();
            case ARRAY: {
                int count = in.unpackArrayHeader();
                List<Object> array = new ArrayList<>(count);
                for (int i = 0; i < count; i++) array.add(read(in));
                return array;
            }
            default: {
                int count = in.unpackMapHeader();
                Map<Object, Object> map = new LinkedHashMap<>(2 * count);
                for (int i = 0; i < count; i++) map.put(read(in), read(in));
                return map;
            }
        }
    }

    /** Unpacks by jackson-dataformat-msgpack. */
    public Object unpackByJackson() throws IOException {
        return mapper.readValue(plain, Object.class);
    }
}
