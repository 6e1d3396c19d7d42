package packord.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Writes strings as UTF-8 into an array, and makes no garbage. Not thread-safe.
 *
 * <p>A string does not tell how it stores its characters, and one by one they are slow to get. So they are copied in
 * pieces. The JDK's encoder writes a piece, ASCII by vector instructions. Short pieces, and those of characters of
 * three and four bytes, which take it up to twice as long, are written here: each run of longer sequences by a loop of
 * its own, as the JIT compiler makes these fast.
 */
public final class Utf8Encoder {
    private static final int PIECE = 1024;

    /** Up to this length the JDK's encoder takes longer to call than a loop takes. */
    public static final int SHORT = 16;

    private static final char REPLACEMENT = '\uFFFD';
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final char[] chars = new char[PIECE];
    private final CharBuffer source = CharBuffer.wrap(chars);
    private final CharsetEncoder platform = StandardCharsets.UTF_8.newEncoder();
    private final boolean replace;
    private ByteBuffer target = NONE;

    /** Makes an encoder; {@code replace} says whether U+FFFD is written for a lone surrogate. */
    public Utf8Encoder(boolean replace) {
        this.replace = replace;
    }

    /** Lets go of the bytes that were written last. */
    public void forget() {
        target = NONE;
    }

    /**
     * Writes {@code string} at {@code bytes[at]}, where there is room for three bytes a character and for eight more.
     * Returns the index after the last byte, or -1 - n for a lone surrogate at character n.
     */
    public int encode(String string, byte[] bytes, int at) {
        int length = string.length();
        int to = at;
        int end;
        for (int from = 0; from < length; from = end) {
            end = Math.min(length, from + PIECE);
            if (end < length && Character.isHighSurrogate(string.charAt(end - 1))) end--;
            string.getChars(from, end, chars, 0);
            int count = end - from;
            boolean isOwn = count <= SHORT || chars[count / 2] >= 0x800;
            to = isOwn ? runs(0, count, bytes, to) : platform(count, bytes, to);
            if (to < 0) return to - from;
        }
        return to;
    }

    /** Writes the first {@code count} of the characters by the JDK's encoder; the result is as for {@link #encode}. */
    private int platform(int count, byte[] bytes, int at) {
        if (target.array() != bytes) target = ByteBuffer.wrap(bytes);
        source.limit(count).position(0);
        target.limit(bytes.length).position(at);
        boolean isComplete = platform.reset().encode(source, target, true).isUnderflow();
        return isComplete ? target.position() : runs(source.position(), count, bytes, target.position());
    }

    /** Writes the characters from {@code from} to {@code count}; the result is as for {@link #encode}. */
    private int runs(int from, int count, byte[] bytes, int at) {
        char[] units = chars;
        int to = at;
        int i = from;
        while (i < count) {
            int unit = units[i];
            if (unit < 0x80) {
                bytes[to++] = (byte) unit;
                i++;
            } else if (unit < 0x800) {
                bytes[to] = (byte) (0xc0 | unit >> 6);
                bytes[to + 1] = (byte) (0x80 | unit & 0x3f);
                to += 2;
                i++;
            } else if (!Character.isSurrogate((char) unit)) {
                int end = threes(units, i, count, bytes, to);
                to += 3 * (end - i);
                i = end;
            } else {
                int end = pairs(units, i, count, bytes, to);
                to += 2 * (end - i);
                if (end == i) {
                    if (!replace) return -1 - i;
                    Bytes.putLittle32(bytes, to, three(REPLACEMENT));
                    to += 3;
                    end++;
                }
                i = end;
            }
        }
        return to;
    }

    /** Writes characters of three bytes each, and returns the index after the last. */
    private static int threes(char[] units, int from, int end, byte[] bytes, int at) {
        int to = at;
        int i = from;
        for (; i < end; i++) {
            int unit = units[i];
            if (unit < 0x800 || (unit & 0xf800) == 0xd800) break;
            Bytes.putLittle32(bytes, to, three(unit));
            to += 3;
        }
        return i;
    }

    private static int three(int unit) {
        return 0x8080e0 | unit >> 12 | (unit & 0xfc0) << 2 | (unit & 0x3f) << 16;
    }

    /** Writes pairs of surrogates, and returns the index after the last. */
    private static int pairs(char[] units, int from, int end, byte[] bytes, int at) {
        int to = at;
        int i = from;
        for (; i < end - 1; i += 2) {
            int both = units[i] << 16 | units[i + 1];
            if ((both & 0xfc00fc00) != 0xd800dc00) break;
            int point = Character.toCodePoint(units[i], units[i + 1]);
            Bytes.put32(
                    bytes,
                    to,
                    0xf0808080
                            | (point & 0x1c0000) << 6
                            | (point & 0x3f000) << 4
                            | (point & 0xfc0) << 2
                            | point & 0x3f);
            to += 4;
        }
        return i;
    }
}
