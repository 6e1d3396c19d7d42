package packord;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Writes scalars in diagnostic notation: {@code spec/diagnostic-notation.md} section 1. */
final class NotationText {
  private static final long NAN_64 = 0x7ff8000000000000L;
  private static final int NAN_32 = 0x7fc00000;
  private static final int MAX_DIGITS = 17;
  private static final String DIGITS = "0123456789abcdef";

  private NotationText() {}

  /** Writes a str. */
  static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char unit = string.charAt(i);
      switch (unit) {
        case '"': out.append("\\\""); break;
        case '\\': out.append("\\\\"); break;
        case '\b': out.append("\\b"); break;
        case '\f': out.append("\\f"); break;
        case '\n': out.append("\\n"); break;
        case '\r': out.append("\\r"); break;
        case '\t': out.append("\\t"); break;
        default:
          if (unit >= 0x20 && unit != 0x7f) out.append(unit);
          else out.append("\\u00").append(DIGITS.charAt(unit >> 4)).append(DIGITS.charAt(unit & 15));
      }
    }
    out.append('"');
  }

  /** Writes bytes, up to {@code end}. */
  static void hex(byte[] bytes, int end, StringBuilder out) {
    out.append("h'");
    for (int i = 0; i < end; i++) {
      out.append(DIGITS.charAt(bytes[i] >> 4 & 15)).append(DIGITS.charAt(bytes[i] & 15));
    }
    out.append('\'');
  }

  /** Writes a float 64 of these bits. */
  static void float64(long bits, StringBuilder out) {
    double value = Double.longBitsToDouble(bits);
    if (Double.isNaN(value)) {
      out.append(bits == NAN_64 ? "nan" : String.format("nan(0x%016x)", bits));
    } else {
      number(value, false, out);
    }
  }

  /** Writes a float 32 of these bits. */
  static void float32(int bits, StringBuilder out) {
    float value = Float.intBitsToFloat(bits);
    if (Float.isNaN(value)) {
      out.append(bits == NAN_32 ? "nan" : String.format("nan(0x%08x)", bits));
    } else {
      number(value, true, out);
    }
    out.append("_f32");
  }

  private static void number(double value, boolean single, StringBuilder out) {
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
   * Returns the shortest digits that are read as the value; of these the nearest, and of two equally near
   * the even ones. {@link Double#toString} of Java before 19 does not always find the shortest.
   */
  private static BigDecimal shortest(double value, boolean single) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits <= MAX_DIGITS; digits++) {
      BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (reads(nearest, value, single)) return nearest.stripTrailingZeros();
      BigDecimal lower = exact.round(new MathContext(digits, RoundingMode.DOWN));
      BigDecimal other = lower.equals(nearest) ? exact.round(new MathContext(digits, RoundingMode.UP)) : lower;
      if (reads(other, value, single)) return other.stripTrailingZeros();
    }
    return exact.stripTrailingZeros();
  }

  private static boolean reads(BigDecimal digits, double value, boolean single) {
    return single ? digits.floatValue() == value : digits.doubleValue() == value;
  }

  /** Writes a timestamp. */
  static void timestamp(long seconds, int nanos, StringBuilder out) {
    out.append("timestamp(");
    OffsetDateTime utc =
        seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()
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
