package packord.wire;

import java.util.Arrays;

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
            {BIN8, 1, 2, 4},
            {EXT8, 2, 3, 5},
            {FLOAT32, 4, 8},
            {UINT8, 1, 2, 4, 8},
            {INT8, 1, 2, 4, 8},
            {FIXEXT1, 1, 1, 1, 1, 1},
            {STR8, 1, 2, 4},
            {ARRAY16, 2, 4},
            {MAP16, 2, 4}
        };
        for (int[] row : sizes) {
            for (int i = 1; i < row.length; i++) AFTER[row[0] + i - 1] = (byte) row[i];
        }
    }

    private static final Type[] TYPES = new Type[256];

    /** The bytes of a length or count after a marker, and the length or count of those that have none. */
    private static final byte[] WIDTHS = new byte[256], INLINE = new byte[256];

    static {
        Arrays.fill(TYPES, Type.INT);
        Arrays.fill(TYPES, FIXMAP, FIXARRAY, Type.MAP);
        Arrays.fill(TYPES, FIXARRAY, FIXSTR, Type.ARRAY);
        Arrays.fill(TYPES, FIXSTR, NIL, Type.STR);
        TYPES[NIL] = Type.NIL;
        TYPES[RESERVED] = Type.RESERVED;
        Arrays.fill(TYPES, FALSE, BIN8, Type.BOOL);
        Arrays.fill(TYPES, BIN8, EXT8, Type.BIN);
        Arrays.fill(TYPES, EXT8, FLOAT32, Type.EXT);
        Arrays.fill(TYPES, FLOAT32, UINT8, Type.FLOAT);
        Arrays.fill(TYPES, FIXEXT1, STR8, Type.EXT);
        Arrays.fill(TYPES, STR8, ARRAY16, Type.STR);
        Arrays.fill(TYPES, ARRAY16, MAP16, Type.ARRAY);
        Arrays.fill(TYPES, MAP16, NEGATIVE_FIXINT, Type.MAP);
        for (int marker = FIXMAP; marker < NEGATIVE_FIXINT; marker++) {
            Type type = TYPES[marker];
            boolean isFixed = marker < NIL || marker >= FIXEXT1 && marker <= FIXEXT16;
            if (isFixed)
                INLINE[marker] =
                        (byte) (marker < FIXSTR ? marker & 0xf : marker < NIL ? marker & 0x1f : 1 << marker - FIXEXT1);
            else if (type == Type.EXT) WIDTHS[marker] = (byte) (AFTER[marker] - 1);
            else if (type.compareTo(Type.STR) >= 0) WIDTHS[marker] = AFTER[marker];
        }
    }

    private Marker() {}

    /** The bytes of a value's header that follow its marker, with the payload of numbers. */
    public static int bytesAfter(int marker) {
        return AFTER[marker];
    }

    /** Returns the index of the payload of the str at {@code bytes[at]}, or -1 for another type. */
    public static int strPayload(byte[] bytes, int at) {
        int marker = bytes[at] & 0xff;
        return type(marker) == Type.STR ? at + 1 + bytesAfter(marker) : -1;
    }

    public static Type type(int marker) {
        return TYPES[marker];
    }

    /** Whether the format is one of ext. */
    public static boolean isExt(int marker) {
        return marker >= FIXEXT1 && marker <= FIXEXT16 || marker >= EXT8 && marker <= EXT32;
    }

    /**
     * Returns what the header at {@code bytes[at]}, which is whole, announces: the bytes of the payload of a str, bin
     * or ext, the elements of an array, the entries of a map; else 0.
     */
    public static long announced(byte[] bytes, int at) {
        int marker = bytes[at] & 0xff;
        switch (WIDTHS[marker]) {
            case 0:
                return INLINE[marker];
            case 1:
                return bytes[at + 1] & 0xff;
            case 2:
                return Bytes.u16(bytes, at + 1);
            default:
                return Bytes.u32(bytes, at + 1);
        }
    }

    /**
     * Returns the size of an integer with this marker, or 0 for another type. By branches, which a processor predicts:
     * with the table, the place of each element of an {@code int[]} waits for the one before it, and reading takes
     * twice as long.
     */
    public static int integerSize(byte marker) {
        if (marker >= (byte) NEGATIVE_FIXINT) return 1;
        switch (marker & 0xff) {
            case UINT8:
            case INT8:
                return 2;
            case UINT16:
            case INT16:
                return 3;
            case UINT32:
            case INT32:
                return 5;
            case UINT64:
            case INT64:
                return 9;
            default:
                return 0;
        }
    }

    /** Returns the bytes of the str of less than 32 bytes with this marker, or -1 for any other value. */
    public static int shortStrSize(byte marker) {
        return marker >= (byte) FIXSTR && marker < (byte) NIL ? marker & 0x1f : -1;
    }

    /** Returns the integer at {@code bytes[at]}, which is whole; one of 2^63 or more as the long of the same bits. */
    public static long integer(byte[] bytes, int at) {
        switch (bytes[at] & 0xff) {
            case UINT8:
                return bytes[at + 1] & 0xff;
            case UINT16:
                return Bytes.u16(bytes, at + 1);
            case UINT32:
                return Bytes.u32(bytes, at + 1);
            case INT8:
                return bytes[at + 1];
            case INT16:
                return (short) Bytes.u16(bytes, at + 1);
            case INT32:
                return Bytes.i32(bytes, at + 1);
            case UINT64:
            case INT64:
                return Bytes.i64(bytes, at + 1);
            default:
                return bytes[at];
        }
    }

    /** Whether the value at {@code bytes[at]}, which is whole, is an integer of 2^63 or more. */
    public static boolean isLarge(byte[] bytes, int at) {
        return (bytes[at] & 0xff) == UINT64 && bytes[at + 1] < 0;
    }

    /** Whether the format is that of a float of 64 bits. */
    public static boolean isFloat64(int marker) {
        return marker == FLOAT64;
    }

    /** Returns the float at {@code bytes[at]}, which is whole. */
    public static double number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) == FLOAT32
                ? Float.intBitsToFloat(Bytes.i32(bytes, at + 1))
                : Double.longBitsToDouble(Bytes.i64(bytes, at + 1));
    }
}
