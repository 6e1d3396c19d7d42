package packord;

import java.time.Instant;
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
    if (isName(name)) return "." + beginning(name);
    StringBuilder out = new StringBuilder("[");
    NotationText.quote(beginning(name), out);
    return out.append(']').toString();
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
      NotationText.quote(beginning((String) value), out);
    } else if (value.getClass().getName().equals("clojure.lang.Keyword")) {
      // By name, because this class also works without Clojure.
      NotationText.quote(beginning(value.toString().substring(1)), out);
    } else if (value instanceof Double) {
      NotationText.float64(Double.doubleToRawLongBits((Double) value), out);
    } else if (value instanceof Float) {
      NotationText.float32(Float.floatToRawIntBits((Float) value), out);
    } else if (value instanceof byte[]) {
      hex((byte[]) value, out);
    } else if (value instanceof Ext) {
      Ext ext = (Ext) value;
      out.append("ext(").append(ext.type()).append(", ");
      hex(ext.data(), out);
      out.append(')');
    } else if (value instanceof Instant) {
      NotationText.timestamp(((Instant) value).getEpochSecond(), ((Instant) value).getNano(), out);
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

  private static void hex(byte[] bytes, StringBuilder out) {
    NotationText.hex(bytes, Math.min(bytes.length, MAX_BYTES), out);
  }

  private static boolean isName(String string) {
    if (string.isEmpty() || string.charAt(0) >= '0' && string.charAt(0) <= '9') return false;
    return string.chars()
        .allMatch(
            c -> c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
  }
}
