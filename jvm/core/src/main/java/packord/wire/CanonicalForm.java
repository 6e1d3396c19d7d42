package packord.wire;

import java.util.Arrays;

/** Which encodings a canonical writer makes: {@code spec/format.md} section 5.3. */
public final class CanonicalForm {
    private static final long NAN = 0x7ff8000000000000L;

    private CanonicalForm() {}

    /** Whether the number with this marker at {@code bytes[at - 1]} is in its canonical format. */
    public static boolean isNumber(byte[] bytes, int at, int marker) {
        switch (marker) {
            case Marker.FLOAT32:
                return false;
            case Marker.FLOAT64:
                return isFloat(Bytes.i64(bytes, at));
            case Marker.UINT8:
                return bytes[at] < 0;
            case Marker.UINT16:
                return Bytes.u16(bytes, at) >= 1 << 8;
            case Marker.UINT32:
                return Bytes.u32(bytes, at) >= 1 << 16;
            case Marker.UINT64:
                return Bytes.i64(bytes, at) >>> 32 != 0;
            case Marker.INT8:
                return bytes[at] < -32;
            case Marker.INT16:
                return (short) Bytes.u16(bytes, at) < Byte.MIN_VALUE;
            case Marker.INT32:
                return Bytes.i32(bytes, at) < Short.MIN_VALUE;
            case Marker.INT64:
                return Bytes.i64(bytes, at) < Integer.MIN_VALUE;
            default:
                return true;
        }
    }

    private static boolean isFloat(long bits) {
        double value = Double.longBitsToDouble(bits);
        return Double.isNaN(value) ? bits == NAN : !WholeNumbers.isOne(value);
    }

    /** Compares packed keys as {@code spec/format.md} section 4.2 orders them: strings first, by their payloads. */
    public static int compareKeys(byte[] bytes1, int from1, int to1, byte[] bytes2, int from2, int to2) {
        int str1 = Marker.strPayload(bytes1, from1);
        int str2 = Marker.strPayload(bytes2, from2);
        if (str1 < 0 != str2 < 0) return str1 < 0 ? 1 : -1;
        return Arrays.compareUnsigned(bytes1, Math.max(str1, from1), to1, bytes2, Math.max(str2, from2), to2);
    }

    /** Whether a header with this marker is the shortest for the length {@code size}. */
    public static boolean isMinimalHeader(int marker, long size) {
        switch (marker) {
            case Marker.STR8:
                return size >= 32;
            case Marker.ARRAY16:
            case Marker.MAP16:
                return size >= 16;
            case Marker.EXT8:
                return size == 0 || size > 16 || (size & size - 1) != 0;
            case Marker.BIN16:
            case Marker.STR16:
            case Marker.EXT16:
                return size >= 1 << 8;
            case Marker.BIN32:
            case Marker.STR32:
            case Marker.EXT32:
            case Marker.ARRAY32:
            case Marker.MAP32:
                return size >= 1 << 16;
            default:
                return true;
        }
    }
}
