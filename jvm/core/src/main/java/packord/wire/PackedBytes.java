package packord.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.ErrorKind;
import packord.PackordException;

/** Bytes that grow as values are written, each in its smallest format. Nothing else writes headers. */
public class PackedBytes {
    private static final int FIRST = 256;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

    /** The bytes written so far, up to {@link #pos}. */
    public byte[] buf;

    /** The index after the last byte. */
    public int pos;

    /** Whether 64 to 127 are written as {@code cc xx}, because one byte would be a record id. */
    private boolean wideInts;

    /** Makes an empty array. */
    public PackedBytes() {
        this(FIRST);
    }

    /** Makes an empty array with room. */
    public PackedBytes(int capacity) {
        buf = new byte[capacity];
    }

    /** Sets whether 64 to 127 are written as {@code cc xx}. */
    public final void wideInts(boolean wide) {
        wideInts = wide;
    }

    /** Makes room for {@code count} more bytes. */
    public final void ensure(long count) {
        if (buf.length - pos < count) grow(count);
    }

    /** Makes an array with room for {@code count} more bytes. */
    protected void grow(long count) {
        long needed = pos + count;
        if (needed > MAX_ARRAY) throw tooLarge();
        buf = Arrays.copyOf(buf, (int) Math.min(MAX_ARRAY, Math.max(2L * buf.length, needed)));
    }

    /** Returns the error for more bytes than an array holds. */
    protected RuntimeException tooLarge() {
        return new PackordException(ErrorKind.LENGTH_LIMIT, -1, "a message takes at most 2 GiB", null, null);
    }

    /** Forgets what was written, and the array if it is larger than {@code kept}. */
    public final void clear(int kept) {
        pos = 0;
        if (buf.length > kept) buf = new byte[FIRST];
    }

    /** Returns a copy of what was written. */
    public final byte[] toBytes() {
        return Arrays.copyOf(buf, pos);
    }

    /** Writes one byte. */
    public final void put(int value) {
        ensure(1);
        buf[pos++] = (byte) value;
    }

    /** Writes bytes as they are. */
    public final void raw(byte[] bytes, int from, int count) {
        ensure(count);
        System.arraycopy(bytes, from, buf, pos, count);
        pos += count;
    }

    /** Writes bytes as they are. */
    public final void raw(byte[] bytes) {
        raw(bytes, 0, bytes.length);
    }

    private void put8(int marker, int value) {
        buf[pos] = (byte) marker;
        buf[pos + 1] = (byte) value;
        pos += 2;
    }

    private void put16(int marker, int value) {
        buf[pos] = (byte) marker;
        Bytes.put16(buf, pos + 1, value);
        pos += 3;
    }

    private void put32(int marker, int value) {
        buf[pos] = (byte) marker;
        Bytes.put32(buf, pos + 1, value);
        pos += 5;
    }

    private void put64(int marker, long value) {
        buf[pos] = (byte) marker;
        Bytes.put64(buf, pos + 1, value);
        pos += 9;
    }

    public final void nil() {
        put(Marker.NIL);
    }

    public final void bool(boolean value) {
        put(value ? Marker.TRUE : Marker.FALSE);
    }

    public final void integer(long value) {
        ensure(9);
        if (value >= -32 && value < 128) {
            if (value >= 64 && wideInts) buf[pos++] = (byte) Marker.UINT8;
            buf[pos++] = (byte) value;
        } else if (value >= 0) {
            if (value < 1 << 8) put8(Marker.UINT8, (int) value);
            else if (value < 1 << 16) put16(Marker.UINT16, (int) value);
            else if (value < 1L << 32) put32(Marker.UINT32, (int) value);
            else put64(Marker.UINT64, value);
        } else if (value >= Byte.MIN_VALUE) {
            put8(Marker.INT8, (int) value);
        } else if (value >= Short.MIN_VALUE) {
            put16(Marker.INT16, (int) value);
        } else if (value >= Integer.MIN_VALUE) {
            put32(Marker.INT32, (int) value);
        } else {
            put64(Marker.INT64, value);
        }
    }

    /** Writes an integer of 64 to 127 where one byte would be a record id. */
    public final void wide(int value) {
        ensure(2);
        put8(Marker.UINT8, value);
    }

    /** Writes an integer of 64 bits without a sign. */
    public final void unsigned64(long bits) {
        if (bits >= 0) {
            integer(bits);
        } else {
            ensure(9);
            put64(Marker.UINT64, bits);
        }
    }

    /** Writes a float 32 of these bits. */
    public final void float32Bits(int bits) {
        ensure(5);
        put32(Marker.FLOAT32, bits);
    }

    /** Writes a float 64 of these bits. */
    public final void float64Bits(long bits) {
        ensure(9);
        put64(Marker.FLOAT64, bits);
    }

    /** Returns the bytes of the header of a str of a size. */
    public static int strHeaderSize(int size) {
        return size < 32 ? 1 : size < 1 << 8 ? 2 : size < 1 << 16 ? 3 : 5;
    }

    public final void strHeader(int size) {
        ensure(5);
        if (size < 32) buf[pos++] = (byte) (Marker.FIXSTR | size);
        else sized(Marker.STR8, size);
    }

    /** Writes the header of a raw, which is a str without the format of 8 bits. */
    public final void rawHeader(int size) {
        ensure(5);
        if (size < 32) buf[pos++] = (byte) (Marker.FIXSTR | size);
        else counted(Marker.STR16, size);
    }

    public final void binHeader(int size) {
        ensure(5);
        sized(Marker.BIN8, size);
    }

    public final void extHeader(int type, int size) {
        ensure(6);
        if (size > 0 && size <= 16 && (size & size - 1) == 0) {
            buf[pos++] = (byte) (Marker.FIXEXT1 + Integer.numberOfTrailingZeros(size));
        } else {
            sized(Marker.EXT8, size);
        }
        buf[pos++] = (byte) type;
    }

    /** Writes a header of one of the families that have 8, 16 and 32 bits; the marker is that of 8. */
    private void sized(int marker8, int size) {
        if (size < 1 << 8) put8(marker8, size);
        else counted(marker8 + 1, size);
    }

    private void counted(int marker16, int size) {
        if (size < 1 << 16) put16(marker16, size);
        else put32(marker16 + 1, size);
    }

    public final void arrayHeader(int size) {
        ensure(5);
        if (size < 16) buf[pos++] = (byte) (Marker.FIXARRAY | size);
        else counted(Marker.ARRAY16, size);
    }

    public final void mapHeader(int size) {
        ensure(5);
        if (size < 16) buf[pos++] = (byte) (Marker.FIXMAP | size);
        else counted(Marker.MAP16, size);
    }

    public final void timestamp(long seconds, int nanos) {
        ensure(15);
        int size = Timestamps.size(seconds, nanos);
        extHeader(Timestamps.TYPE, size);
        Timestamps.put(buf, pos, size, seconds, nanos);
        pos += size;
    }

    /** Writes a str, whose characters are well-formed. */
    public void str(String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        strHeader(utf8.length);
        raw(utf8);
    }
}
