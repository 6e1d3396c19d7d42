package packord;

import java.util.Arrays;
import java.util.Objects;

/**
 * An extension value that nobody registered a handler for: a type and bytes. It packs to the same bytes again (with a
 * minimal header). Two are equal when type and bytes are.
 *
 * <pre>{@code
 * byte[] packed = Packer.standard().pack(new Ext(5, new byte[] {0}));  // d4 05 00
 * }</pre>
 */
public final class Ext {
    /**
     * Nobody can choose payloads that collide without knowing it. In a class of its own, which a program that is
     * compiled ahead of time initialises when it runs, so that processes differ.
     */
    private static final class Seed {
        static final long VALUE = System.nanoTime() * 0x9E3779B97F4A7C15L;
    }

    private final byte type;
    private final byte[] bytes;
    private final int from;
    private final int to;

    /**
     * Makes an ext value. The bytes are not copied. Types are -128 to 127; those below 0 belong to MessagePack itself.
     */
    public Ext(int type, byte[] data) {
        this(type, data, 0, data.length);
    }

    /** Makes an ext value of a part of an array. The bytes are not copied. */
    public Ext(int type, byte[] bytes, int from, int to) {
        if (type < -128 || type > 127) throw new IllegalArgumentException("ext type " + type);
        Objects.checkFromToIndex(from, to, bytes.length);
        this.type = (byte) type;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    /** The type, -128 to 127. */
    public int type() {
        return type;
    }

    /** The payload: the array itself, or a copy of a part. */
    public byte[] data() {
        return to - from == bytes.length ? bytes : Arrays.copyOfRange(bytes, from, to);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Ext)) return false;
        Ext ext = (Ext) other;
        return type == ext.type && Arrays.equals(bytes, from, to, ext.bytes, ext.from, ext.to);
    }

    @Override
    public int hashCode() {
        long hash = Seed.VALUE ^ type;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("ext(").append(type).append(", h'");
        int shown = Math.min(to, from + 64);
        for (int i = from; i < shown; i++) out.append(String.format("%02x", bytes[i]));
        return out.append(shown < to ? "…')" : "')").toString();
    }
}
