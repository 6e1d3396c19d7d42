package packord.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * The formats of values, and their names in diagnostic notation. A format is its marker; the fix formats
 * of a type have their lowest marker, and fixints {@link #FIX}.
 */
public final class Suffix {
  /** The format of fixints. */
  public static final int FIX = 0;

  private static final String[] NAMES = new String[256];
  private static final Map<String, Integer> FORMATS = new HashMap<>();

  static {
    name(FIX, "fix");
    names(Marker.UINT8, "u8", "u16", "u32", "u64");
    names(Marker.INT8, "i8", "i16", "i32", "i64");
    name(Marker.FLOAT32, "f32");
    names(Marker.STR8, "str8", "str16", "str32");
    names(Marker.BIN8, "bin8", "bin16", "bin32");
    names(Marker.ARRAY16, "array16", "array32");
    names(Marker.MAP16, "map16", "map32");
    names(Marker.EXT8, "ext8", "ext16", "ext32");
  }

  private Suffix() {}

  private static void names(int first, String... names) {
    for (int i = 0; i < names.length; i++) name(first + i, names[i]);
  }

  private static void name(int format, String name) {
    NAMES[format] = name;
    FORMATS.put(name, format);
  }

  /** Returns the name of a format. */
  public static String name(int format) {
    return NAMES[format];
  }

  /** Returns the format with this name, or -1. */
  public static int named(String name) {
    return FORMATS.getOrDefault(name, -1);
  }

  /** Returns the minimal format of an integer that is negative, or whose 64 bits are unsigned. */
  public static int integer(long bits, boolean negative, boolean records) {
    if (negative) {
      if (bits >= -32) return FIX;
      return bits >= Byte.MIN_VALUE ? Marker.INT8
          : bits >= Short.MIN_VALUE ? Marker.INT16
          : bits >= Integer.MIN_VALUE ? Marker.INT32
          : Marker.INT64;
    }
    if (bits >>> 6 == 0 || bits >>> 7 == 0 && !records) return FIX;
    return bits >>> 8 == 0 ? Marker.UINT8
        : bits >>> 16 == 0 ? Marker.UINT16
        : bits >>> 32 == 0 ? Marker.UINT32
        : Marker.UINT64;
  }

  /** Returns the minimal format of a str of this length. */
  public static int str(long length) {
    return length < 32 ? Marker.FIXSTR : counted(length, Marker.STR8);
  }

  /** Returns the minimal format of a bin of this length. */
  public static int bin(long length) {
    return counted(length, Marker.BIN8);
  }

  /** Returns the minimal format of an array of this many elements. */
  public static int array(long size) {
    return size < 16 ? Marker.FIXARRAY : size >>> 16 == 0 ? Marker.ARRAY16 : Marker.ARRAY32;
  }

  /** Returns the minimal format of a map of this many entries. */
  public static int map(long size) {
    return size < 16 ? Marker.FIXMAP : size >>> 16 == 0 ? Marker.MAP16 : Marker.MAP32;
  }

  /** Returns the minimal format of an ext of this length. */
  public static int ext(long length) {
    if (length > 0 && length <= 16 && Long.bitCount(length) == 1) {
      return Marker.FIXEXT1 + Long.numberOfTrailingZeros(length);
    }
    return counted(length, Marker.EXT8);
  }

  private static int counted(long length, int eight) {
    return length >>> 8 == 0 ? eight : length >>> 16 == 0 ? eight + 1 : eight + 2;
  }

  /** Returns the format that a marker stands for, the lowest marker of a fix format. */
  public static int format(int marker) {
    if (marker < Marker.FIXMAP || marker >= Marker.NEGATIVE_FIXINT) return FIX;
    if (marker < Marker.FIXARRAY) return Marker.FIXMAP;
    if (marker < Marker.FIXSTR) return Marker.FIXARRAY;
    return marker < Marker.NIL ? Marker.FIXSTR : marker;
  }
}
