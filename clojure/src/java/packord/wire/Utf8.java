package packord.wire;

import java.nio.charset.StandardCharsets;

/** UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8() {}

  /** Whether all bytes of {@code b[from, to)} are ASCII. */
  public static boolean isAscii(byte[] b, int from, int to) {
    int n = to - from;
    if (n < 8) {
      int all = 0;
      for (int i = from; i < to; i++) all |= b[i];
      return all >= 0;
    }
    long all = Bytes.i64(b, to - 8);
    for (int i = from; i < to - 8; i += 8) {
      all |= Bytes.i64(b, i);
      if ((all & HIGH_BITS) != 0) return false;
    }
    return (all & HIGH_BITS) == 0;
  }

  /**
   * The text of {@code b[from, to)}, or null when it is not well-formed.
   *
   * <p>The JDK's decoder puts U+FFFD in place of whatever is ill-formed. So a result without that
   * character proves the input; only a result with one needs a second look.
   */
  public static String decode(byte[] b, int from, int to) {
    if (isAscii(b, from, to)) return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
    String s = new String(b, from, to - from, StandardCharsets.UTF_8);
    return s.indexOf(REPLACEMENT) < 0 || firstInvalid(b, from, to) < 0 ? s : null;
  }

  /** The index of the first ill-formed sequence of {@code b[from, to)}, or -1. */
  public static int firstInvalid(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      int n = sequence(b, i, to);
      if (n <= 0) return i;
      i += n;
    }
    return -1;
  }

  /** The text of {@code b[from, to)} with U+FFFD for each ill-formed sequence, as browsers do it. */
  public static String decodeReplacing(byte[] b, int from, int to) {
    StringBuilder s = new StringBuilder(to - from);
    int good = from;
    int i = from;
    while (i < to) {
      int n = sequence(b, i, to);
      if (n > 0) {
        i += n;
      } else {
        s.append(new String(b, good, i - good, StandardCharsets.UTF_8)).append(REPLACEMENT);
        i += -n;
        good = i;
      }
    }
    return s.append(new String(b, good, to - good, StandardCharsets.UTF_8)).toString();
  }

  /**
   * The length of the well-formed sequence at {@code i}, or minus the length of the ill-formed one:
   * the longest beginning of a well-formed sequence, at least one byte.
   */
  private static int sequence(byte[] b, int i, int to) {
    int lead = b[i] & 0xff;
    if (lead < 0x80) return 1;
    int length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3
        : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    if (length == 0) return -1;
    int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    for (int k = 1; k < length; k++) {
      int c = i + k < to ? b[i + k] & 0xff : 0;
      if (c < low || c > high) return -k;
      low = 0x80;
      high = 0xbf;
    }
    return length;
  }

  /**
   * Writes {@code s} from character {@code i} on at {@code b[at]}, where there is room for three
   * bytes a character.
   *
   * @return the index behind the last byte, or -1 - i for a lone surrogate at character i
   */
  public static int encode(String s, int i, byte[] b, int at, boolean replace) {
    int n = s.length();
    int p = at;
    for (; i < n; i++) {
      char c = s.charAt(i);
      if (c < 0x80) {
        b[p++] = (byte) c;
      } else if (c < 0x800) {
        b[p++] = (byte) (0xc0 | c >> 6);
        b[p++] = (byte) (0x80 | c & 0x3f);
      } else if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        p = encode3(c, b, p);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < n
          && Character.isLowSurrogate(s.charAt(i + 1))) {
        int cp = Character.toCodePoint(c, s.charAt(++i));
        b[p++] = (byte) (0xf0 | cp >> 18);
        b[p++] = (byte) (0x80 | cp >> 12 & 0x3f);
        b[p++] = (byte) (0x80 | cp >> 6 & 0x3f);
        b[p++] = (byte) (0x80 | cp & 0x3f);
      } else if (replace) {
        p = encode3(REPLACEMENT, b, p);
      } else {
        return -1 - i;
      }
    }
    return p;
  }

  private static int encode3(char c, byte[] b, int p) {
    b[p] = (byte) (0xe0 | c >> 12);
    b[p + 1] = (byte) (0x80 | c >> 6 & 0x3f);
    b[p + 2] = (byte) (0x80 | c & 0x3f);
    return p + 3;
  }
}
