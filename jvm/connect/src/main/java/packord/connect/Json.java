package packord.connect;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON as the values that a message with the same content is read as. */
final class Json {
  private static final int MAX_DEPTH = 1024;
  private static final Pattern TOKEN =
      Pattern.compile(
          "[ \\t\\r\\n]*(?:([\\[\\]{},:])|(true|false|null)|(-?(?:0|[1-9][0-9]*))(\\.[0-9]+)?([eE][+-]?[0-9]+)?"
              + "|\"((?:[^\"\\\\\\x00-\\x1f]|\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4}))*+)\")[ \\t\\r\\n]*");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(.{4})|(.))");

  private final Matcher tokens;

  /** Where the next token begins. */
  private int at;

  private Json(String text) {
    tokens = TOKEN.matcher(text);
  }

  /**
   * Returns the value of a string.
   *
   * @throws IllegalArgumentException if it is not one of JSON
   */
  static Object parse(String text) {
    Json json = new Json(text);
    json.next();
    Object value = json.value(0);
    if (json.at < text.length()) throw json.fault();
    return value;
  }

  private IllegalArgumentException fault() {
    return new IllegalArgumentException("not JSON at character " + at);
  }

  private void next() {
    tokens.region(at, tokens.regionEnd());
    if (!tokens.lookingAt()) throw fault();
    at = tokens.end();
  }

  private boolean is(String sign) {
    return sign.equals(tokens.group(1));
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) throw fault();
    if (is("[")) return array(depth + 1);
    if (is("{")) return object(depth + 1);
    if (tokens.group(1) != null) throw fault();
    if (tokens.group(2) != null) return word(tokens.group(2));
    if (tokens.group(3) == null) return string();
    if (tokens.group(4) != null || tokens.group(5) != null) return Double.valueOf(tokens.group().trim());
    BigInteger integer = new BigInteger(tokens.group(3));
    return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
  }

  private static Object word(String word) {
    return word.equals("null") ? null : Boolean.valueOf(word);
  }

  private String string() {
    String raw = tokens.group(6);
    return ESCAPE
        .matcher(raw)
        .replaceAll(
            escape -> {
              String code = escape.group(1);
              char unit =
                  code != null
                      ? (char) Integer.parseInt(code, 16)
                      : "\b\f\n\r\t\"\\/".charAt("bfnrt\"\\/".indexOf(escape.group(2)));
              return Matcher.quoteReplacement(String.valueOf(unit));
            });
  }

  private List<Object> array(int depth) {
    List<Object> elements = new ArrayList<>();
    next();
    if (is("]")) return elements;
    while (true) {
      elements.add(value(depth));
      next();
      if (is("]")) return elements;
      if (!is(",")) throw fault();
      next();
    }
  }

  private Map<Object, Object> object(int depth) {
    Map<Object, Object> entries = new LinkedHashMap<>();
    next();
    if (is("}")) return entries;
    while (true) {
      if (tokens.group(6) == null) throw fault();
      String key = string();
      next();
      if (!is(":")) throw fault();
      next();
      entries.put(key, value(depth));
      next();
      if (is("}")) return entries;
      if (!is(",")) throw fault();
      next();
    }
  }
}
