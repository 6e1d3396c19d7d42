package packord.columns;

/** Writes float 64: as decimal numbers where their bits allow it, by {@code spec/columns.md} section 6.5. */
final class FloatColumns {
    private static final int WIDEST = 6;

    /** The result for a float that is not exact. */
    private static final long NONE = Long.MIN_VALUE;

    private final NodeOutput out;
    private final IntegerColumns integers;

    FloatColumns(NodeOutput out, IntegerColumns integers) {
        this.out = out;
        this.integers = integers;
    }

    /** Writes floats of these bits. */
    void write(long[] bits, int n) {
        int exponent = exponent(bits, n);
        long[] mantissas = exponent < 0 ? null : mantissas(bits, n, exponent);
        if (mantissas == null) {
            out.entry(ColumnNode.FLOAT, 0);
            out.sections.ensure(8L * n);
            for (int i = 0; i < n; i++) out.sections.little(bits[i], 8);
        } else {
            out.entry(ColumnNode.SCALED, 0);
            out.directory.put(exponent);
            integers.write(mantissas, n, false);
        }
    }

    /** Returns the whole number that is a float when it is divided by a power, or {@link #NONE}. */
    private static long mantissa(long bits, double power) {
        double value = Double.longBitsToDouble(bits);
        double scaled = value * power;
        if (!(Math.abs(scaled) < Decimals.LIMIT)) return NONE;
        long mantissa = (long) (value < 0 ? scaled - 0.5 : scaled + 0.5);
        boolean isExact = Math.abs(mantissa) < Decimals.LIMIT && Decimals.bits(mantissa, power) == bits;
        return isExact ? mantissa : NONE;
    }

    /** Returns the largest exponent that rows ask for in turn, or -1 if one is exact with none from there on. */
    private static int exponent(long[] bits, int n) {
        int exponent = 0;
        for (int i = 0; i < n; i++) {
            while (mantissa(bits[i], Decimals.POWERS[exponent]) == NONE) {
                if (++exponent == Decimals.POWERS.length) return -1;
            }
        }
        return exponent;
    }

    /** Returns the whole numbers of all rows, or null if one has none or if they take too many bytes. */
    private static long[] mantissas(long[] bits, int n, int exponent) {
        double power = Decimals.POWERS[exponent];
        long[] mantissas = new long[n];
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < n; i++) {
            long mantissa = mantissa(bits[i], power);
            if (mantissa == NONE) return null;
            mantissas[i] = mantissa;
            min = Math.min(min, mantissa);
            max = Math.max(max, mantissa);
        }
        return IntegerColumns.width(max - min) > WIDEST ? null : mantissas;
    }
}
