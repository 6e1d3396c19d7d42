package packord.jackson;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.util.Arrays;
import java.util.Currency;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;
import packord.Packed;
import packord.Packer;
import packord.Unpacker;

/** What the cells of the table of {@link Features} write, and the libraries that they call. */
final class Libraries {
    private Libraries() {}

    interface Cell {
        boolean run() throws Exception;
    }

    // ---------------------------------------------------------------- what the cells write and read

    record Point(int x, int y) {}

    public static class Bean {
        private String name;
        public int[] scores;

        public String getName() {
            return name;
        }

        public void setName(String value) {
            name = value;
        }
    }

    public static final class Fixed {
        private final String name;
        private final int size;

        public Fixed(String name, int size) {
            this.name = name;
            this.size = size;
        }

        public String getName() {
            return name;
        }

        public int getSize() {
            return size;
        }
    }

    record Renamed(@JsonProperty("user_id") int id) {}

    @Packed(tag = "kind")
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    record Texts(UUID id, URI link, Locale locale, Currency currency, Thread.State state) {}

    record Maybe(Optional<String> name) {}

    record Deep(List<Point> points) {}

    record Money(long cents) {}

    static final class MoneyExtension implements Extension {
        @Override
        public boolean canPack(Object value) {
            return value instanceof Money;
        }

        @Override
        public boolean canUnpack(int type) {
            return type == 9;
        }

        @Override
        public void pack(ExtensionPacker packer, Object value) {
            packer.packExtension(9, BigInteger.valueOf(((Money) value).cents()).toByteArray());
        }

        @Override
        public Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header) {
            return new Money(new BigInteger(unpacker.readPayload(header.getLength())).longValue());
        }
    }

    // ---------------------------------------------------------------- the libraries

    static byte[] pack(Object value) {
        return Packer.standard().pack(value);
    }

    static <T> T unpack(byte[] bytes, Class<T> type) {
        return Unpacker.standard().unpack(bytes, type);
    }

    static boolean comesBack(Object value) {
        return value.equals(unpack(pack(value), value.getClass()));
    }

    static boolean comesBack(ObjectMapper mapper, Object value) throws Exception {
        return value.equals(mapper.readValue(mapper.writeValueAsBytes(value), value.getClass()));
    }

    static ObjectMapper bridge() {
        return new PackordMapper();
    }

    static ObjectMapper jackson() {
        return new MessagePackMapper();
    }

    static MessageUnpacker msgpack(byte[] bytes) {
        return MessagePack.newDefaultUnpacker(bytes);
    }

    interface Packing {
        void to(MessageBufferPacker packer) throws Exception;
    }

    static byte[] msgpacked(Packing packing) throws Exception {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packing.to(packer);
            return packer.toByteArray();
        }
    }

    static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes);
    }

    static boolean fails(Cell cell) {
        try {
            cell.run();
            return false;
        } catch (VirtualMachineError error) {
            return false;
        } catch (Throwable error) {
            return !(error.getCause() instanceof VirtualMachineError);
        }
    }

    static Throwable error(Cell cell) {
        try {
            cell.run();
            return null;
        } catch (Throwable error) {
            return error;
        }
    }

    static final Map<String, Object> PLAIN = new LinkedHashMap<>();

    static {
        PLAIN.put("a", Arrays.asList(null, true, -70_000L, 5_000_000_000L, 0.1, "ä"));
        PLAIN.put("b", Map.of());
    }

    static boolean readsPlain(ObjectMapper mapper) throws Exception {
        String text =
                mapper.readValue(mapper.writeValueAsBytes(PLAIN), Object.class).toString();
        return text.equals(PLAIN.toString());
    }

    static boolean readsBean(ObjectMapper mapper) throws Exception {
        Bean bean = mapper.readValue(mapper.writeValueAsBytes(bean()), Bean.class);
        return bean.name.equals("a") && Arrays.equals(bean.scores, new int[] {1, 300});
    }

    static Bean bean() {
        Bean bean = new Bean();
        bean.name = "a";
        bean.scores = new int[] {1, 300};
        return bean;
    }

    static boolean readsFixed(ObjectMapper mapper) throws Exception {
        return mapper.readValue(mapper.writeValueAsBytes(new Fixed("a", 3)), Fixed.class).size == 3;
    }

    static boolean readsStream(ObjectMapper mapper) throws Exception {
        InputStream in = new ByteArrayInputStream(hex("010203"));
        return mapper.readerFor(Integer.class).readValues(in).readAll().equals(List.of(1, 2, 3));
    }

    static boolean readsTokens(JsonParser parser) throws Exception {
        return parser.nextToken() == JsonToken.START_ARRAY
                && parser.nextToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getIntValue() == 1
                && parser.nextToken() == JsonToken.END_ARRAY;
    }

    static boolean locates(ObjectMapper mapper) {
        Throwable error = error(() -> mapper.readValue(hex("9201"), int[].class) == null);
        return error instanceof JsonProcessingException found
                && found.getLocation() != null
                && found.getLocation().getByteOffset() == 2;
    }

    static boolean namesField(ObjectMapper mapper) throws Exception {
        byte[] bytes = mapper.writeValueAsBytes(Map.of("points", List.of(Map.of("x", "one"))));
        Throwable error = error(() -> mapper.readValue(bytes, Deep.class) == null);
        return error instanceof JsonMappingException found
                && found.getPathReference()
                        .endsWith("[\"points\"]->java.util.ArrayList[0]->" + Point.class.getName() + "[\"x\"]");
    }

    static boolean writesAhead(JsonGenerator generator, ByteArrayOutputStream out) throws Exception {
        generator.writeStartArray(null, 100_000);
        for (int i = 0; i < 100_000; i++) {
            generator.writeString("0123456789");
            if (out.size() > 0) return true;
        }
        return false;
    }

    static byte[] nested() {
        byte[] bytes = new byte[100_000];
        Arrays.fill(bytes, (byte) 0x91);
        bytes[bytes.length - 1] = 1;
        return bytes;
    }

    static final byte[] HUGE = hex("ddffffffff01"), TWICE = hex("82a16101a16102"), WRONG = hex("a2c328");
}
