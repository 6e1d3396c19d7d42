package packord.wire;

import java.nio.charset.StandardCharsets;

/** UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long QUESTION_MARKS = 0x3f3f3f3f3f3f3f3fL;

  /** Strings up to this length are copied faster when they were found to be ASCII before. */
  private static final int SHORT = 16;

  /** Question marks among eight bytes above which the rest is written character by character. */
  private static final int DENSE = 3;

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
   * character proves the input well-formed; only a result with one needs a check. In a result that
   * has one byte a character the search ends at once.
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
   * Writes {@code string} at {@code bytes[at]}, where there is room for three bytes a character and
   * for eight more.
   *
   * <p>The JDK's encoder of ISO 8859-1 is a copy, or a loop in vector instructions. It writes a
   * question mark for each code point that it does not know. So the words of its output that have
   * neither a high bit nor a question mark are UTF-8 already.
   *
   * @return the index after the last byte, or -1 - n for a lone surrogate at character n
   */
  public static int encode(String string, byte[] bytes, int at, boolean replace) {
    int length = string.length();
    if (length <= SHORT || string.charAt(0) > 0xff) {
      return encodeRest(string, 0, bytes, at, replace);
    }
    byte[] latin = string.getBytes(StandardCharsets.ISO_8859_1);
    int lastWord = latin.length - 8;
    int to = at;
    int pairs = 0;
    int i = 0;
    while (i < latin.length) {
      for (; i <= lastWord; i += 8) {
        long word = Bytes.i64(latin, i);
        long others = word ^ QUESTION_MARKS;
        if (((others - LOW_BITS & ~others | word) & HIGH_BITS) != 0) break;
        Bytes.put64(bytes, to, word);
        to += 8;
      }
      if (i <= lastWord && isDense(Bytes.i64(latin, i))) break;
      for (int end = Math.min(i + 8, latin.length); i < end; i++) {
        byte unit = latin[i];
        if (unit < 0) {
          bytes[to] = (byte) (0xc0 | (unit & 0xff) >> 6);
          bytes[to + 1] = (byte) (0x80 | unit & 0x3f);
          to += 2;
        } else if (unit != '?') {
          bytes[to++] = unit;
        } else {
          int index = i + pairs;
          to = encodeOne(string, index, bytes, to, replace);
          if (to < 0) return to;
          if (isPair(string, index)) pairs++;
        }
      }
    }
    return encodeRest(string, i + pairs, bytes, to, replace);
  }

  /** Whether more than {@value #DENSE} of eight bytes are question marks. */
  private static boolean isDense(long word) {
    long others = word ^ QUESTION_MARKS;
    long marks = ~((others & ~HIGH_BITS) + ~HIGH_BITS | others) & HIGH_BITS;
    return Long.bitCount(marks) > DENSE;
  }

  private static boolean isPair(String string, int index) {
    return Character.isHighSurrogate(string.charAt(index))
        && index + 1 < string.length()
        && Character.isLowSurrogate(string.charAt(index + 1));
  }

  /** Writes the code point at {@code index}; the result is as for {@link #encode}. */
  private static int encodeOne(String string, int index, byte[] bytes, int to, boolean replace) {
    char unit = string.charAt(index);
    if (unit < 0x80) {
      bytes[to] = (byte) unit;
      return to + 1;
    }
    if (unit < 0x800) {
      bytes[to] = (byte) (0xc0 | unit >> 6);
      bytes[to + 1] = (byte) (0x80 | unit & 0x3f);
      return to + 2;
    }
    if (!Character.isSurrogate(unit)) return encode3(unit, bytes, to);
    if (isPair(string, index)) {
      return encode4(Character.toCodePoint(unit, string.charAt(index + 1)), bytes, to);
    }
    return replace ? encode3(REPLACEMENT, bytes, to) : -1 - index;
  }

  /** Writes the string from character {@code from} on; the result is as for {@link #encode}. */
  private static int encodeRest(String string, int from, byte[] bytes, int at, boolean replace) {
    int length = string.length();
    int to = at;
    for (int i = from; i < length; i++) {
      char unit = string.charAt(i);
      if (unit < 0x80) {
        bytes[to++] = (byte) unit;
      } else if (unit < 0x800) {
        bytes[to] = (byte) (0xc0 | unit >> 6);
        bytes[to + 1] = (byte) (0x80 | unit & 0x3f);
        to += 2;
      } else if (!Character.isSurrogate(unit)) {
        to = encode3(unit, bytes, to);
      } else {
        char low = i + 1 < length ? string.charAt(i + 1) : 0;
        if (Character.isSurrogatePair(unit, low)) {
          to = encode4(Character.toCodePoint(unit, low), bytes, to);
          i++;
        } else if (replace) {
          to = encode3(REPLACEMENT, bytes, to);
        } else {
          return -1 - i;
        }
      }
    }
    return to;
  }

  private static int encode4(int codePoint, byte[] bytes, int at) {
    bytes[at] = (byte) (0xf0 | codePoint >> 18);
    bytes[at + 1] = (byte) (0x80 | codePoint >> 12 & 0x3f);
    bytes[at + 2] = (byte) (0x80 | codePoint >> 6 & 0x3f);
    bytes[at + 3] = (byte) (0x80 | codePoint & 0x3f);
    return at + 4;
  }

  private static int encode3(char unit, byte[] bytes, int at) {
    bytes[at] = (byte) (0xe0 | unit >> 12);
    bytes[at + 1] = (byte) (0x80 | unit >> 6 & 0x3f);
    bytes[at + 2] = (byte) (0x80 | unit & 0x3f);
    return at + 3;
  }
}
