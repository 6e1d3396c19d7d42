package packord.spark.columns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Headers of plain MessagePack, without records and columns. The bytes are known to be well-formed, which
 * who has unpacked them has checked.
 */
public final class Plain {
  /** The types of values. */
  public enum Type {
    /** Nil. */
    NIL,
    /** A bool. */
    BOOL,
    /** An integer below 2^63. */
    INT,
    /** An integer of 2^63 or more. */
    UINT,
    /** A float of 32 or 64 bits. */
    FLOAT,
    /** A str. */
    STR,
    /** A bin. */
    BIN,
    /** An ext of type -1. */
    TIMESTAMP,
    /** An array. */
    ARRAY,
    /** A map. */
    MAP,
    /** Any other ext. */
    EXT
  }

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int TIMESTAMP = -1;
  private static final int NANOS_SHIFT = 34;

  /** For each marker the bytes of the header, the marker included. */
  private static final byte[] HEADERS = new byte[256];

  static {
    for (int marker = 0; marker < 256; marker++) HEADERS[marker] = 1;
    int[][] longer = {
      {0xc4, 2, 3, 5}, {0xc7, 3, 4, 6}, {0xca, 5, 9}, {0xcc, 2, 3, 5, 9}, {0xd0, 2, 3, 5, 9},
      {0xd4, 2, 2, 2, 2, 2}, {0xd9, 2, 3, 5}, {0xdc, 3, 5}, {0xde, 3, 5}
    };
    for (int[] row : longer) for (int i = 1; i < row.length; i++) HEADERS[row[0] + i - 1] = (byte) row[i];
  }

  private Plain() {}

  /** Returns the type of a value. */
  public static Type type(byte[] bytes, int at) {
    int marker = bytes[at] & 0xff;
    if (marker < 0x80 || marker >= 0xe0) return Type.INT;
    if (marker < 0x90) return Type.MAP;
    if (marker < 0xa0) return Type.ARRAY;
    if (marker < 0xc0) return Type.STR;
    return switch (marker) {
      case 0xc0 -> Type.NIL;
      case 0xc2, 0xc3 -> Type.BOOL;
      case 0xc4, 0xc5, 0xc6 -> Type.BIN;
      case 0xca, 0xcb -> Type.FLOAT;
      case 0xcf -> bytes[at + 1] < 0 ? Type.UINT : Type.INT;
      case 0xcc, 0xcd, 0xce, 0xd0, 0xd1, 0xd2, 0xd3 -> Type.INT;
      case 0xd9, 0xda, 0xdb -> Type.STR;
      case 0xdc, 0xdd -> Type.ARRAY;
      case 0xde, 0xdf -> Type.MAP;
      default -> extType(bytes, at) == TIMESTAMP ? Type.TIMESTAMP : Type.EXT;
    };
  }

  /** Returns where what follows the header begins: a payload, elements, entries, or the next value. */
  public static int content(byte[] bytes, int at) {
    return at + HEADERS[bytes[at] & 0xff];
  }

  /** Returns the bytes of the payload of a str, bin or ext, the elements of an array, the entries of a map. */
  public static int size(byte[] bytes, int at) {
    int marker = bytes[at] & 0xff;
    if (marker < 0xa0) return marker & 0xf;
    if (marker < 0xc0) return marker & 0x1f;
    return switch (marker) {
      case 0xc4, 0xc7, 0xd9 -> bytes[at + 1] & 0xff;
      case 0xc5, 0xc8, 0xda, 0xdc, 0xde -> u16(bytes, at + 1);
      case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> 1 << marker - 0xd4;
      default -> (int) INT.get(bytes, at + 1);
    };
  }

  private static int u16(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xffff;
  }

  /** Returns the index after a value. */
  public static int skip(byte[] bytes, int at) {
    int next = at;
    for (long left = 1; left > 0; left--) {
      int value = next;
      next = content(bytes, value);
      switch (type(bytes, value)) {
        case STR, BIN, EXT, TIMESTAMP -> next += size(bytes, value);
        case ARRAY -> left += size(bytes, value);
        case MAP -> left += 2L * size(bytes, value);
        default -> { }
      }
    }
    return next;
  }

  /** Returns whether a bool is true. */
  public static boolean bool(byte[] bytes, int at) {
    return (bytes[at] & 0xff) == 0xc3;
  }

  /** Returns an integer; one of 2^63 or more as the long of the same bits. */
  public static long integer(byte[] bytes, int at) {
    return switch (bytes[at] & 0xff) {
      case 0xcc -> bytes[at + 1] & 0xff;
      case 0xcd -> u16(bytes, at + 1);
      case 0xce -> (int) INT.get(bytes, at + 1) & 0xffffffffL;
      case 0xd0 -> bytes[at + 1];
      case 0xd1 -> (short) SHORT.get(bytes, at + 1);
      case 0xd2 -> (int) INT.get(bytes, at + 1);
      case 0xcf, 0xd3 -> (long) LONG.get(bytes, at + 1);
      default -> bytes[at];
    };
  }

  /** Returns a float. */
  public static double number(byte[] bytes, int at) {
    return (bytes[at] & 0xff) == 0xca
        ? Float.intBitsToFloat((int) INT.get(bytes, at + 1))
        : Double.longBitsToDouble((long) LONG.get(bytes, at + 1));
  }

  /** Returns the type of an ext. */
  public static int extType(byte[] bytes, int at) {
    return bytes[content(bytes, at) - 1];
  }

  /** Returns 64 bits of a payload, big-endian. */
  public static long i64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  /** Returns 32 bits of a payload, big-endian. */
  public static int i32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  /** Returns the seconds of a timestamp. */
  public static long seconds(byte[] bytes, int at) {
    int from = content(bytes, at);
    return switch (size(bytes, at)) {
      case 4 -> i32(bytes, from) & 0xffffffffL;
      case 8 -> i64(bytes, from) & (1L << NANOS_SHIFT) - 1;
      default -> i64(bytes, from + 4);
    };
  }

  /** Returns the nanoseconds of a timestamp, which are added to its seconds. */
  public static int nanos(byte[] bytes, int at) {
    int from = content(bytes, at);
    return switch (size(bytes, at)) {
      case 4 -> 0;
      case 8 -> (int) (i64(bytes, from) >>> NANOS_SHIFT);
      default -> i32(bytes, from);
    };
  }
}
