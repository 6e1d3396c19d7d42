package packord.notation;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Suffix;

/** The bytes of the values that were read from a string, without the headers of containers. */
final class PackedText {
  /** The fault of a value that the format of its suffix cannot hold. */
  static final String TOO_LARGE = "too large for its suffix";

  /** The fault of a suffix of another type. */
  static final String OTHER_TYPE = "this suffix is for another type of value";

  private static final BigInteger LEAST = BigInteger.ONE.shiftLeft(63).negate();

  private byte[] bytes = new byte[64];
  private int size;

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  int last() {
    return bytes[size - 1] & 0xff;
  }

  void put(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void put(byte[] more) {
    put(more, 0, more.length);
  }

  void put(byte[] more, int from, int to) {
    ensure(to - from);
    System.arraycopy(more, from, bytes, size, to - from);
    size += to - from;
  }

  byte[] array() {
    return bytes;
  }

  private void ensure(int count) {
    long needed = (long) size + count;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(needed, 2L * size)));
    }
  }

  /** Writes the low bytes of a number. */
  void number(long value, int width) {
    ensure(8);
    Bytes.put64(bytes, size, value << 64 - 8 * width);
    size += width;
  }

  /** Writes an integer in a format, or in the minimal one (-1). Returns the fault, or null. */
  String integer(BigInteger value, int suffix, boolean records) {
    if (value.bitLength() > 64 || value.compareTo(LEAST) < 0 || value.bitLength() == 64 && value.signum() < 0) {
      return suffix < 0 ? "outside the range of integers, -2^63 to 2^64 - 1" : TOO_LARGE;
    }
    long bits = value.longValue();
    boolean negative = value.signum() < 0;
    int format = suffix < 0 ? Suffix.integer(bits, negative, records) : suffix;
    if (format == Suffix.FIX) {
      if (Suffix.integer(bits, negative, false) != Suffix.FIX) return TOO_LARGE;
      put((int) bits);
      return null;
    }
    boolean signed = format >= Marker.INT8 && format <= Marker.INT64;
    if (!signed && (format < Marker.UINT8 || format > Marker.UINT64)) return OTHER_TYPE;
    int width = 1 << (format & 3);
    int room = signed ? 8 * width - 1 : 8 * width;
    if (value.bitLength() > room || negative && !signed) return TOO_LARGE;
    put(format);
    number(bits, width);
    return null;
  }

  /** Writes the header of a value with a length in a format; a fix format has its lowest marker. */
  String header(int format, long length) {
    boolean isFix = format >= Marker.FIXMAP && format < Marker.NIL;
    if (isFix || Marker.isExt(format) && format >= Marker.FIXEXT1) {
      put(isFix ? format | (int) length : format);
      return null;
    }
    int width = Marker.bytesAfter(format) - (Marker.isExt(format) ? 1 : 0);
    if (length >>> 8 * width != 0) return TOO_LARGE;
    put(format);
    number(length, width);
    return null;
  }

  /** Returns whether a format is one of a type, of which {@code lowest} has a length of 8 or 16 bits. */
  static boolean isOneOf(int format, int lowest, int count) {
    return format >= lowest && format < lowest + count;
  }

  static byte[] utf8(String string) {
    return string.getBytes(StandardCharsets.UTF_8);
  }
}
