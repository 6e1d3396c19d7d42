package packord.wire;

import java.nio.charset.StandardCharsets;

/** UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /** Whether all bytes of {@code bytes[from, to)} are ASCII. */
  public static boolean isAscii(byte[] bytes, int from, int to) {
    int size = to - from;
    if (size < 8) {
      int all = 0;
      for (int i = from; i < to; i++) all |= bytes[i];
      return all >= 0;
    }
    long all = Bytes.i64(bytes, to - 8);
    for (int i = from; i < to - 8; i += 8) {
      all |= Bytes.i64(bytes, i);
      if ((all & HIGH_BITS) != 0) return false;
    }
    return (all & HIGH_BITS) == 0;
  }

  /**
   * Returns the string of {@code bytes[from, to)}, or null if it is not well-formed.
   *
   * <p>The JDK's decoder puts U+FFFD in place of whatever is ill-formed. So a result without that
   * character proves the input well-formed; only a result with one needs a check.
   */
  public static String decode(byte[] bytes, int from, int to) {
    if (isAscii(bytes, from, to)) {
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
        out.append(new String(bytes, good, i - good, StandardCharsets.UTF_8)).append(REPLACEMENT);
        i += -length;
        good = i;
      }
    }
    return out.append(new String(bytes, good, to - good, StandardCharsets.UTF_8)).toString();
  }

  /**
   * Returns the length of the well-formed sequence at {@code index}, or minus the length of the
   * ill-formed one: the longest beginning of a well-formed sequence, at least one byte.
   */
  private static int sequence(byte[] bytes, int index, int to) {
    int lead = bytes[index] & 0xff;
    if (lead < 0x80) return 1;
    int length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3
        : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
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

  /**
   * Writes {@code string} from character {@code from} on at {@code bytes[at]}, where there is room
   * for three bytes a character.
   *
   * @return the index after the last byte, or -1 - n for a lone surrogate at character n
   */
  public static int encode(String string, int from, byte[] bytes, int at, boolean replace) {
    int length = string.length();
    int to = at;
    for (; from < length; from++) {
      char unit = string.charAt(from);
      if (unit < 0x80) {
        bytes[to++] = (byte) unit;
      } else if (unit < 0x800) {
        bytes[to++] = (byte) (0xc0 | unit >> 6);
        bytes[to++] = (byte) (0x80 | unit & 0x3f);
      } else if (unit < Character.MIN_SURROGATE || unit > Character.MAX_SURROGATE) {
        to = encode3(unit, bytes, to);
      } else if (Character.isHighSurrogate(unit)
          && from + 1 < length
          && Character.isLowSurrogate(string.charAt(from + 1))) {
        int cp = Character.toCodePoint(unit, string.charAt(++from));
        bytes[to++] = (byte) (0xf0 | cp >> 18);
        bytes[to++] = (byte) (0x80 | cp >> 12 & 0x3f);
        bytes[to++] = (byte) (0x80 | cp >> 6 & 0x3f);
        bytes[to++] = (byte) (0x80 | cp & 0x3f);
      } else if (replace) {
        to = encode3(REPLACEMENT, bytes, to);
      } else {
        return -1 - from;
      }
    }
    return to;
  }

  private static int encode3(char unit, byte[] bytes, int at) {
    bytes[at] = (byte) (0xe0 | unit >> 12);
    bytes[at + 1] = (byte) (0x80 | unit >> 6 & 0x3f);
    bytes[at + 2] = (byte) (0x80 | unit & 0x3f);
    return at + 3;
  }
}
