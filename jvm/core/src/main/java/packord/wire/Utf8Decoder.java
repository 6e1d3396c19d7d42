package packord.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Reads strings of UTF-8. Not thread-safe.
 *
 * <p>The JDK reads ASCII fast, by vector instructions, and other strings slowly. So it has all strings until one is not
 * ASCII. From then on, as all short strings, they are decoded here, into characters that are kept for the next string:
 * for each length of sequence in a loop of its own, as the JIT compiler makes these fast.
 */
public final class Utf8Decoder {
    /** Longer payloads are left to the JDK, so that no more memory is kept. */
    private static final int MAX_BYTES = 1 << 16;

    private static final int FIRST = 256;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** ASCII bytes in turn, from which on a call of the JDK's decoder pays. */
    private static final int RUN = 32;

    /** Strings for which others than ASCII are still expected after one was read. */
    private static final int MEMORY = 16;

    private int expectedOthers;
    private char[] chars = new char[FIRST];
    private CharBuffer target = CharBuffer.wrap(chars);
    private final CharsetDecoder latin = StandardCharsets.ISO_8859_1.newDecoder();
    private ByteBuffer source = NONE;

    /** Lets go of the bytes that were decoded last. */
    public void forget() {
        source = NONE;
    }

    /**
     * Returns the string of {@code bytes[from, to)}, or null if it is not well-formed. There is a byte before the
     * string, its header.
     */
    public String decode(byte[] bytes, int from, int to) {
        int size = to - from;
        int ascii = from;
        if (size <= Utf8.SHORT) {
            if (Utf8.isAscii(bytes, from, to)) {
                return new String(bytes, from, size, StandardCharsets.ISO_8859_1);
            }
        } else if (expectedOthers == 0 || size > MAX_BYTES) {
            String string = Utf8.decode(bytes, from, to);
            if (string != null && string.length() != size) expectedOthers = MEMORY;
            return string;
        } else {
            ascii = Utf8.asciiEnd(bytes, from, to);
            if (ascii == to) {
                expectedOthers--;
                return new String(bytes, from, size, StandardCharsets.ISO_8859_1);
            }
            expectedOthers = MEMORY;
        }
        if (chars.length < size) {
            chars = new char[Math.min(MAX_BYTES, 2 * size)];
            target = CharBuffer.wrap(chars);
        }
        int count = fill(bytes, from, to, ascii);
        return count < 0 ? null : new String(chars, 0, count);
    }

    /** Decodes bytes that are ASCII up to {@code ascii}; returns how many characters, or -1. */
    private int fill(byte[] bytes, int from, int to, int ascii) {
        char[] units = chars;
        asciiRun(bytes, from, ascii, 0);
        int i = ascii;
        int count = ascii - from;
        while (i < to) {
            int lead = bytes[i];
            int start = i;
            if (lead >= 0) {
                int stop = Math.min(to, i + RUN);
                while (i < stop && bytes[i] >= 0) units[count++] = (char) bytes[i++];
                if (i == stop) {
                    i = Utf8.asciiEnd(bytes, stop, to);
                    asciiRun(bytes, stop, i, count);
                    count += i - stop;
                }
            } else if (lead < (byte) 0xe0) {
                i = twos(bytes, i, to, units, count);
                count += i - start >> 1;
            } else if (lead < (byte) 0xf0) {
                i = threes(bytes, i, to, units, count);
                count += (i - start) / 3;
            } else {
                i = fours(bytes, i, to, units, count);
                count += i - start >> 1;
            }
            if (i == start) return -1;
        }
        return count;
    }

    /** Copies ASCII to the characters from {@code at} on. */
    private void asciiRun(byte[] bytes, int from, int to, int at) {
        if (to - from < RUN) {
            for (int i = from; i < to; i++) chars[at + i - from] = (char) bytes[i];
            return;
        }
        if (source.array() != bytes) source = ByteBuffer.wrap(bytes);
        source.limit(to).position(from);
        target.limit(chars.length).position(at);
        latin.reset();
        latin.decode(source, target, true);
    }

    /** Decodes sequences of two bytes, and returns the index after the last. */
    private static int twos(byte[] bytes, int from, int to, char[] units, int at) {
        int count = at;
        int i = from;
        for (; i < to - 1; i += 2) {
            int lead = bytes[i];
            int next = bytes[i + 1];
            if (lead < (byte) 0xc2 || lead >= (byte) 0xe0 || next >= (byte) 0xc0) break;
            units[count++] = (char) ((lead & 0x1f) << 6 | next & 0x3f);
        }
        return i;
    }

    /** Decodes sequences of three bytes, and returns the index after the last. */
    private static int threes(byte[] bytes, int from, int to, char[] units, int at) {
        int count = at;
        int i = from;
        for (; i <= to - 3; i += 3) {
            int word = Bytes.i32(bytes, i - 1);
            int unit = word >> 4 & 0xf000 | word >> 2 & 0xfc0 | word & 0x3f;
            if ((word & 0xf0c0c0) != 0xe08080 || unit < 0x800 || (unit & 0xf800) == 0xd800) break;
            units[count++] = (char) unit;
        }
        return i;
    }

    /** Decodes sequences of four bytes, and returns the index after the last. */
    private static int fours(byte[] bytes, int from, int to, char[] units, int at) {
        int count = at;
        int i = from;
        for (; i <= to - 4; i += 4) {
            int word = Bytes.i32(bytes, i);
            int point = word >> 6 & 0x1c0000 | word >> 4 & 0x3f000 | word >> 2 & 0xfc0 | word & 0x3f;
            if ((word & 0xf8c0c0c0) != 0xf0808080 || point < 0x10000 || point > 0x10ffff) break;
            units[count] = Character.highSurrogate(point);
            units[count + 1] = Character.lowSurrogate(point);
            count += 2;
        }
        return i;
    }
}
