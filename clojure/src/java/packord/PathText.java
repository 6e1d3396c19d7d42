package packord;

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

  private static String notation(Object key) {
    if (key == null) return "nil";
    if (key instanceof Number || key instanceof Boolean) return key.toString();
    if (key instanceof byte[]) return "h'" + hex((byte[]) key) + "'";
    if (key instanceof Ext) {
      Ext ext = (Ext) key;
      return "ext(" + ext.type() + ", h'" + hex(ext.data()) + "')";
    }
    return key.getClass().getSimpleName();
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
