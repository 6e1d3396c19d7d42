package packord;

/** The text of one step of a path: {@code .name}, {@code ["any str"]} or {@code [key 5]}. */
final class PathText {
  private static final int MAX_KEY = 100;

  private PathText() {}

  static String segment(Object key) {
    if (!(key instanceof String)) {
      return "[key " + notation(key) + "]";
    }
    String s = (String) key;
    if (isName(s)) return "." + s;
    return "[" + quote(s) + "]";
  }

  private static String notation(Object key) {
    if (key == null) return "nil";
    if (key instanceof Number || key instanceof Boolean) return key.toString();
    if (key instanceof byte[]) return "h'" + hex((byte[]) key) + "'";
    if (key instanceof Ext) {
      Ext e = (Ext) key;
      return "ext(" + e.type() + ", h'" + hex(e.data()) + "')";
    }
    return key.getClass().getSimpleName();
  }

  private static String hex(byte[] bytes) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, MAX_KEY); i++) {
      s.append(String.format("%02x", bytes[i]));
    }
    return s.toString();
  }

  private static boolean isName(String s) {
    if (s.isEmpty() || s.length() > MAX_KEY || Character.isDigit(s.charAt(0))) return false;
    return s.chars()
        .allMatch(c -> c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
  }

  private static String quote(String s) {
    StringBuilder q = new StringBuilder("\"");
    for (int i = 0; i < Math.min(s.length(), MAX_KEY); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '"': q.append("\\\""); break;
        case '\\': q.append("\\\\"); break;
        case '\b': q.append("\\b"); break;
        case '\f': q.append("\\f"); break;
        case '\n': q.append("\\n"); break;
        case '\r': q.append("\\r"); break;
        case '\t': q.append("\\t"); break;
        default:
          if (c < 0x20 || c == 0x7f) q.append(String.format("\\u%04x", (int) c));
          else q.append(c);
      }
    }
    return q.append(s.length() > MAX_KEY ? "…\"" : "\"").toString();
  }
}
