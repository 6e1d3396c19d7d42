package packord.ext;

import java.math.BigInteger;

/** The bigint extension: {@code spec/extensions.md} section 3. */
public final class BigIntegers {
    /** Its ext type. */
    public static final int TYPE = 0x42;

    private BigIntegers() {}

    /** Whether the integer is between -2^63 and 2^64 - 1. */
    public static boolean isWithin64Bits(BigInteger value) {
        return value.bitLength() < 64 || value.bitLength() == 64 && value.signum() > 0;
    }

    /** Whether canonical writers use the extension for the integer, in exactly these bytes. */
    public static boolean isCanonical(BigInteger value, int payload) {
        return !isWithin64Bits(value) && payload == value.bitLength() / 8 + 1;
    }
}
