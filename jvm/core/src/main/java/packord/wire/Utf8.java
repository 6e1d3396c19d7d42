package packord.wire;

import java.nio.charset.StandardCharsets;

/** UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
    private static final long HIGH_BITS = 0x8080808080808080L;

    /** Strings up to this length are copied faster when they were found to be ASCII before. */
    static final int SHORT = 16;

    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /** Returns the index of the first byte of {@code bytes[from, to)} that is not ASCII, or {@code to}. */
    public static int asciiEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i <= to - 32 && !hasHighBits(bytes, i)) i += 32;
        for (; i <= to - 8; i += 8) {
            long high = Bytes.i64(bytes, i) & HIGH_BITS;
            if (high != 0) return i + (Long.numberOfLeadingZeros(high) >> 3);
        }
        while (i < to && bytes[i] >= 0) i++;
        return i;
    }

    /** Whether the bytes, at most {@value #SHORT}, are all ASCII. */
    static boolean isAscii(byte[] bytes, int from, int to) {
        if (to - from >= 8) {
            return ((Bytes.native64(bytes, from) | Bytes.native64(bytes, to - 8)) & HIGH_BITS) == 0;
        }
        int all = 0;
        for (int i = from; i < to; i++) all |= bytes[i];
        return all >= 0;
    }

    private static boolean hasHighBits(byte[] bytes, int at) {
        long all = Bytes.native64(bytes, at)
                | Bytes.native64(bytes, at + 8)
                | Bytes.native64(bytes, at + 16)
                | Bytes.native64(bytes, at + 24);
        return (all & HIGH_BITS) != 0;
    }

    /**
     * Returns the string of {@code bytes[from, to)}, or null if it is not well-formed.
     *
     * <p>The JDK's decoder puts U+FFFD in place of whatever is ill-formed. So a result without that character proves
     * the input well-formed; only a result with one needs a check. In a result that has one byte a character the search
     * ends at once.
     */
    public static String decode(byte[] bytes, int from, int to) {
        if (to - from <= SHORT && isAscii(bytes, from, to)) {
            return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
        }
        String string = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return string.indexOf(REPLACEMENT) < 0 || firstInvalid(bytes, from, to) < 0 ? string : null;
    }

    /** Returns the index of the first ill-formed sequence of {@code bytes[from, to)}, or -1. */
    public static int firstInvalid(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            int length = sequence(bytes, i, to);
            if (length <= 0) return i;
            i += length;
        }
        return -1;
    }

    /** Decodes {@code bytes[from, to)} with U+FFFD for each ill-formed sequence, as browsers do. */
    public static String decodeReplacing(byte[] bytes, int from, int to) {
        StringBuilder out = new StringBuilder(to - from);
        int good = from;
        int i = from;
        while (i < to) {
            int length = sequence(bytes, i, to);
            if (length > 0) {
                i += length;
            } else {
                out.append(new String(bytes, good, i - good, StandardCharsets.UTF_8))
                        .append(REPLACEMENT);
                i += -length;
                good = i;
            }
        }
        return out.append(new String(bytes, good, to - good, StandardCharsets.UTF_8))
                .toString();
    }

    /**
     * Returns the length of the well-formed sequence at {@code index}, or minus the length of the ill-formed one: the
     * longest beginning of a well-formed sequence, at least one byte.
     */
    private static int sequence(byte[] bytes, int index, int to) {
        int lead = bytes[index] & 0xff;
        if (lead < 0x80) return 1;
        int length =
                lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
        if (length == 0) return -1;
        int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        for (int offset = 1; offset < length; offset++) {
            int continuation = index + offset < to ? bytes[index + offset] & 0xff : 0;
            if (continuation < low || continuation > high) return -offset;
            low = 0x80;
            high = 0xbf;
        }
        return length;
    }
}
