package packord.container;

import java.util.Arrays;
import packord.ErrorKind;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Utf8;

/**
 * Passes MessagePack values in a file, with all checks of a reader but without their memory. The checks
 * are in the order of {@code spec/format.md} section 5.2.
 */
final class ValueScan {
  private static final int MAX_DEPTH = 1024;
  private static final int PIECE = 1 << 15;
  private static final long MAX_NANOS = 999_999_999;

  private final FileInput in;
  private final Faults faults;

  /** The offset of the next value. */
  long pos;

  /** The most bytes that a value may have, counted from where it begins. */
  long limit = Long.MAX_VALUE;

  /** The payload, elements or entries that the last header has announced. */
  private long size;

  private long[] left = new long[16];
  private int open;
  private long first;
  private long pending;

  ValueScan(FileInput in, Faults faults) {
    this.in = in;
    this.faults = faults;
  }

  /** Passes the value at {@link #pos}. */
  void value() {
    first = pos;
    pending = 0;
    open = 0;
    do {
      if (open > 0) {
        left[open - 1]--;
        pending--;
      }
      one();
      while (open > 0 && left[open - 1] == 0) open--;
    } while (open > 0);
  }

  /** Whether a marker is that of an array. */
  static boolean isArray(int marker) {
    return marker >= Marker.FIXARRAY && marker < Marker.FIXSTR
        || marker == Marker.ARRAY16
        || marker == Marker.ARRAY32;
  }

  /** Whether a marker is that of a map. */
  static boolean isMap(int marker) {
    return marker >= Marker.FIXMAP && marker < Marker.FIXARRAY
        || marker == Marker.MAP16
        || marker == Marker.MAP32;
  }

  /** Whether a marker is that of a str. */
  static boolean isStr(int marker) {
    return marker >= Marker.FIXSTR && marker < Marker.NIL
        || marker >= Marker.STR8 && marker <= Marker.STR32;
  }

  /** Whether a marker is that of a bin. */
  static boolean isBin(int marker) {
    return marker >= Marker.BIN8 && marker <= Marker.BIN32;
  }

  private void one() {
    long start = pos;
    int marker = marker();
    header(marker);
    if (isArray(marker) || isMap(marker)) {
      if (open >= MAX_DEPTH) {
        throw faults.at(ErrorKind.DEPTH_LIMIT, start, "max_depth is " + MAX_DEPTH);
      }
      long inside = isMap(marker) ? 2 * size : size;
      pending += inside;
      checkLimit(pos + pending);
      if (!in.reaches(pos + in.kept(pending))) throw eof();
      if (open == left.length) left = Arrays.copyOf(left, 2 * open);
      if (inside > 0) left[open++] = inside;
      return;
    }
    checkLimit(pos + size);
    if (!in.reaches(pos + size)) throw eof();
    // A longer one is within an index that nobody reads.
    if (isStr(marker) && in.keeps(size)) utf8(pos, pos + size);
    else if (Marker.isExt(marker) && in.at(pos - 1) == 0xff) timestamp(start);
    pos += size;
  }

  private void checkLimit(long end) {
    if (end - first > limit) throw faults.at(ErrorKind.LENGTH_LIMIT, first, "max_block is " + limit);
  }

  /** Returns the marker at {@link #pos}. */
  int marker() {
    int marker = in.at(pos);
    if (marker < 0) throw eof();
    return marker;
  }

  /**
   * Passes the header of the value at {@link #pos}: of a number all of it.
   *
   * @return the bytes of its payload, or its elements or entries; 0 if it has none
   */
  long header() {
    first = pos;
    header(marker());
    return size;
  }

  private void header(int marker) {
    if (marker == Marker.RESERVED) throw faults.at(ErrorKind.RESERVED_MARKER, pos, null);
    int after = Marker.bytesAfter(marker);
    if (in.fill(pos, 1 + after) < 1 + after) {
      checkLimit(pos + 1 + after);
      throw eof();
    }
    size = announced(marker, in.index(pos) + 1);
    pos += 1 + after;
  }

  /** Returns the payload, elements or entries that a header announces. */
  private long announced(int marker, int at) {
    byte[] buf = in.buf;
    if (marker < Marker.FIXMAP || marker >= Marker.NEGATIVE_FIXINT) return 0;
    if (marker < Marker.FIXSTR) return marker & 0xf;
    if (marker < Marker.NIL) return marker & 0x1f;
    switch (marker) {
      case Marker.BIN8:
      case Marker.EXT8:
      case Marker.STR8: return buf[at] & 0xff;
      case Marker.BIN16:
      case Marker.EXT16:
      case Marker.STR16:
      case Marker.ARRAY16:
      case Marker.MAP16: return Bytes.u16(buf, at);
      case Marker.BIN32:
      case Marker.EXT32:
      case Marker.STR32:
      case Marker.ARRAY32:
      case Marker.MAP32: return Bytes.u32(buf, at);
      default: return Marker.isExt(marker) ? 1L << marker - Marker.FIXEXT1 : 0;
    }
  }

  private void utf8(long from, long to) {
    while (from < to) {
      int count = in.fill(from, (int) Math.min(to - from, PIECE));
      if (count == 0) throw eof(); // It was cut after its size was asked.
      int start = in.index(from);
      int invalid = Utf8.firstInvalid(in.buf, start, start + count);
      if (invalid < 0) {
        from += count;
      } else if (from + count < to && invalid > start && start + count - invalid < 4) {
        // The last character of the piece goes on in the next one.
        from += invalid - start;
      } else {
        throw faults.at(ErrorKind.INVALID_UTF8, from + invalid - start, null);
      }
    }
  }

  private void timestamp(long start) {
    long nanos = 0;
    if (size == 8) nanos = Bytes.i64(in.buf, filled(8)) >>> 34;
    else if (size == 12) nanos = Bytes.u32(in.buf, filled(4));
    if (size != 4 && size != 8 && size != 12 || nanos > MAX_NANOS) {
      throw faults.at(ErrorKind.INVALID_TIMESTAMP, start, null);
    }
  }

  private int filled(int count) {
    in.fill(pos, count);
    return in.index(pos);
  }

  /** Returns the error for a file that ends within a value. */
  RuntimeException eof() {
    return faults.at(ErrorKind.EOF, in.end(), null);
  }

  /**
   * Returns the integer from 0 up at an offset, whose value has been passed. One of 2^63 and more is as
   * large as a long can be.
   *
   * @return -1 for another value
   */
  long uint(long offset) {
    int marker = in.at(offset);
    if (marker < Marker.FIXMAP) return marker;
    if (marker < Marker.UINT8 || marker > Marker.INT64) return -1;
    in.fill(offset, 1 + Marker.bytesAfter(marker));
    int at = in.index(offset) + 1;
    switch (marker) {
      case Marker.UINT8: return in.buf[at] & 0xff;
      case Marker.UINT16: return Bytes.u16(in.buf, at);
      case Marker.UINT32: return Bytes.u32(in.buf, at);
      case Marker.UINT64: {
        long value = Bytes.i64(in.buf, at);
        return value < 0 ? Long.MAX_VALUE : value;
      }
      case Marker.INT8: return Math.max(-1, in.buf[at]);
      case Marker.INT16: return Math.max(-1, (short) Bytes.u16(in.buf, at));
      case Marker.INT32: return Math.max(-1, Bytes.i32(in.buf, at));
      default: return Math.max(-1, Bytes.i64(in.buf, at));
    }
  }
}
