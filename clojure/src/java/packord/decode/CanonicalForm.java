package packord.decode;

import packord.wire.Bytes;
import packord.wire.Marker;

/** Which encodings a canonical writer makes: {@code spec/format.md} section 5.3. */
final class CanonicalForm {
  private static final long NAN = 0x7ff8000000000000L;

  private CanonicalForm() {}

  /** Whether the number with this marker at {@code b[at - 1]} is in its canonical format. */
  static boolean isNumber(byte[] b, int at, int marker) {
    switch (marker) {
      case Marker.FLOAT32: return false;
      case Marker.FLOAT64: return !isOtherNan(Bytes.i64(b, at));
      case Marker.UINT8: return b[at] < 0;
      case Marker.UINT16: return Bytes.u16(b, at) >= 1 << 8;
      case Marker.UINT32: return Bytes.u32(b, at) >= 1 << 16;
      case Marker.UINT64: return Bytes.i64(b, at) >>> 32 != 0;
      case Marker.INT8: return b[at] < -32;
      case Marker.INT16: return (short) Bytes.u16(b, at) < Byte.MIN_VALUE;
      case Marker.INT32: return Bytes.i32(b, at) < Short.MIN_VALUE;
      case Marker.INT64: return Bytes.i64(b, at) < Integer.MIN_VALUE;
      default: return true;
    }
  }

  private static boolean isOtherNan(long bits) {
    return Double.isNaN(Double.longBitsToDouble(bits)) && bits != NAN;
  }

  /** Whether a header with this marker is the shortest for the length {@code n}. */
  static boolean isMinimalHeader(int marker, long n) {
    switch (marker) {
      case Marker.STR8: return n >= 32;
      case Marker.ARRAY16:
      case Marker.MAP16: return n >= 16;
      case Marker.EXT8: return n == 0 || n > 16 || (n & n - 1) != 0;
      case Marker.BIN16:
      case Marker.STR16:
      case Marker.EXT16: return n >= 1 << 8;
      case Marker.BIN32:
      case Marker.STR32:
      case Marker.EXT32:
      case Marker.ARRAY32:
      case Marker.MAP32: return n >= 1 << 16;
      default: return true;
    }
  }

  /** The bytes of payload that a timestamp takes. */
  static int timestampSize(long seconds, long nanos) {
    return seconds >>> 34 != 0 ? 12 : nanos != 0 || seconds >>> 32 != 0 ? 8 : 4;
  }
}
