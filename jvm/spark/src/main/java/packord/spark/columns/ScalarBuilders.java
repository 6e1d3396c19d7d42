package packord.spark.columns;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.TimestampNTZType;
import packord.wire.Bytes;
import packord.wire.Marker;

/** Make vectors of values that have none within. */
final class ScalarBuilders {
    private static final int DECIMAL = 84, DATE = 87;

    private ScalarBuilders() {}

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** Booleans, as 0 and 1. */
    static final class Booleans extends VectorBuilder {
        Booleans(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean bool(boolean value) {
            vector.longs[size] = value ? 1 : 0;
            return true;
        }
    }

    /** Integers within bounds. */
    static final class Integers extends VectorBuilder {
        private final long max;

        Integers(DataType type, Rules rules, long max) {
            super(type, rules);
            this.max = max;
        }

        @Override
        boolean integer(long value) {
            if (value < -max - 1 || value > max) return false;
            vector.longs[size] = value;
            return true;
        }

        /** Takes a float that is a whole number. */
        @Override
        boolean number(double value) {
            return value == (long) value && value != 0x1p63 && integer((long) value);
        }
    }

    /** Days since 1970, of ext type 87 and of ISO 8601 strings. */
    static final class Dates extends VectorBuilder {
        Dates(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean ext(int extType, byte[] bytes, int from, int length) {
            if (extType != DATE || length != 4) return false;
            vector.longs[size] = Bytes.i32(bytes, from);
            return true;
        }

        @Override
        boolean string(byte[] bytes, int from, int length) {
            try {
                long days = LocalDate.parse(text(bytes, from, length)).toEpochDay();
                vector.longs[size] = days;
                return days == (int) days;
            } catch (DateTimeException exception) {
                return false;
            }
        }
    }

    /** Microseconds since 1970, of timestamps and of RFC 3339 strings. They are truncated to microseconds. */
    static final class Timestamps extends VectorBuilder {
        private static final long PER_SECOND = 1_000_000;

        Timestamps(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean timestamp(long seconds, int nanos) {
            try {
                // In two steps, so that the smallest long is reached.
                long whole = seconds < 0 ? seconds + 1 : seconds;
                long rest = nanos / 1000 - (seconds < 0 ? PER_SECOND : 0);
                vector.longs[size] = Math.addExact(Math.multiplyExact(whole, PER_SECOND), rest);
                return true;
            } catch (ArithmeticException exception) {
                return false;
            }
        }

        @Override
        boolean string(byte[] bytes, int from, int length) {
            String text = text(bytes, from, length);
            try {
                OffsetDateTime time = type instanceof TimestampNTZType
                        ? LocalDateTime.parse(text).atOffset(ZoneOffset.UTC)
                        : OffsetDateTime.parse(text);
                return timestamp(time.toEpochSecond(), time.getNano());
            } catch (DateTimeException exception) {
                return false;
            }
        }
    }

    /** Floats and doubles, of floats and of integers, which are rounded to the nearest. */
    static final class Doubles extends VectorBuilder {
        Doubles(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean number(double value) {
            vector.doubles[size] = value;
            return true;
        }

        @Override
        boolean integer(long value) {
            return number((double) value);
        }

        @Override
        boolean unsigned(long value) {
            // The lowest bit only decides which of two is nearer.
            return number(2.0 * (value >>> 1 | value & 1));
        }
    }

    /** Decimals, of integers, floats, strings, and ext type 84. */
    static final class Decimals extends VectorBuilder {
        /** More digits than this have no place in a decimal of Spark. */
        private static final int MOST_DIGITS = 400;

        private final int precision;
        private final int scale;

        Decimals(DecimalType type, Rules rules) {
            super(type, rules);
            precision = type.precision();
            scale = type.scale();
        }

        private boolean decimal(BigDecimal value) {
            // Before it is brought to the scale, which can take any number of digits.
            if (value.signum() != 0 && Math.abs((long) value.precision() - value.scale()) > MOST_DIGITS) return false;
            Decimal decimal = Decimal.apply(value.setScale(scale, RoundingMode.HALF_UP));
            vector.decimals[size] = decimal;
            return decimal.changePrecision(precision, scale);
        }

        @Override
        boolean integer(long value) {
            return decimal(BigDecimal.valueOf(value));
        }

        @Override
        boolean unsigned(long value) {
            return decimal(new BigDecimal(Long.toUnsignedString(value)));
        }

        @Override
        boolean number(double value) {
            return Double.isFinite(value) && decimal(BigDecimal.valueOf(value));
        }

        @Override
        boolean string(byte[] bytes, int from, int length) {
            if (length > MOST_DIGITS) return false;
            try {
                return decimal(new BigDecimal(text(bytes, from, length)));
            } catch (NumberFormatException exception) {
                return false;
            }
        }

        @Override
        boolean ext(int extType, byte[] bytes, int from, int length) {
            if (extType != DECIMAL || length < 2 || length > MOST_DIGITS) return false;
            int digits = PackedValue.content(bytes, from);
            if (PackedValue.type(bytes, from) != PackedValue.Type.INT || digits >= from + length) return false;
            long unscaled = Marker.integer(bytes, from);
            if (unscaled != (int) unscaled) return false;
            BigInteger value = new BigInteger(bytes, digits, from + length - digits);
            return decimal(new BigDecimal(value, (int) unscaled));
        }
    }

    /** Bins and the payloads of exts, which stay where they are. */
    static class Binaries extends VectorBuilder {
        Binaries(DataType type, Rules rules) {
            super(type, rules);
        }

        /** All that is appended to a vector, but what is made, is in one array. */
        @Override
        final boolean binary(byte[] bytes, int from, int length) {
            if (vector.source != null && vector.source != bytes) {
                throw new IllegalStateException("values of several arrays");
            }
            vector.source = bytes;
            vector.starts[size] = from;
            vector.lengths[size] = length;
            return true;
        }

        @Override
        final boolean ext(int extType, byte[] bytes, int from, int length) {
            return binary(bytes, from, length);
        }
    }
}
