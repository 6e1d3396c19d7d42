package packord;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;

/** Writes the segments of a path: {@code .name}, {@code ["any str"]} or {@code [key 5]}. */
final class PathText {
  /** The longest path in bytes of UTF-8. */
  static final int MAX_BYTES = 256;

  private PathText() {}

  /** Returns a path, cut if it is longer than {@link #MAX_BYTES}. */
  static String cut(String path) {
    int size = 0;
    int i = 0;
    while (i < path.length()) {
      int codePoint = path.codePointAt(i);
      size += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      if (size > MAX_BYTES) return path.substring(0, i) + "…";
      i += Character.charCount(codePoint);
    }
    return path;
  }

  /** Returns the segment of a key. Of a long key it has only the beginning, as the path is cut. */
  static String segment(Object key) {
    if (!(key instanceof String)) return "[key " + notation(key) + "]";
    String name = (String) key;
    return isName(name) ? "." + beginning(name) : "[" + quote(name) + "]";
  }

  private static String beginning(String string) {
    return string.length() <= MAX_BYTES ? string : string.substring(0, MAX_BYTES);
  }

  /** Returns a key in diagnostic notation. Of a long one it has at least what the path shows. */
  private static String notation(Object key) {
    StringBuilder out = new StringBuilder();
    write(key, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (out.length() > MAX_BYTES) return;
    if (value == null) {
      out.append("nil");
    } else if (value instanceof String) {
      out.append(quote((String) value));
    } else if (value.getClass().getName().equals("clojure.lang.Keyword")) {
      // By name, because this class also works without Clojure.
      out.append(quote(value.toString().substring(1)));
    } else if (value instanceof Double || value instanceof Float) {
      out.append(floatText((Number) value));
    } else if (value instanceof byte[]) {
      out.append("h'").append(hex((byte[]) value)).append('\'');
    } else if (value instanceof Ext) {
      Ext ext = (Ext) value;
      out.append("ext(").append(ext.type()).append(", h'").append(hex(ext.data())).append("')");
    } else if (value instanceof Instant) {
      out.append(timestamp((Instant) value));
    } else if (value instanceof Map) {
      map((Map<?, ?>) value, out);
    } else if (value instanceof Collection) {
      list((Collection<?>) value, out);
    } else {
      out.append(value);
    }
  }

  private static void list(Collection<?> elements, StringBuilder out) {
    String separator = "[";
    for (Object element : elements) {
      out.append(separator);
      write(element, out);
      if (out.length() > MAX_BYTES) return;
      separator = ", ";
    }
    out.append(elements.isEmpty() ? "[]" : "]");
  }

  private static void map(Map<?, ?> entries, StringBuilder out) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      out.append(separator);
      write(entry.getKey(), out);
      out.append(": ");
      write(entry.getValue(), out);
      if (out.length() > MAX_BYTES) return;
      separator = ", ";
    }
    out.append(entries.isEmpty() ? "{}" : "}");
  }

  private static String floatText(Number value) {
    boolean single = value instanceof Float;
    double number = value.doubleValue();
    String suffix = single ? "_f32" : "";
    if (Double.isNaN(number)) return "nan" + suffix;
    if (Double.isInfinite(number)) return (number < 0 ? "-inf" : "inf") + suffix;
    BigDecimal digits = new BigDecimal(value.toString()).stripTrailingZeros();
    double size = Math.abs(number);
    if (number == 0) return (1 / number < 0 ? "-0.0" : "0.0") + suffix;
    if (size >= 1e-4 && size < 1e16) {
      String plain = digits.toPlainString();
      return (plain.indexOf('.') < 0 ? plain + ".0" : plain) + suffix;
    }
    int exponent = digits.precision() - digits.scale() - 1;
    return digits.movePointLeft(exponent).stripTrailingZeros().toPlainString()
        + "e" + exponent + suffix;
  }

  private static String timestamp(Instant time) {
    OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
    if (utc.getYear() < 0 || utc.getYear() > 9999) {
      return "timestamp(" + time.getEpochSecond() + ", " + time.getNano() + ")";
    }
    String fraction = String.format("%09d", time.getNano()).replaceAll("0+$", "");
    return "timestamp(\"" + time.truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", "")
        + (fraction.isEmpty() ? "" : "." + fraction) + "Z\")";
  }

  private static String hex(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, MAX_BYTES); i++) {
      out.append(String.format("%02x", bytes[i]));
    }
    return out.toString();
  }

  private static boolean isName(String string) {
    if (string.isEmpty() || string.charAt(0) >= '0' && string.charAt(0) <= '9') return false;
    return string.chars()
        .allMatch(
            c -> c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
  }

  private static String quote(String string) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < Math.min(string.length(), MAX_BYTES); i++) {
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
          if (unit < 0x20 || unit == 0x7f) out.append(String.format("\\u%04x", (int) unit));
          else out.append(unit);
      }
    }
    return out.append('"').toString();
  }
}
