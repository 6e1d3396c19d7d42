package packord.columns;

/** Floats as whole numbers divided by powers of ten: {@code spec/columns.md} section 2.3. */
public final class Decimals {
    /** The powers of ten. */
    public static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    /** Whole numbers are smaller, without their sign. */
    public static final long LIMIT = 1L << 53;

    private Decimals() {}

    /** Returns the bits of a number divided by a power of ten. */
    public static long bits(long mantissa, double power) {
        return Double.doubleToRawLongBits(mantissa / power);
    }
}
