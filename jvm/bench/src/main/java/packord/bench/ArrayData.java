package packord.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import packord.Packer;
import packord.Unpacker;

/** Arrays of 1000 numbers, packed and unpacked by packord and its peers. */
public final class ArrayData {
    private static final int SIZE = 1000;
    private static final int TYPED_ARRAY = 116;
    private static final int FLOAT64 = 8;

    private final ObjectMapper mapper = new MessagePackMapper();

    /** Integers of all widths. */
    public final int[] ints = new int[SIZE];

    /** Doubles. */
    public final double[] doubles = new double[SIZE];

    private final byte[] packedInts;
    private final byte[] packedDoubles;
    private final byte[] packedExt;

    /** Makes the arrays. */
    public ArrayData() throws IOException {
        Random random = new Random(17);
        for (int i = 0; i < SIZE; i++) {
            ints[i] = random.nextInt() >> random.nextInt(31);
            doubles[i] = 1000 * random.nextDouble();
        }
        packedInts = packInts();
        packedDoubles = packDoubles();
        packedExt = packExtByHand();
    }

    /** Packs integers by packord. */
    public byte[] packInts() {
        return Packer.standard().pack(ints);
    }

    /** Unpacks integers by packord. */
    public int[] unpackInts() {
        return Unpacker.standard().unpack(packedInts, int[].class);
    }

    /** Packs integers by jackson-dataformat-msgpack. */
    public byte[] packIntsByJackson() throws IOException {
        return mapper.writeValueAsBytes(ints);
    }

    /** Unpacks integers by jackson-dataformat-msgpack. */
    public int[] unpackIntsByJackson() throws IOException {
        return mapper.readValue(packedInts, int[].class);
    }

    /** Packs integers by msgpack-java. */
    public byte[] packIntsByHand() throws IOException {
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packArrayHeader(SIZE);
        for (int each : ints) out.packInt(each);
        return out.toByteArray();
    }

    /** Unpacks integers by msgpack-java. */
    public int[] unpackIntsByHand() throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(packedInts);
        int[] all = new int[in.unpackArrayHeader()];
        for (int i = 0; i < all.length; i++) all[i] = in.unpackInt();
        return all;
    }

    /** Packs doubles by packord. */
    public byte[] packDoubles() {
        return Packer.standard().pack(doubles);
    }

    /** Unpacks doubles by packord. */
    public double[] unpackDoubles() {
        return Unpacker.standard().unpack(packedDoubles, double[].class);
    }

    /** Packs doubles by jackson-dataformat-msgpack. */
    public byte[] packDoublesByJackson() throws IOException {
        return mapper.writeValueAsBytes(doubles);
    }

    /** Unpacks doubles by jackson-dataformat-msgpack. */
    public double[] unpackDoublesByJackson() throws IOException {
        return mapper.readValue(packedDoubles, double[].class);
    }

    /** Packs doubles by msgpack-java. */
    public byte[] packDoublesByHand() throws IOException {
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packArrayHeader(SIZE);
        for (double each : doubles) out.packDouble(each);
        return out.toByteArray();
    }

    /** Unpacks doubles by msgpack-java. */
    public double[] unpackDoublesByHand() throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(packedDoubles);
        double[] all = new double[in.unpackArrayHeader()];
        for (int i = 0; i < all.length; i++) all[i] = in.unpackDouble();
        return all;
    }

    /** Packs doubles as a typed array by msgpack-java. */
    public byte[] packExtByHand() throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(1 + 8 * SIZE).order(ByteOrder.LITTLE_ENDIAN);
        payload.put((byte) FLOAT64);
        payload.asDoubleBuffer().put(doubles);
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packExtensionTypeHeader((byte) TYPED_ARRAY, payload.capacity());
        out.addPayload(payload.array());
        return out.toByteArray();
    }

    /** Unpacks a typed array of doubles by msgpack-java. */
    public double[] unpackExtByHand() throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(packedExt);
        byte[] payload = in.readPayload(in.unpackExtensionTypeHeader().getLength());
        double[] all = new double[(payload.length - 1) / 8];
        ByteBuffer.wrap(payload, 1, payload.length - 1)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(all);
        return all;
    }
}
