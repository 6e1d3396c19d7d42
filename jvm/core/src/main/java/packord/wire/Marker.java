package packord.wire;

/** The first bytes of values: {@code spec/format.md} section 2. */
public final class Marker {
  /** The marker of each format that has one of its own, as an int 0 to 255. */
  public static final int NIL = 0xc0,
      RESERVED = 0xc1,
      FALSE = 0xc2,
      TRUE = 0xc3,
      BIN8 = 0xc4,
      BIN16 = 0xc5,
      BIN32 = 0xc6,
      EXT8 = 0xc7,
      EXT16 = 0xc8,
      EXT32 = 0xc9,
      FLOAT32 = 0xca,
      FLOAT64 = 0xcb,
      UINT8 = 0xcc,
      UINT16 = 0xcd,
      UINT32 = 0xce,
      UINT64 = 0xcf,
      INT8 = 0xd0,
      INT16 = 0xd1,
      INT32 = 0xd2,
      INT64 = 0xd3,
      FIXEXT1 = 0xd4,
      FIXEXT2 = 0xd5,
      FIXEXT4 = 0xd6,
      FIXEXT8 = 0xd7,
      FIXEXT16 = 0xd8,
      STR8 = 0xd9,
      STR16 = 0xda,
      STR32 = 0xdb,
      ARRAY16 = 0xdc,
      ARRAY32 = 0xdd,
      MAP16 = 0xde,
      MAP32 = 0xdf;

  /** Formats whose marker carries a small number: its lowest value. */
  public static final int FIXMAP = 0x80, FIXARRAY = 0x90, FIXSTR = 0xa0, NEGATIVE_FIXINT = 0xe0;

  private static final byte[] AFTER = new byte[256];

  static {
    int[][] sizes = {
      {BIN8, 1, 2, 4}, {EXT8, 2, 3, 5}, {FLOAT32, 4, 8}, {UINT8, 1, 2, 4, 8},
      {INT8, 1, 2, 4, 8}, {FIXEXT1, 1, 1, 1, 1, 1}, {STR8, 1, 2, 4}, {ARRAY16, 2, 4}, {MAP16, 2, 4}
    };
    for (int[] row : sizes) {
      for (int i = 1; i < row.length; i++) AFTER[row[0] + i - 1] = (byte) row[i];
    }
  }

  private Marker() {}

  /**
   * The bytes of a value's header that follow its marker, with the payload of numbers.
   *
   * @param marker 0 to 255
   * @return 0 to 8
   */
  public static int bytesAfter(int marker) {
    return AFTER[marker];
  }

  /** Returns the index of the payload of the str at {@code bytes[at]}, or -1 for another type. */
  public static int strPayload(byte[] bytes, int at) {
    int marker = bytes[at] & 0xff;
    if (marker >= FIXSTR && marker < NIL) return at + 1;
    return marker < STR8 || marker > STR32 ? -1 : at + 1 + bytesAfter(marker);
  }

  /** Whether the format is one of ext. */
  public static boolean isExt(int marker) {
    return marker >= FIXEXT1 && marker <= FIXEXT16 || marker >= EXT8 && marker <= EXT32;
  }

  /** Whether the format is one of array. */
  public static boolean isArray(int marker) {
    return marker >= FIXARRAY && marker < FIXSTR || marker == ARRAY16 || marker == ARRAY32;
  }

  /** Whether the format is one of map. */
  public static boolean isMap(int marker) {
    return marker >= FIXMAP && marker < FIXARRAY || marker == MAP16 || marker == MAP32;
  }

  /** Whether the format is one of str. */
  public static boolean isStr(int marker) {
    return marker >= FIXSTR && marker < NIL || marker >= STR8 && marker <= STR32;
  }

  /** Whether the format is one of bin. */
  public static boolean isBin(int marker) {
    return marker >= BIN8 && marker <= BIN32;
  }

  /**
   * Returns what the header at {@code bytes[at]}, which is whole, announces.
   *
   * @return the bytes of the payload of a str, bin or ext, the elements of an array, the entries of a map; else 0
   */
  public static long announced(byte[] bytes, int at) {
    int marker = bytes[at] & 0xff;
    if (marker < FIXMAP || marker >= NEGATIVE_FIXINT) return 0;
    if (marker < FIXSTR) return marker & 0xf;
    if (marker < NIL) return marker & 0x1f;
    switch (marker) {
      case BIN8:
      case EXT8:
      case STR8: return bytes[at + 1] & 0xff;
      case BIN16:
      case EXT16:
      case STR16:
      case ARRAY16:
      case MAP16: return Bytes.u16(bytes, at + 1);
      case BIN32:
      case EXT32:
      case STR32:
      case ARRAY32:
      case MAP32: return Bytes.u32(bytes, at + 1);
      default: return isExt(marker) ? 1L << marker - FIXEXT1 : 0;
    }
  }
}
