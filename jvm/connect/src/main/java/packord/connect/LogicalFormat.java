package packord.connect;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import packord.ErrorKind;

/** How the logical types of Connect are packed: the values of {@code logical.format}. */
enum LogicalFormat {
    /** Decimals, dates and times as strings, timestamps as timestamps. */
    TEXT {
        @Override
        Object decimal(Schema schema, BigDecimal value) {
            return value.scale() < 0 ? value.toString() : value.toPlainString();
        }

        @Override
        Object date(int days) {
            return LocalDate.ofEpochDay(days).toString();
        }

        @Override
        Object time(int millis) {
            return DateTimeFormatter.ISO_LOCAL_TIME.format(timeOf(millis));
        }
    },
    /** As the ext types of packord. */
    EXT {
        @Override
        Object decimal(Schema schema, BigDecimal value) {
            return value;
        }

        @Override
        Object date(int days) {
            return LocalDate.ofEpochDay(days);
        }

        @Override
        Object time(int millis) {
            return timeOf(millis);
        }
    },
    /** As the bytes and integers that Connect itself has for them. */
    NUMBER {
        @Override
        Object decimal(Schema schema, BigDecimal value) {
            return schema == null ? TEXT.decimal(null, value) : Decimal.fromLogical(schema, value);
        }

        @Override
        Object date(int days) {
            return days;
        }

        @Override
        Object time(int millis) {
            return millis;
        }

        @Override
        Object timestamp(long millis) {
            return millis;
        }
    };

    /** Returns what is packed for a decimal; without a schema its scale is its own. */
    abstract Object decimal(Schema schema, BigDecimal value);

    abstract Object date(int days);

    abstract Object time(int millis);

    Object timestamp(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static LocalTime timeOf(int millis) {
        return LocalTime.ofNanoOfDay(millis * 1_000_000L);
    }

    /** Returns what is packed for a value of a logical type. Throws Misfit if the value is not one of the type. */
    Object write(Schema schema, Object value) {
        try {
            switch (schema.name()) {
                case Decimal.LOGICAL_NAME:
                    BigDecimal number = Misfit.instance(BigDecimal.class, "Decimal", value);
                    Decimal.fromLogical(schema, number); // The scale is checked.
                    return decimal(schema, number);
                case org.apache.kafka.connect.data.Date.LOGICAL_NAME:
                    return date(org.apache.kafka.connect.data.Date.fromLogical(
                            schema, Misfit.instance(Date.class, "Date", value)));
                case Time.LOGICAL_NAME:
                    return time(Time.fromLogical(schema, Misfit.instance(Date.class, "Time", value)));
                default:
                    return timestamp(Timestamp.fromLogical(schema, Misfit.instance(Date.class, "Timestamp", value)));
            }
        } catch (DataException exception) {
            throw new Misfit(ErrorKind.OUT_OF_RANGE, exception.getMessage());
        }
    }

    /** Whether a schema is that of a logical type. */
    static boolean isLogical(Schema schema) {
        return schema.name() != null && typeOf(schema.name()) != null;
    }

    private static Schema.Type typeOf(String name) {
        switch (name) {
            case Decimal.LOGICAL_NAME:
                return Schema.Type.BYTES;
            case org.apache.kafka.connect.data.Date.LOGICAL_NAME:
            case Time.LOGICAL_NAME:
                return Schema.Type.INT32;
            case Timestamp.LOGICAL_NAME:
                return Schema.Type.INT64;
            default:
                return null;
        }
    }

    /**
     * Checks a schema that has the name of a logical type: its type, and the scale of a Decimal. Throws Misfit if it is
     * not a schema of that type.
     */
    static void check(Schema schema) {
        if (!isLogical(schema)) return;
        if (schema.type() != typeOf(schema.name())) {
            throw new Misfit(ErrorKind.TYPE_MISMATCH, schema.type() + " for the type of " + schema.name());
        }
        if (!schema.name().equals(Decimal.LOGICAL_NAME)) return;
        Map<String, String> parameters = schema.parameters();
        String scale = parameters == null ? null : parameters.get(Decimal.SCALE_FIELD);
        if (scale == null || !scale.matches("-?[0-9]{1,9}")) {
            throw new Misfit(ErrorKind.TYPE_MISMATCH, scale + " for the scale of a Decimal");
        }
    }
}
