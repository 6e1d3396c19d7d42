package packord.spark.columns;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of decimals, of integers, floats, strings, and ext type 84. */
final class DecimalsBuilder extends VectorBuilder {
    private static final int DECIMAL = 84;
    /** More digits than this have no place in a decimal of Spark. */
    private static final int MOST_DIGITS = 400;

    private final int precision;
    private final int scale;
    private Decimal[] values = new Decimal[nulls.length];

    DecimalsBuilder(DecimalType type, Rules rules) {
        super(type, rules);
        precision = type.precision();
        scale = type.scale();
    }

    @Override
    void grow(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    ColumnVector vector() {
        return new Vector.Decimals(type, values, nulls, nullCount);
    }

    private boolean decimal(BigDecimal value) {
        // Before it is brought to the scale, which can take any number of digits.
        if (value.signum() != 0 && Math.abs((long) value.precision() - value.scale()) > MOST_DIGITS) return false;
        Decimal decimal = Decimal.apply(value.setScale(scale, java.math.RoundingMode.HALF_UP));
        values[size] = decimal;
        return decimal.changePrecision(precision, scale);
    }

    @Override
    boolean integer(long value) {
        return decimal(BigDecimal.valueOf(value));
    }

    @Override
    boolean unsigned(long value) {
        return decimal(new BigDecimal(new BigInteger(Long.toUnsignedString(value))));
    }

    @Override
    boolean number(double value) {
        return Double.isFinite(value) && decimal(BigDecimal.valueOf(value));
    }

    @Override
    boolean string(byte[] bytes, int from, int length) {
        if (length > MOST_DIGITS) return false;
        try {
            return decimal(new BigDecimal(new String(bytes, from, length, StandardCharsets.UTF_8)));
        } catch (NumberFormatException exception) {
            return false;
        }
    }

    @Override
    boolean ext(int extType, byte[] bytes, int from, int length) {
        if (extType != DECIMAL || length < 2 || length > MOST_DIGITS) return false;
        if (PackedValue.type(bytes, from) != PackedValue.Type.INT || PackedValue.content(bytes, from) >= from + length)
            return false;
        long unscaledScale = PackedValue.integer(bytes, from);
        if (unscaledScale != (int) unscaledScale) return false;
        int unscaled = PackedValue.content(bytes, from);
        BigInteger digits = new BigInteger(bytes, unscaled, from + length - unscaled);
        return decimal(new BigDecimal(digits, (int) unscaledScale));
    }
}
