package packord.encode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import packord.ErrorKind;
import packord.wire.Bytes;
import packord.wire.PackedBytes;
import packord.wire.Utf8Encoder;

/** What is written of a message: in memory, or handed to a stream in parts. */
abstract class Output extends PackedBytes {
    private static final int FIRST = 1024;
    private static final int KEPT = 1 << 20;
    private static final int CHUNK = 1 << 16;

    /** The longest header of an ext. */
    private static final int EXT_HEADER = 6;

    private final Utf8Encoder utf8;

    private OutputStream sink;
    private int held;

    /** How many times a part was handed to the stream, which cannot be taken back. */
    public long drains;

    /** Makes an empty output. */
    Output(boolean wideInts, boolean replace) {
        super(FIRST);
        wideInts(wideInts);
        utf8 = new Utf8Encoder(replace);
    }

    /** Returns an error, at no path yet. Culprit and cause are null if there is none. */
    abstract RuntimeException error(ErrorKind kind, String detail, Object culprit, Throwable cause);

    /** Returns an error with a detail, at no path yet. */
    public final RuntimeException error(ErrorKind kind, String detail) {
        return error(kind, detail, null, null);
    }

    @Override
    protected final RuntimeException tooLarge() {
        return error(ErrorKind.LENGTH_LIMIT, "a message takes at most 2 GiB");
    }

    @Override
    protected final void grow(long count) {
        if (sink != null && held == 0 && pos >= CHUNK) {
            drain();
            if (buf.length >= count) return;
        }
        super.grow(count);
    }

    /** Forgets what was written, and the buffer if it is too large to keep. */
    public final void reset() {
        pos = 0;
        drains = 0;
        if (buf.length > KEPT) {
            buf = new byte[FIRST];
            utf8.forget();
        }
    }

    /** Hands what was written to a stream whenever the buffer is full. Null ends that. */
    public final void to(OutputStream stream) {
        sink = stream;
    }

    /** Whether there is a stream. */
    final boolean hasSink() {
        return sink != null;
    }

    /** Keeps all bytes from now on in the buffer, until {@link #letGo}. */
    final void hold() {
        held++;
    }

    /** Ends {@link #hold}. */
    final void letGo() {
        held--;
    }

    /** Ends every {@link #hold} that an error has left, and begins one for the whole message. */
    final void holdAll(boolean whole) {
        held = whole ? 1 : 0;
    }

    /** Hands what was written to the stream. */
    public final void drain() {
        try {
            sink.write(buf, 0, pos);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        pos = 0;
        drains++;
    }

    /**
     * Writes the first {@code count} of some bytes, whose length is a multiple of eight and at least 16. Two words
     * repeat the first 16 bytes. For short strings this is faster than copying an array.
     */
    final void words(long first, long second, byte[] bytes, int count) {
        ensure(bytes.length);
        byte[] target = buf;
        int at = pos;
        Bytes.put64(target, at, first);
        Bytes.put64(target, at + 8, second);
        for (int i = 16; i < count; i += 8) Bytes.put64(target, at + i, Bytes.i64(bytes, i));
        pos = at + count;
    }

    /** Writes a float 32. */
    final void float32(float value) {
        float32Bits(Float.floatToRawIntBits(value));
    }

    /** Writes a float 64. */
    final void float64(double value) {
        float64Bits(Double.doubleToRawLongBits(value));
    }

    final void bin(byte[] bytes, int from, int size) {
        binHeader(size);
        raw(bytes, from, size);
    }

    /** Leaves room for the header of an ext whose payload follows, and returns where. */
    final int beginExtension() {
        ensure(EXT_HEADER);
        pos += EXT_HEADER;
        return pos - EXT_HEADER;
    }

    /**
     * Writes the header of the ext that began at {@code start}. Only a payload of less than 64 KiB is moved for that,
     * so that exts in each other cost little.
     */
    final void endExtension(int type, int start) {
        int from = start + EXT_HEADER;
        int size = pos - from;
        pos = start;
        extHeader(type, size);
        if (pos < from) System.arraycopy(buf, from, buf, pos, size);
        pos += size;
    }

    @Override
    public final void str(String string) {
        int size = string.length();
        if (size > Utf8Encoder.SHORT || size > 0 && string.charAt(0) > 0x7f) {
            anyStr(string, size);
            return;
        }
        ensure(size + 5);
        byte[] bytes = buf;
        int at = pos + 1;
        int all = 0;
        for (int i = 0; i < size; i++) {
            char unit = string.charAt(i);
            all |= unit;
            bytes[at + i] = (byte) unit;
        }
        if (all < 0x80) {
            strHeader(size);
            pos += size;
        } else {
            anyStr(string, size);
        }
    }

    private void anyStr(String string, int size) {
        ensure(3L * size + 13);
        int guess = strHeaderSize(size);
        int end = utf8.encode(string, buf, pos + guess);
        if (end < 0) {
            throw error(ErrorKind.INVALID_UTF8, "lone surrogate at character " + (-1 - end));
        }
        int start = pos;
        int length = end - start - guess;
        int needed = strHeaderSize(length);
        if (needed != guess) System.arraycopy(buf, start + guess, buf, start + needed, length);
        strHeader(length);
        pos = start + needed + length;
    }
}
