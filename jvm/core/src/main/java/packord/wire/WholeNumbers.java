package packord.wire;

/** Floats that canonical writers write as integers: {@code spec/format.md} section 4.2. */
public final class WholeNumbers {
    private static final double TWO_TO_63 = 0x1p63;

    private WholeNumbers() {}

    /** Whether a float is a whole number from -2^63 to 2^64 - 1. */
    public static boolean isOne(double value) {
        return value >= -TWO_TO_63 && value < 2 * TWO_TO_63 && value == Math.rint(value);
    }

    /** Whether a whole number is 2^63 or more. */
    public static boolean isUnsigned(double value) {
        return value >= TWO_TO_63;
    }

    /** Returns the 64 bits of a whole number. */
    public static long bits(double value) {
        return isUnsigned(value) ? (long) (value - TWO_TO_63) ^ Long.MIN_VALUE : (long) value;
    }
}
