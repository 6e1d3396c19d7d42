package packord.encode;

import java.util.Arrays;
import packord.ErrorKind;
import packord.PackordException;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Utf8;

/** A growing buffer that writes headers and scalars in their minimal formats. */
public abstract class Output {
  private static final int FIRST = 1024;
  private static final int KEPT = 1 << 20;
  private static final int LOOPED = 64;

  /** The bytes written so far, up to {@link #pos}. */
  protected byte[] buf = new byte[FIRST];

  /** The index behind the last byte. */
  protected int pos;

  /** Whether 64 to 127 are written as {@code cc xx}, so that they are not taken for record ids. */
  private final boolean wideInts;

  private final boolean replace;

  /** Makes an empty output. */
  protected Output(boolean wideInts, boolean replace) {
    this.wideInts = wideInts;
    this.replace = replace;
  }

  /** Makes the error to throw, at no path yet. */
  protected abstract PackordException error(
      ErrorKind kind, String detail, Object culprit, Throwable cause);

  /** Makes room for {@code n} more bytes. */
  protected final void ensure(int n) {
    if (buf.length - pos < n) grow(n);
  }

  private void grow(long n) {
    long needed = pos + n;
    if (n < 0 || needed > Integer.MAX_VALUE - 16) {
      throw error(ErrorKind.LENGTH_LIMIT, "a message of more than 2 GiB", null, null);
    }
    long doubled = Math.min(buf.length * 2L, Integer.MAX_VALUE - 16);
    buf = Arrays.copyOf(buf, (int) Math.max(doubled, needed));
  }

  /** Forgets what was written, and a buffer that has become too large to keep. */
  public final void reset() {
    pos = 0;
    if (buf.length > KEPT) buf = new byte[FIRST];
  }

  /** A copy of what was written. */
  public final byte[] toBytes() {
    return Arrays.copyOf(buf, pos);
  }

  /** The buffer itself; valid up to {@link #size()}. */
  public final byte[] buffer() {
    return buf;
  }

  /** How many bytes were written. */
  public final int size() {
    return pos;
  }

  /** Writes one byte. */
  protected final void put(int b) {
    ensure(1);
    buf[pos++] = (byte) b;
  }

  /** Writes bytes as they are. */
  protected final void raw(byte[] bytes, int from, int n) {
    ensure(n);
    System.arraycopy(bytes, from, buf, pos, n);
    pos += n;
  }

  /**
   * Writes the first {@code n} of some bytes, whose length is a multiple of eight and at least 16;
   * two words have the first 16 again. For short text this beats copying an array.
   */
  protected final void words(long first, long second, byte[] bytes, int n) {
    ensure(bytes.length);
    byte[] b = buf;
    int p = pos;
    Bytes.put64(b, p, first);
    Bytes.put64(b, p + 8, second);
    for (int i = 16; i < n; i += 8) Bytes.put64(b, p + i, Bytes.i64(bytes, i));
    pos = p + n;
  }

  /** Writes an integer. */
  protected final void integer(long v) {
    ensure(9);
    byte[] b = buf;
    int p = pos;
    if (v >= -32 && v < 128) {
      if (v >= 64 && wideInts) b[p++] = (byte) Marker.UINT8;
      b[p] = (byte) v;
      pos = p + 1;
    } else if (v >= 0) {
      if (v < 1 << 8) {
        put8(Marker.UINT8, (int) v);
      } else if (v < 1 << 16) {
        put16(Marker.UINT16, (int) v);
      } else if (v < 1L << 32) {
        put32(Marker.UINT32, (int) v);
      } else {
        put64(Marker.UINT64, v);
      }
    } else if (v >= Byte.MIN_VALUE) {
      put8(Marker.INT8, (int) v);
    } else if (v >= Short.MIN_VALUE) {
      put16(Marker.INT16, (int) v);
    } else if (v >= Integer.MIN_VALUE) {
      put32(Marker.INT32, (int) v);
    } else {
      put64(Marker.INT64, v);
    }
  }

  private void put8(int marker, int v) {
    buf[pos] = (byte) marker;
    buf[pos + 1] = (byte) v;
    pos += 2;
  }

  private void put16(int marker, int v) {
    buf[pos] = (byte) marker;
    Bytes.put16(buf, pos + 1, v);
    pos += 3;
  }

  private void put32(int marker, int v) {
    buf[pos] = (byte) marker;
    Bytes.put32(buf, pos + 1, v);
    pos += 5;
  }

  private void put64(int marker, long v) {
    buf[pos] = (byte) marker;
    Bytes.put64(buf, pos + 1, v);
    pos += 9;
  }

  /** Writes an integer of 2^63 to 2^64 - 1, given as its 64 bits. */
  protected final void unsigned64(long bits) {
    ensure(9);
    put64(Marker.UINT64, bits);
  }

  /** Writes a float 32. */
  protected final void float32(float v) {
    ensure(5);
    put32(Marker.FLOAT32, Float.floatToRawIntBits(v));
  }

  /** Writes a float 64. */
  protected final void float64(double v) {
    ensure(9);
    put64(Marker.FLOAT64, Double.doubleToRawLongBits(v));
  }

  /** Writes a header of one of the families that have a short form and 16 and 32 bits. */
  private void header(int n, int fix, int fixLimit, int marker16) {
    ensure(5);
    if (n < fixLimit) {
      buf[pos++] = (byte) (fix | n);
    } else if (n < 1 << 16) {
      put16(marker16, n);
    } else {
      put32(marker16 + 1, n);
    }
  }

  /** Writes the header of an array of {@code n} elements. */
  protected final void arrayHeader(int n) {
    header(n, Marker.FIXARRAY, 16, Marker.ARRAY16);
  }

  /** Writes the header of a map of {@code n} entries. */
  protected final void mapHeader(int n) {
    header(n, Marker.FIXMAP, 16, Marker.MAP16);
  }

  /** Writes a bin. */
  protected final void bin(byte[] bytes, int from, int n) {
    ensure(5);
    if (n < 1 << 8) {
      put8(Marker.BIN8, n);
    } else {
      header(n, 0, 0, Marker.BIN16);
    }
    raw(bytes, from, n);
  }

  /** Writes the header of an ext. */
  protected final void extHeader(int type, int n) {
    ensure(6);
    int fix = n == 1 ? 0 : n == 2 ? 1 : n == 4 ? 2 : n == 8 ? 3 : n == 16 ? 4 : -1;
    if (fix >= 0) {
      buf[pos++] = (byte) (Marker.FIXEXT1 + fix);
    } else if (n < 1 << 8) {
      put8(Marker.EXT8, n);
    } else {
      header(n, 0, 0, Marker.EXT16);
    }
    put(type);
  }

  /** Turns the bytes from {@code start} on into the payload of an ext. */
  protected final void wrapExtension(int type, int start) {
    byte[] payload = Arrays.copyOfRange(buf, start, pos);
    pos = start;
    extHeader(type, payload.length);
    raw(payload, 0, payload.length);
  }

  /** Writes a timestamp in the smallest format that holds it. */
  protected final void timestamp(long seconds, int nanos) {
    ensure(15);
    if (seconds >>> 34 != 0) {
      extHeader(-1, 12);
      Bytes.put32(buf, pos, nanos);
      Bytes.put64(buf, pos + 4, seconds);
      pos += 12;
    } else if (nanos != 0 || seconds >>> 32 != 0) {
      extHeader(-1, 8);
      Bytes.put64(buf, pos, (long) nanos << 34 | seconds);
      pos += 8;
    } else {
      extHeader(-1, 4);
      Bytes.put32(buf, pos, (int) seconds);
      pos += 4;
    }
  }

  /** Writes a str. */
  protected final void str(String s) {
    int n = s.length();
    if (n > LOOPED) {
      longStr(s, n);
      return;
    }
    ensure(n + 2);
    byte[] b = buf;
    int p = pos + (n < 32 ? 1 : 2);
    int all = 0;
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      all |= c;
      b[p + i] = (byte) c;
    }
    if (all >= 0x80) {
      wideStr(s, n);
      return;
    }
    strHeader(n);
    pos = p + n;
  }

  private void strHeader(int n) {
    if (n >= 32 && n < 1 << 8) {
      put8(Marker.STR8, n);
    } else {
      header(n, Marker.FIXSTR, 32, Marker.STR16);
    }
  }

  /** The JDK copies text that is ASCII at full speed; anything else is written by our own loop. */
  private void longStr(String s, int n) {
    if (s.charAt(0) < 0x80) {
      byte[] utf8 = s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      if (utf8.length == n && isFaithful(s, utf8)) {
        ensure(5);
        strHeader(n);
        raw(utf8, 0, n);
        return;
      }
    }
    wideStr(s, n);
  }

  /** A lone surrogate has become a question mark; nothing else does. */
  private static boolean isFaithful(String s, byte[] utf8) {
    for (int i = 0; i < utf8.length; i++) {
      if (utf8[i] == '?' && s.charAt(i) != '?') return false;
    }
    return true;
  }

  private void wideStr(String s, int n) {
    long room = 3L * n + 5;
    if (buf.length - pos < room) grow(room);
    int guess = n < 32 ? 1 : n < 1 << 8 ? 2 : n < 1 << 16 ? 3 : 5;
    int start = pos;
    int end = Utf8.encode(s, 0, buf, start + guess, replace);
    if (end < 0) {
      throw error(
          ErrorKind.INVALID_UTF8, "a lone surrogate at character " + (-1 - end), null, null);
    }
    int length = end - start - guess;
    int needed = length < 32 ? 1 : length < 1 << 8 ? 2 : length < 1 << 16 ? 3 : 5;
    if (needed != guess) System.arraycopy(buf, start + guess, buf, start + needed, length);
    strHeader(length);
    pos = start + needed + length;
  }
}
