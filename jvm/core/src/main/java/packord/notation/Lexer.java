package packord.notation;

import java.io.ByteArrayOutputStream;
import java.util.function.IntPredicate;
import packord.NotationException;
import packord.wire.Suffix;

/** Takes the tokens of the notation out of a string. */
final class Lexer {
  private static final int END = -1;
  private static final String SPACE = " \t\n\r\ufeff";
  private static final String NOT_AFTER_A_VALUE = "_.\"'(#+";

  private final String text;
  private int at;

  Lexer(String text) {
    this.text = text;
  }

  /** Returns the index of the next character. */
  int position() {
    return at;
  }

  /** Goes back to a position. */
  void rewind(int position) {
    at = position;
  }

  /** Returns the text from a position on to here. */
  String since(int position) {
    return text.substring(position, at);
  }

  boolean isAtEnd() {
    return at == text.length();
  }

  /** Returns the next character, or -1. */
  int peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  boolean startsWith(String prefix) {
    return text.startsWith(prefix, at);
  }

  /** Takes these characters if they come next. */
  boolean eat(String prefix) {
    boolean found = startsWith(prefix);
    if (found) at += prefix.length();
    return found;
  }

  void expect(String wanted, String fault) {
    if (!eat(wanted)) throw error(fault);
  }

  /** Takes an opening round bracket and the space around it. */
  void open() {
    space();
    expect("(", "expected an opening round bracket");
    space();
  }

  /** Takes a closing round bracket and the space before it. */
  void close() {
    space();
    expect(")", "expected a closing round bracket");
  }

  NotationException error(String fault) {
    return error(at, fault);
  }

  NotationException error(int index, String fault) {
    return new NotationException(text, index, fault);
  }

  /** Takes white space and comments. */
  void space() {
    while (true) {
      while (at < text.length() && SPACE.indexOf(text.charAt(at)) >= 0) at++;
      if (startsWith("//")) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (startsWith("/*")) {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) throw error("this comment does not end");
        at = end + 2;
      } else {
        return;
      }
    }
  }

  /** Takes all characters that belong. */
  String takeWhile(IntPredicate belongs) {
    int start = at;
    while (at < text.length() && belongs.test(text.charAt(at))) at++;
    return since(start);
  }

  static boolean isDigit(int letter) {
    return letter >= '0' && letter <= '9';
  }

  static boolean isHex(int letter) {
    return isDigit(letter) || letter >= 'a' && letter <= 'f' || letter >= 'A' && letter <= 'F';
  }

  static boolean isWord(int letter) {
    return isDigit(letter) || letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
  }

  /** Takes the suffix after a value, which must end there. Returns the format, or -1 for none. */
  int suffix() {
    int format = namedSuffix();
    if (at < text.length()) {
      int next = text.codePointAt(at);
      if (Character.isLetterOrDigit(next) || NOT_AFTER_A_VALUE.indexOf(next) >= 0) {
        throw error("unexpected character directly after a value");
      }
    }
    return format;
  }

  /** Takes a suffix, and does not look at what follows. */
  int namedSuffix() {
    int start = at;
    if (!eat("_")) return -1;
    int format = Suffix.named(takeWhile(Lexer::isWord));
    if (format < 0) throw error(start, "no such suffix");
    return format;
  }

  /** Takes bytes: {@code h'00 ff'}. */
  byte[] hex() {
    expect("h'", "expected bytes: h'00ff'");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (true) {
      takeWhile(letter -> letter < 0x80 && Character.isWhitespace(letter));
      if (eat("'")) return bytes.toByteArray();
      if (at + 2 > text.length() || !isHex(text.charAt(at)) || !isHex(text.charAt(at + 1))) {
        throw error("expected two hexadecimal digits");
      }
      bytes.write(Integer.parseInt(text.substring(at, at + 2), 16));
      at += 2;
    }
  }

  /** Takes a string in quotes, without its escapes. */
  String quoted() {
    at++;
    StringBuilder string = new StringBuilder();
    while (true) {
      if (isAtEnd()) throw error("this str does not end");
      char unit = text.charAt(at);
      if (unit < ' ') throw error("control characters are escaped in a str");
      if (Character.isSurrogate(unit) && !isPair()) throw error("half of a surrogate pair");
      if (unit == '\\') {
        escape(string);
        continue;
      }
      at++;
      if (unit == '"') return string.toString();
      string.append(unit);
      if (Character.isHighSurrogate(unit)) string.append(text.charAt(at++));
    }
  }

  private boolean isPair() {
    return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
  }

  private void escape(StringBuilder string) {
    int start = at++;
    int letter = peek();
    at++;
    switch (letter) {
      case '"':
      case '\\':
      case '/': string.append((char) letter); break;
      case 'b': string.append('\b'); break;
      case 'f': string.append('\f'); break;
      case 'n': string.append('\n'); break;
      case 'r': string.append('\r'); break;
      case 't': string.append('\t'); break;
      case 'u': unicode(start, string); break;
      default: throw error(start, "no such escape");
    }
  }

  private void unicode(int start, StringBuilder string) {
    char unit = fourDigits(start);
    if (!Character.isSurrogate(unit)) {
      string.append(unit);
      return;
    }
    char low = Character.isHighSurrogate(unit) && eat("\\u") ? fourDigits(start) : 0;
    if (!Character.isLowSurrogate(low)) throw error(start, "half of a surrogate pair");
    string.append(unit).append(low);
  }

  private char fourDigits(int start) {
    int end = at;
    while (end < text.length() && end < at + 4 && isHex(text.charAt(end))) end++;
    if (end != at + 4) throw error(start, "expected four hexadecimal digits");
    at = end;
    return (char) Integer.parseInt(text.substring(end - 4, end), 16);
  }
}
