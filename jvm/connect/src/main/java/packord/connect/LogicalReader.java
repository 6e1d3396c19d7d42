package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import packord.ErrorKind;

/** Reads the logical types of Connect from every form in which {@link LogicalFormat} packs them. */
final class LogicalReader {
    /** A decimal of more digits takes a time that grows with their square. */
    private static final int MAX_DIGITS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private LogicalReader() {}

    static Object read(Schema schema, Object value) {
        switch (schema.name()) {
            case Decimal.LOGICAL_NAME:
                return decimal(schema, value);
            case org.apache.kafka.connect.data.Date.LOGICAL_NAME:
                return date(schema, value);
            case Time.LOGICAL_NAME:
                return time(schema, value);
            default:
                return timestamp(value);
        }
    }

    private static BigDecimal decimal(Schema schema, Object value) {
        int scale = Integer.parseInt(schema.parameters().get(Decimal.SCALE_FIELD));
        if (value instanceof byte[]) return Decimal.toLogical(schema, (byte[]) value);
        return withScale(decimalOf(value), scale);
    }

    private static BigDecimal decimalOf(Object value) {
        if (value instanceof BigDecimal) return (BigDecimal) value;
        if (value instanceof Long) return BigDecimal.valueOf((Long) value);
        if (value instanceof BigInteger) return new BigDecimal((BigInteger) value);
        if (value instanceof Double && Double.isFinite((Double) value)) {
            return BigDecimal.valueOf((Double) value);
        }
        if (!(value instanceof String)) throw Misfit.type("Decimal", value);
        String text = (String) value;
        if (text.length() > MAX_DIGITS) throw new Misfit(ErrorKind.LENGTH_LIMIT, "Decimal");
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException exception) {
            throw Misfit.type("Decimal", value);
        }
    }

    /** A decimal of another scale is the same number if nothing is lost. */
    private static BigDecimal withScale(BigDecimal value, int scale) {
        if (value.scale() == scale) return value;
        if (value.signum() == 0) return BigDecimal.valueOf(0, scale);
        long digits = (long) scale - value.scale();
        if (Math.abs(digits) <= MAX_DIGITS) {
            try {
                return value.setScale(scale);
            } catch (ArithmeticException exception) {
                // Digits would be lost.
            }
        }
        throw new Misfit(ErrorKind.OUT_OF_RANGE, "scale " + value.scale() + " for " + scale);
    }

    private static Date date(Schema schema, Object value) {
        long days;
        if (value instanceof Long) {
            days = (Long) value;
        } else if (value instanceof Instant) {
            long seconds = ((Instant) value).getEpochSecond();
            days = Math.floorDiv(seconds, 86_400L);
            if (days * 86_400 != seconds || ((Instant) value).getNano() != 0) throw Misfit.range(value, "Date");
        } else {
            days = temporal("Date", value, LocalDate.class, LocalDate::parse).toEpochDay();
        }
        if (days != (int) days) throw Misfit.range(value, "Date");
        return org.apache.kafka.connect.data.Date.toLogical(schema, (int) days);
    }

    private static Date time(Schema schema, Object value) {
        long millis = value instanceof Long
                ? (Long) value
                : temporal("Time", value, LocalTime.class, LocalTime::parse).toNanoOfDay() / NANOS_PER_MILLI;
        if (millis < 0 || millis >= 86_400_000) throw Misfit.range(value, "Time");
        return Time.toLogical(schema, (int) millis);
    }

    private static <T extends Temporal> T temporal(
            String wanted, Object value, Class<T> type, Function<String, T> parse) {
        if (type.isInstance(value)) return type.cast(value);
        if (!(value instanceof String)) throw Misfit.type(wanted, value);
        try {
            return parse.apply((String) value);
        } catch (DateTimeException exception) {
            throw Misfit.type(wanted, value);
        }
    }

    private static Date timestamp(Object value) {
        if (value instanceof Long) return new Date((Long) value);
        if (value instanceof String) {
            try {
                return timestamp(OffsetDateTime.parse((String) value).toInstant());
            } catch (DateTimeException exception) {
                throw Misfit.type("Timestamp", value);
            }
        }
        if (value instanceof Instant) {
            try {
                return new Date(((Instant) value).toEpochMilli());
            } catch (ArithmeticException exception) {
                throw Misfit.range(value, "Timestamp");
            }
        }
        if (value instanceof packord.Timestamp) throw Misfit.range(value, "Timestamp");
        throw Misfit.type("Timestamp", value);
    }

    /** Returns the date of a timestamp, cut to milliseconds. */
    static Date dateOf(Object timestamp) {
        return timestamp(timestamp);
    }

    /** Returns the string of a point in time, a date, a time or a UUID; null for any other value. */
    static String textOf(Object value) {
        if (value instanceof LocalTime) return DateTimeFormatter.ISO_LOCAL_TIME.format((LocalTime) value);
        boolean hasText = value instanceof Instant || value instanceof LocalDate || value instanceof UUID;
        return hasText ? value.toString() : null;
    }
}
