package packord.decode;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import packord.ErrorKind;
import packord.Ext;
import packord.Extension;
import packord.ExtensionHeader;
import packord.Options;
import packord.PackordException;
import packord.Timestamp;
import packord.ext.BigIntegers;
import packord.ext.ExtensionTable;
import packord.wire.Bytes;
import packord.wire.Marker;

/** Reads all values that are no containers. */
abstract class Scalars extends Input {
  /** The options. */
  protected final Options options;

  /** Whether only canonical encodings are accepted. */
  final boolean canonical;

  private final ExtensionTable extensions;

  Scalars(Options options) {
    super(options);
    this.options = options;
    canonical = options.canonical;
    extensions = options.extensions.isEmpty() ? null : new ExtensionTable(options.extensions);
  }

  /** Has an extension make the value of an ext whose payload is at hand. */
  abstract Object registered(Extension e, ExtensionHeader header, int mark, int depth);

  /** Reads what is neither a container, nil, a boolean, nor in a format of one byte. */
  final Object scalar(int t, int mark, int depth) {
    switch (t) {
      case Marker.RESERVED: throw error(ErrorKind.RESERVED_MARKER, mark, "");
      case Marker.BIN8: return bin(u8(mark), mark);
      case Marker.BIN16: return bin(u16(mark), mark);
      case Marker.BIN32: return bin(u32(mark), mark);
      case Marker.EXT8: return ext(u8(mark, 2), mark, depth);
      case Marker.EXT16: return ext(u16(mark, 3), mark, depth);
      case Marker.EXT32: return ext(u32(mark, 5), mark, depth);
      case Marker.FLOAT32: return float32(Float.intBitsToFloat((int) u32(mark)));
      case Marker.FLOAT64: return float64(Double.longBitsToDouble(i64(mark)));
      case Marker.UINT8: return integer(u8(mark), 1);
      case Marker.UINT16: return integer(u16(mark), 2);
      case Marker.UINT32: return integer(u32(mark), 4);
      case Marker.UINT64: return unsigned64(i64(mark));
      case Marker.INT8: return integer((byte) u8(mark), -1);
      case Marker.INT16: return integer((short) u16(mark), -2);
      case Marker.INT32: return integer((int) u32(mark), -4);
      case Marker.INT64: return integer(i64(mark), -8);
      case Marker.FIXEXT1:
      case Marker.FIXEXT2:
      case Marker.FIXEXT4:
      case Marker.FIXEXT8:
      case Marker.FIXEXT16: return ext(1L << t - Marker.FIXEXT1, mark, depth);
      case Marker.STR8: return str(u8(mark), mark);
      case Marker.STR16: return str(u16(mark), mark);
      default: return str(u32(mark), mark);
    }
  }

  final int u8(int mark) {
    return u8(mark, 1);
  }

  private int u8(int mark, int header) {
    need(header, mark);
    return buf[pos++] & 0xff;
  }

  final int u16(int mark) {
    return u16(mark, 2);
  }

  private int u16(int mark, int header) {
    need(header, mark);
    pos += 2;
    return Bytes.u16(buf, pos - 2);
  }

  final long u32(int mark) {
    return u32(mark, 4);
  }

  private long u32(int mark, int header) {
    need(header, mark);
    pos += 4;
    return Bytes.u32(buf, pos - 4);
  }

  private long i64(int mark) {
    need(8, mark);
    pos += 8;
    return Bytes.i64(buf, pos - 8);
  }

  private Object unsigned64(long bits) {
    return bits >= 0 ? integer(bits, 8) : bigInteger(new BigInteger(1, buf, pos - 8, 8));
  }

  private Object str(long n, int mark) {
    Object s = text(n, mark);
    if (canonical) requireMinimal(mark, n);
    return s;
  }

  private Object bin(long n, int mark) {
    if (n > options.maxBinLen) throw tooLong(mark, "a bin of " + n + " bytes");
    need(n, mark);
    if (canonical) requireMinimal(mark, n);
    pos += (int) n;
    return Arrays.copyOfRange(buf, pos - (int) n, pos);
  }

  final PackordException tooLong(int mark, String what) {
    return error(ErrorKind.LENGTH_LIMIT, mark, what);
  }

  final void requireMinimal(int mark, long n) {
    if (!CanonicalForm.isMinimalHeader(buf[mark] & 0xff, n)) {
      throw error(ErrorKind.NOT_CANONICAL, mark, "");
    }
  }

  private Object ext(long n, int mark, int depth) {
    need(1, mark);
    int type = buf[pos++];
    if (n > options.maxExtLen) throw tooLong(mark, "an ext of " + n + " bytes");
    need(n, mark);
    Object value = extValue(type, (int) n, mark, depth);
    if (canonical) requireMinimal(mark, n);
    return value;
  }

  private Object extValue(int type, int n, int mark, int depth) {
    Extension e = extensions == null ? null : extensions.forType(type);
    if (e != null) return registered(e, new ExtensionHeader((byte) type, n), mark, depth);
    pos += n;
    if (type == -1) return timestamp(pos - n, n, mark);
    if (type == BigIntegers.TYPE && options.bigint) return bigInteger(pos - n, n, mark);
    boolean undefined = type == 0 && n == 1 && buf[pos - 1] == 0;
    if (options.unknownExtError && !undefined) throw error(ErrorKind.UNKNOWN_EXT, mark, "type " + type);
    return new Ext(type, Arrays.copyOfRange(buf, pos - n, pos));
  }

  private Object timestamp(int at, int n, int mark) {
    long seconds;
    long nanos;
    if (n == 4) {
      seconds = Bytes.u32(buf, at);
      nanos = 0;
    } else if (n == 8) {
      long both = Bytes.i64(buf, at);
      seconds = both & (1L << 34) - 1;
      nanos = both >>> 34;
    } else if (n == 12) {
      nanos = Bytes.u32(buf, at);
      seconds = Bytes.i64(buf, at + 4);
    } else {
      throw error(ErrorKind.INVALID_TIMESTAMP, mark, n + " bytes");
    }
    if (nanos > 999_999_999) throw error(ErrorKind.INVALID_TIMESTAMP, mark, nanos + " ns");
    if (canonical && n != CanonicalForm.timestampSize(seconds, nanos)) {
      throw error(ErrorKind.NOT_CANONICAL, mark, "");
    }
    return datetime(seconds, (int) nanos);
  }

  private Object datetime(long seconds, int nanos) {
    switch (options.datetime) {
      case INSTANT:
        if (seconds >= Instant.MIN.getEpochSecond() && seconds <= Instant.MAX.getEpochSecond()) {
          return Instant.ofEpochSecond(seconds, nanos);
        }
        break;
      case DATE:
        if (Math.abs(seconds) < Long.MAX_VALUE / 1000) {
          return new Date(seconds * 1000 + nanos / 1_000_000);
        }
        break;
      default:
    }
    return new Timestamp(seconds, nanos);
  }

  private Object bigInteger(int at, int n, int mark) {
    if (n == 0) throw error(ErrorKind.INVALID_EXT, mark, "a bigint of 0 bytes");
    BigInteger value = new BigInteger(buf, at, n);
    if (canonical && !BigIntegers.isCanonical(value, n)) {
      throw error(ErrorKind.NOT_CANONICAL, mark, "");
    }
    return value.bitLength() < 64 ? integer(value.longValue(), -8) : bigInteger(value);
  }

  /** The value of an integer; {@code format} is the bytes of a uint format, minus those of an int. */
  protected Object integer(long v, int format) {
    return v;
  }

  /** The value of a float 32. */
  protected Object float32(float v) {
    return (double) v;
  }

  /** The value of a float 64. */
  protected Object float64(double v) {
    return v;
  }

  /** The value of an integer beyond a long. */
  protected Object bigInteger(BigInteger v) {
    return v;
  }
}
