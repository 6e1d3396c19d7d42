package packord.spark.columns;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.vectorized.ColumnVector;
import packord.wire.Bytes;

/** Makes vectors of types that are longs in memory. */
abstract class LongsBuilder extends VectorBuilder {
    long[] values = new long[nulls.length];

    LongsBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    final void grow(int capacity) {
        values = Arrays.copyOf(values, capacity);
    }

    @Override
    final ColumnVector vector() {
        return new Vector.Longs(type, values, 0, nulls, nullCount);
    }

    /** Booleans, as 0 and 1. */
    static final class Booleans extends LongsBuilder {
        Booleans(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean bool(boolean value) {
            values[size] = value ? 1 : 0;
            return true;
        }
    }

    /** Integers within bounds. */
    static final class Integers extends LongsBuilder {
        private final long min;
        private final long max;

        Integers(DataType type, Rules rules, long min, long max) {
            super(type, rules);
            this.min = min;
            this.max = max;
        }

        @Override
        boolean integer(long value) {
            if (value < min || value > max) return false;
            values[size] = value;
            return true;
        }

        /** Takes a float that is a whole number. */
        @Override
        boolean number(double value) {
            return value == (long) value && value != 0x1p63 && integer((long) value);
        }
    }

    /** Days since 1970, of ext type 87 and of ISO 8601 strings. */
    static final class Dates extends LongsBuilder {
        private static final int DATE = 87;

        Dates(DataType type, Rules rules) {
            super(type, rules);
        }

        @Override
        boolean ext(int extType, byte[] bytes, int from, int length) {
            if (extType != DATE || length != 4) return false;
            values[size] = Bytes.i32(bytes, from);
            return true;
        }

        @Override
        boolean string(byte[] bytes, int from, int length) {
            try {
                long days = LocalDate.parse(new String(bytes, from, length, StandardCharsets.UTF_8))
                        .toEpochDay();
                values[size] = days;
                return days == (int) days;
            } catch (DateTimeException exception) {
                return false;
            }
        }
    }

    /** Microseconds since 1970, of timestamps and of RFC 3339 strings. They are truncated to microseconds. */
    static final class Timestamps extends LongsBuilder {
        private static final long PER_SECOND = 1_000_000;
        private final boolean isLocal;

        Timestamps(DataType type, Rules rules) {
            super(type, rules);
            isLocal = type instanceof TimestampNTZType;
        }

        @Override
        boolean timestamp(long seconds, int nanos) {
            try {
                // In two steps, so that the smallest long is reached.
                long whole = seconds < 0 ? seconds + 1 : seconds;
                long rest = nanos / 1000 - (seconds < 0 ? PER_SECOND : 0);
                values[size] = Math.addExact(Math.multiplyExact(whole, PER_SECOND), rest);
                return true;
            } catch (ArithmeticException exception) {
                return false;
            }
        }

        @Override
        boolean string(byte[] bytes, int from, int length) {
            String text = new String(bytes, from, length, StandardCharsets.UTF_8);
            try {
                OffsetDateTime time =
                        isLocal ? LocalDateTime.parse(text).atOffset(ZoneOffset.UTC) : OffsetDateTime.parse(text);
                return timestamp(time.toEpochSecond(), time.getNano());
            } catch (DateTimeException exception) {
                return false;
            }
        }
    }
}
