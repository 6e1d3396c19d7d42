package packord.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import packord.ErrorKind;
import packord.Options;
import packord.wire.Marker;
import packord.wire.Type;
import packord.wire.Utf8;
import packord.wire.Utf8Decoder;

/**
 * The bytes of the message that is being read: an array, or a stream from which never more is read than the message is
 * known to need.
 *
 * <p>Every pending element takes at least one byte, so the bytes that the budget of {@code spec/limits.md} asks for may
 * be read without reading past the message's end.
 */
abstract class Input {
    private static final byte[] NONE = {};
    private static final int STEP = 1 << 13;
    private static final int KEPT = 1 << 20;
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

    /** The bytes; those of the message begin at {@link #origin} and end before {@link #end}. */
    byte[] buf = NONE;

    /** The index of the next byte. */
    int pos;

    /** The index after the last byte that is there. */
    int end;

    private int origin;
    private long base;
    private InputStream in;
    private ByteBuffer more;

    /** The bytes of a message that may be kept, which begins at {@link #begin}. */
    private long maxBuffer;

    private int begin;

    /** Whether the last error was that of {@code max_buffer}, after which a stream has no more messages. */
    boolean isOverBuffer;

    private final long maxStrLen;
    private final Options.Utf8 utf8;

    /** Decodes strings. */
    final Utf8Decoder strings = new Utf8Decoder();

    /** Makes an input without bytes. */
    Input(Options options) {
        maxBuffer = options.maxBuffer;
        maxStrLen = options.maxStrLen;
        utf8 = options.utf8;
    }

    /** Starts reading {@code length} bytes of an array; offsets count from the first of them. */
    public final void from(byte[] bytes, int offset, int length) {
        buf = bytes;
        pos = offset;
        origin = offset;
        end = offset + length;
        base = 0;
        in = null;
        more = null;
        strings.forget();
    }

    /** Starts reading a buffer from its position on, in steps; its position does not change. */
    final void from(ByteBuffer buffer) {
        from(new byte[Math.min(STEP, buffer.remaining())], 0, 0);
        more = buffer.duplicate();
    }

    /** Starts reading a stream; offsets count from its next byte. */
    public final void from(InputStream stream) {
        from(new byte[STEP], 0, 0);
        begin = 0;
        isOverBuffer = false;
        in = stream;
    }

    /** Whether the bytes come from a stream. */
    final boolean isStream() {
        return in != null;
    }

    /** Lets go of the bytes. */
    final void close() {
        from(NONE, 0, 0);
    }

    /** Whether the array or buffer has bytes after the last one that was read. */
    public final boolean hasMore() {
        return pos != end || more != null && more.hasRemaining();
    }

    /** Forgets the last message. Returns false at the end of the stream. */
    public final boolean nextMessage() {
        begin = 0;
        forget();
        return readSome(1);
    }

    /** Forgets all bytes, which have been read. */
    private void forget() {
        base += pos;
        pos = 0;
        end = 0;
        if (buf.length > KEPT) buf = new byte[STEP];
    }

    /** Begins a message at the next byte, as {@code max_buffer} counts, and returns what its limit was before. */
    final long limitBuffer(long limit) {
        long before = maxBuffer;
        begin = pos;
        maxBuffer = limit;
        return before;
    }

    /** Makes sure that the next byte of a message that is passed over is there; those before it are not kept. */
    final void needNext() {
        if (pos == end && in != null) forget();
        need(1, pos);
    }

    /** Passes over bytes, which are not kept. */
    final void pass(long count) {
        long left = count;
        while (left > end - pos) {
            left -= end - pos;
            pos = end;
            needNext();
        }
        pos += (int) left;
    }

    /** Returns the number of bytes before {@code index}. */
    final long offset(int index) {
        return base + index - origin;
    }

    /** Returns an error at {@code index}. Detail and cause are null if there is none. */
    abstract RuntimeException error(ErrorKind kind, int index, String detail, Throwable cause);

    /** Returns an error at {@code index} with a detail. */
    final RuntimeException error(ErrorKind kind, int index, String detail) {
        return error(kind, index, detail, null);
    }

    /** Returns an error at {@code index}. */
    final RuntimeException error(ErrorKind kind, int index) {
        return error(kind, index, null, null);
    }

    /** Returns the error for a value that exceeds the limit of an option. */
    final RuntimeException tooLong(int markerOffset, String limitName, long limit) {
        return error(ErrorKind.LENGTH_LIMIT, markerOffset, limitName + " is " + limit);
    }

    /** Goes to an index, and ends at another. */
    final void seek(int index, int newEnd) {
        pos = index;
        end = newEnd;
    }

    /** Passes the next byte, which is there, and returns it as 0 to 255. */
    final int next() {
        return buf[pos++] & 0xff;
    }

    /** Makes sure that {@code count} more bytes are there, of the value at {@code markerOffset}. */
    final void need(long count, int markerOffset) {
        if (end - pos < count) fill(count, markerOffset);
    }

    /** Checks the limit for the first byte, which is read before its message is known to begin. */
    final void checkFirstByte() {
        if (in != null && pos < end && Marker.type(buf[pos] & 0xff) != Type.RESERVED) checkBuffer(1, pos);
    }

    /** Checks only the limit for values that are announced, of a message that is passed over. */
    final void checkAnnounced(long count, int markerOffset) {
        if (in != null) checkBuffer(count, markerOffset);
    }

    private void checkBuffer(long count, int markerOffset) {
        if (pos - begin + count > maxBuffer) {
            isOverBuffer = true;
            throw tooLong(markerOffset, "max_buffer", maxBuffer);
        }
    }

    private void fill(long count, int markerOffset) {
        if (more != null) {
            take(count - (end - pos));
            if (end - pos >= count) return;
        }
        if (in != null) {
            checkBuffer(count, markerOffset);
            boolean more = true;
            while (more && end - pos < count) {
                if (end == MAX_ARRAY) {
                    throw error(ErrorKind.LENGTH_LIMIT, markerOffset, "a message takes at most 2 GiB");
                }
                more = readSome(count);
            }
            if (more) return;
        }
        throw error(ErrorKind.EOF, end);
    }

    /** Copies at least {@code wanted} bytes of the buffer, or all, and then at most as many again. */
    private void take(long wanted) {
        int count = (int) Math.min(more.remaining(), Math.max(STEP, wanted));
        if (buf.length - end < count) {
            long doubled = Math.min(2L * end, (long) end + more.remaining());
            buf = Arrays.copyOf(buf, (int) Math.min(Math.max(doubled, (long) end + count), MAX_ARRAY));
        }
        count = Math.min(buf.length - end, more.remaining());
        more.get(buf, end, count);
        end += count;
    }

    /** Reads once. Memory grows with the bytes that arrived, not with those that are announced. */
    private boolean readSome(long wanted) {
        if (end == buf.length) {
            buf = Arrays.copyOf(buf, (int) Math.min(Math.max(STEP, 2L * end), MAX_ARRAY));
        }
        try {
            int count = in.read(buf, end, (int) Math.min(buf.length - end, pos + wanted - end));
            if (count < 0) return false;
            if (count == 0) return readByte();
            end += count;
            return true;
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Reads a byte from a stream that returns none to a request for some, and so would do for ever. */
    private boolean readByte() throws IOException {
        int value = in.read();
        if (value < 0) return false;
        buf[end++] = (byte) value;
        return true;
    }

    /** Reads from a part of an array instead. The result returns to where it was. */
    final Runnable insert(byte[] bytes, int from, int to) {
        byte[] outerBytes = buf;
        int outerPos = pos;
        int outerEnd = end;
        InputStream outerStream = in;
        ByteBuffer outerBuffer = more;
        buf = bytes;
        pos = from;
        end = to;
        in = null;
        more = null;
        return () -> {
            buf = outerBytes;
            pos = outerPos;
            end = outerEnd;
            in = outerStream;
            more = outerBuffer;
        };
    }

    /** Makes the checks of a str, before its payload is read. */
    final void checkString(long size, int markerOffset) {
        if (size > maxStrLen) throw tooLong(markerOffset, "max_str_len", maxStrLen);
        need(size, markerOffset);
    }

    /** Reads the payload of a str that must be UTF-8 even with the option {@code raw}. */
    final String strictString(long size, int markerOffset) {
        String string = stringOrNull(size, markerOffset);
        if (string == null) throw illFormed(pos - (int) size);
        return string;
    }

    /** Reads the payload of a str. Returns null for ill-formed UTF-8 with the option {@code raw}. */
    final String stringOrNull(long size, int markerOffset) {
        checkString(size, markerOffset);
        int from = pos;
        pos += (int) size;
        if (size == 0) return "";
        String string = strings.decode(buf, from, pos);
        if (string != null || utf8 == Options.Utf8.RAW) return string;
        if (utf8 == Options.Utf8.REPLACE) return Utf8.decodeReplacing(buf, from, pos);
        throw illFormed(from);
    }

    private RuntimeException illFormed(int from) {
        return error(ErrorKind.INVALID_UTF8, Utf8.firstInvalid(buf, from, pos));
    }
}
