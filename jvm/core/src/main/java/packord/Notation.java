package packord;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;

/** Values as text in diagnostic notation: {@code spec/diagnostic-notation.md} section 1. Paths of errors have it. */
public final class Notation {
    private static final long NAN_64 = 0x7ff8000000000000L;
    private static final int NAN_32 = 0x7fc00000;
    private static final int MAX_DIGITS = 17;
    private static final String DIGITS = "0123456789abcdef";

    /** The characters that a backslash and a letter stand for, and these letters. */
    private static final String ESCAPED = "\"\\\b\f\n\r\t", LETTERS = "\"\\bfnrt";

    private final StringBuilder out = new StringBuilder();
    private final int limit;

    private Notation(int limit) {
        this.limit = limit;
    }

    /**
     * Returns the notation of a value that was unpacked, on one line, for example <code>{"id": 7, "raw":
     * h'00ff'}</code>.
     */
    public static String of(Object value) {
        return of(value, Integer.MAX_VALUE);
    }

    /** Returns the notation of a value. Of a long one it has at least the first {@code limit} characters. */
    static String of(Object value, int limit) {
        Notation notation = new Notation(limit);
        notation.write(value);
        return notation.out.toString();
    }

    private void write(Object value) {
        if (out.length() > limit) return;
        if (value == null) {
            out.append("nil");
        } else if (value instanceof String) {
            quote((String) value);
        } else if (value.getClass().getName().equals("clojure.lang.Keyword")) {
            // By name, because this class also works without Clojure.
            quote(value.toString().substring(1));
        } else if (value instanceof Double) {
            float64(Double.doubleToRawLongBits((Double) value));
        } else if (value instanceof Float) {
            float32(Float.floatToRawIntBits((Float) value));
        } else if (value instanceof byte[]) {
            hex((byte[]) value);
        } else if (value instanceof Ext) {
            out.append("ext(").append(((Ext) value).type()).append(", ");
            hex(((Ext) value).data());
            out.append(')');
        } else if (value instanceof Instant) {
            timestamp(((Instant) value).getEpochSecond(), ((Instant) value).getNano());
        } else if (value instanceof Map) {
            map((Map<?, ?>) value);
        } else if (value instanceof Collection) {
            list((Collection<?>) value);
        } else {
            out.append(value);
        }
    }

    private void list(Collection<?> elements) {
        String separator = "[";
        for (Object element : elements) {
            out.append(separator);
            write(element);
            if (out.length() > limit) return;
            separator = ", ";
        }
        out.append(elements.isEmpty() ? "[]" : "]");
    }

    private void map(Map<?, ?> entries) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            out.append(separator);
            write(entry.getKey());
            out.append(": ");
            write(entry.getValue());
            if (out.length() > limit) return;
            separator = ", ";
        }
        out.append(entries.isEmpty() ? "{}" : "}");
    }

    private void quote(String string) {
        out.append('"');
        for (int i = 0; i < Math.min(string.length(), limit); i++) {
            char unit = string.charAt(i);
            int escaped = ESCAPED.indexOf(unit);
            if (escaped >= 0) out.append('\\').append(LETTERS.charAt(escaped));
            else if (unit >= 0x20 && unit != 0x7f) out.append(unit);
            else out.append("\\u00").append(DIGITS.charAt(unit >> 4)).append(DIGITS.charAt(unit & 15));
        }
        out.append('"');
    }

    private void hex(byte[] bytes) {
        out.append("h'");
        for (int i = 0; i < Math.min(bytes.length, limit); i++) {
            out.append(DIGITS.charAt(bytes[i] >> 4 & 15)).append(DIGITS.charAt(bytes[i] & 15));
        }
        out.append('\'');
    }

    private void float64(long bits) {
        double value = Double.longBitsToDouble(bits);
        if (Double.isNaN(value)) {
            out.append(bits == NAN_64 ? "nan" : String.format("nan(0x%016x)", bits));
        } else {
            number(value, false);
        }
    }

    private void float32(int bits) {
        float value = Float.intBitsToFloat(bits);
        if (Float.isNaN(value)) {
            out.append(bits == NAN_32 ? "nan" : String.format("nan(0x%08x)", bits));
        } else {
            number(value, true);
        }
        out.append("_f32");
    }

    private void number(double value, boolean single) {
        if (Double.isInfinite(value) || value == 0) {
            out.append(1 / value < 0 || value < 0 ? "-" : "").append(value == 0 ? "0.0" : "inf");
            return;
        }
        BigDecimal digits = shortest(value, single);
        double size = Math.abs(value);
        if (size >= 1e-4 && size < 1e16) {
            String plain = digits.toPlainString();
            out.append(plain).append(plain.indexOf('.') < 0 ? ".0" : "");
            return;
        }
        int exponent = digits.precision() - digits.scale() - 1;
        out.append(digits.movePointLeft(exponent).stripTrailingZeros().toPlainString());
        out.append('e').append(exponent);
    }

    /**
     * Returns the shortest digits that are read as the value; of these the nearest, and of two equally near the even
     * ones. {@link Double#toString} of Java before 19 does not always find the shortest.
     */
    private static BigDecimal shortest(double value, boolean single) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits <= MAX_DIGITS; digits++) {
            BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (reads(nearest, value, single)) return nearest.stripTrailingZeros();
            BigDecimal lower = exact.round(new MathContext(digits, RoundingMode.DOWN));
            BigDecimal other =
                    lower.compareTo(nearest) == 0 ? exact.round(new MathContext(digits, RoundingMode.UP)) : lower;
            if (reads(other, value, single)) return other.stripTrailingZeros();
        }
        return exact.stripTrailingZeros();
    }

    private static boolean reads(BigDecimal digits, double value, boolean single) {
        return single ? digits.floatValue() == value : digits.doubleValue() == value;
    }

    private void timestamp(long seconds, int nanos) {
        out.append("timestamp(");
        OffsetDateTime utc = seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()
                ? null
                : Instant.ofEpochSecond(seconds, nanos).atOffset(ZoneOffset.UTC);
        if (utc == null || utc.getYear() < 0 || utc.getYear() > 9999) {
            out.append(seconds).append(", ").append(nanos).append(')');
            return;
        }
        String whole = utc.toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
        out.append('"').append(whole, 0, whole.length() - 1);
        if (nanos > 0) out.append('.').append(String.format("%09d", nanos).replaceAll("0+$", ""));
        out.append("Z\")");
    }
}
