package packord.encode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import packord.ErrorKind;
import packord.PackordException;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Utf8;
import packord.wire.Utf8Encoder;

/** A growing buffer that writes headers and scalars in their minimal formats. */
abstract class Output {
  private static final int FIRST = 1024;
  private static final int KEPT = 1 << 20;
  private static final int CHUNK = 1 << 16;

  /** The longest header of an ext. */
  private static final int EXT_HEADER = 6;

  /** The bytes written so far, up to {@link #pos}. */
  byte[] buf = new byte[FIRST];

  /** The index after the last byte. */
  int pos;

  /** Whether 64 to 127 are written as {@code cc xx}, because one byte would be a record id. */
  private boolean wideInts;

  private final Utf8Encoder utf8;

  private OutputStream sink;
  private int held;
  private long drains;

  /** Makes an empty output. */
  Output(boolean wideInts, boolean replace) {
    this.wideInts = wideInts;
    this.utf8 = new Utf8Encoder(replace);
  }

  /** Returns an error, at no path yet. Culprit and cause are null if there is none. */
  abstract PackordException error(
      ErrorKind kind, String detail, Object culprit, Throwable cause);

  /** Returns an error with a detail, at no path yet. */
  final PackordException error(ErrorKind kind, String detail) {
    return error(kind, detail, null, null);
  }

  /** Makes room for {@code count} more bytes. */
  final void ensure(int count) {
    if (buf.length - pos < count) grow(count);
  }

  private void grow(long count) {
    if (sink != null && held == 0 && pos >= CHUNK) {
      drain();
      if (buf.length >= count) return;
    }
    long needed = pos + count;
    if (count < 0 || needed > Integer.MAX_VALUE - 16) {
      throw error(ErrorKind.LENGTH_LIMIT, "a message takes at most 2 GiB");
    }
    long doubled = Math.min(buf.length * 2L, Integer.MAX_VALUE - 16);
    buf = Arrays.copyOf(buf, (int) Math.max(doubled, needed));
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

  /** Sets whether 64 to 127 are written as {@code cc xx}. */
  final void wideInts(boolean wide) {
    wideInts = wide;
  }

  /** Hands what was written to a stream whenever the buffer is full. Null ends that. */
  final void to(OutputStream stream) {
    sink = stream;
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
  final void drain() {
    try {
      sink.write(buf, 0, pos);
    } catch (IOException exception) {
      throw new UncheckedIOException(exception);
    }
    pos = 0;
    drains++;
  }

  /** Returns how many times a part was handed to the stream, which cannot be taken back. */
  final long drains() {
    return drains;
  }

  /** Returns a copy of what was written. */
  public final byte[] toBytes() {
    return Arrays.copyOf(buf, pos);
  }

  /** Returns the buffer itself, valid up to {@link #size()}. */
  public final byte[] buffer() {
    return buf;
  }

  /** Returns the number of bytes that were written. */
  public final int size() {
    return pos;
  }

  /** Writes one byte. */
  final void put(int value) {
    ensure(1);
    buf[pos++] = (byte) value;
  }

  /** Writes bytes as they are. */
  final void raw(byte[] bytes, int from, int count) {
    ensure(count);
    System.arraycopy(bytes, from, buf, pos, count);
    pos += count;
  }

  /**
   * Writes the first {@code count} of some bytes, whose length is a multiple of eight and at least
   * 16. Two words repeat the first 16 bytes. For short strings this is faster than copying an array.
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

  /** Writes an integer. */
  final void integer(long value) {
    ensure(9);
    byte[] bytes = buf;
    int at = pos;
    if (value >= -32 && value < 128) {
      if (value >= 64 && wideInts) bytes[at++] = (byte) Marker.UINT8;
      bytes[at] = (byte) value;
      pos = at + 1;
    } else if (value >= 0) {
      if (value < 1 << 8) {
        put8(Marker.UINT8, (int) value);
      } else if (value < 1 << 16) {
        put16(Marker.UINT16, (int) value);
      } else if (value < 1L << 32) {
        put32(Marker.UINT32, (int) value);
      } else {
        put64(Marker.UINT64, value);
      }
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

  /** Writes an integer of 2^63 to 2^64 - 1, given as its 64 bits. */
  final void unsigned64(long bits) {
    ensure(9);
    put64(Marker.UINT64, bits);
  }

  /** Writes a float 32. */
  final void float32(float value) {
    ensure(5);
    put32(Marker.FLOAT32, Float.floatToRawIntBits(value));
  }

  /** Writes a float 64. */
  final void float64(double value) {
    ensure(9);
    put64(Marker.FLOAT64, Double.doubleToRawLongBits(value));
  }

  /** Writes a header of one of the families that have a short form and 16 and 32 bits. */
  private void header(int size, int fix, int fixLimit, int marker16) {
    ensure(5);
    if (size < fixLimit) {
      buf[pos++] = (byte) (fix | size);
    } else if (size < 1 << 16) {
      put16(marker16, size);
    } else {
      put32(marker16 + 1, size);
    }
  }

  /** Writes the header of an array of {@code size} elements. */
  final void arrayHeader(int size) {
    header(size, Marker.FIXARRAY, 16, Marker.ARRAY16);
  }

  /** Writes the header of a map of {@code size} entries. */
  final void mapHeader(int size) {
    header(size, Marker.FIXMAP, 16, Marker.MAP16);
  }

  /** Writes a bin. */
  final void bin(byte[] bytes, int from, int size) {
    ensure(5);
    if (size < 1 << 8) {
      put8(Marker.BIN8, size);
    } else {
      header(size, 0, 0, Marker.BIN16);
    }
    raw(bytes, from, size);
  }

  /** Writes the header of an ext. */
  final void extHeader(int type, int size) {
    ensure(6);
    int fix = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : size == 16 ? 4 : -1;
    if (fix >= 0) {
      buf[pos++] = (byte) (Marker.FIXEXT1 + fix);
    } else if (size < 1 << 8) {
      put8(Marker.EXT8, size);
    } else {
      header(size, 0, 0, Marker.EXT16);
    }
    put(type);
  }

  /** Leaves room for the header of an ext whose payload follows, and returns where. */
  final int beginExtension() {
    ensure(EXT_HEADER);
    pos += EXT_HEADER;
    return pos - EXT_HEADER;
  }

  /**
   * Writes the header of the ext that began at {@code start}. Only a payload of less than 64 KiB is moved for
   * that, so that exts in each other cost little.
   */
  final void endExtension(int type, int start) {
    int from = start + EXT_HEADER;
    int size = pos - from;
    pos = start;
    extHeader(type, size);
    if (pos < from) System.arraycopy(buf, from, buf, pos, size);
    pos += size;
  }

  /** Writes a timestamp in the smallest format that holds it. */
  final void timestamp(long seconds, int nanos) {
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
  final void str(String string) {
    int size = string.length();
    if (size > Utf8Encoder.TINY || size > 0 && string.charAt(0) > 0xff) {
      longStr(string, size);
      return;
    }
    ensure(2 * size + 10);
    byte[] bytes = buf;
    int at = pos + 1;
    int all = 0;
    for (int i = 0; i < size; i++) {
      char unit = string.charAt(i);
      all |= unit;
      bytes[at + i] = (byte) unit;
    }
    if (all < 0x80) {
      bytes[pos] = (byte) (Marker.FIXSTR | size);
      pos = at + size;
    } else if (all < 0x100) {
      finishStr(1, Utf8.widen(bytes, at, size));
    } else {
      longStr(string, size);
    }
  }

  private void strHeader(int size) {
    if (size < 32) {
      buf[pos++] = (byte) (Marker.FIXSTR | size);
    } else if (size < 1 << 8) {
      put8(Marker.STR8, size);
    } else {
      header(size, 0, 0, Marker.STR16);
    }
  }

  private void longStr(String string, int size) {
    long room = 3L * size + 13;
    if (buf.length - pos < room) grow(room);
    int guess = size < 32 ? 1 : size < 1 << 8 ? 2 : size < 1 << 16 ? 3 : 5;
    int end = utf8.encode(string, buf, pos + guess);
    if (end < 0) {
      throw error(ErrorKind.INVALID_UTF8, "lone surrogate at character " + (-1 - end));
    }
    finishStr(guess, end);
  }

  /** Writes the header of a str whose bytes are there, behind room of {@code guess} bytes. */
  private void finishStr(int guess, int end) {
    int start = pos;
    int length = end - start - guess;
    int needed = length < 32 ? 1 : length < 1 << 8 ? 2 : length < 1 << 16 ? 3 : 5;
    if (needed != guess) System.arraycopy(buf, start + guess, buf, start + needed, length);
    strHeader(length);
    pos = start + needed + length;
  }
}
