package packord.notation;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import packord.NotationException;
import packord.record.Structure;
import packord.wire.Marker;
import packord.wire.Suffix;

/** Reads values that are not containers. */
final class ScalarParser {
  private static final long NAN_64 = 0x7ff8000000000000L;
  private static final long NAN_32 = 0x7fc00000L;
  private static final int MAX_DIGITS = 24;
  private static final Pattern TIME =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d{1,9}))?Z");

  private final Lexer lexer;
  private final boolean records;
  private final PackedText out;

  ScalarParser(Lexer lexer, boolean records, PackedText out) {
    this.lexer = lexer;
    this.records = records;
    this.out = out;
  }

  /** Reads a value with its suffix. */
  void read() {
    int first = lexer.peek();
    if (first == '"') {
      int start = lexer.position();
      str(PackedText.utf8(lexer.quoted()), start);
    } else if (first == '-' || Lexer.isDigit(first)) {
      number();
    } else if (first >= 'a' && first <= 'z') {
      word();
    } else {
      throw lexer.error(first < 0 ? "input ends within a value" : "expected a value");
    }
  }

  private void word() {
    int start = lexer.position();
    if (lexer.startsWith("h'")) {
      byte[] bytes = lexer.hex();
      counted(bytes, start, Suffix.bin(bytes.length), Marker.BIN8);
      return;
    }
    String word = lexer.takeWhile(Lexer::isWord);
    switch (word) {
      case "nil":
      case "null": single(start, Marker.NIL); break;
      case "true": single(start, Marker.TRUE); break;
      case "false": single(start, Marker.FALSE); break;
      case "inf": number(start, "inf"); break;
      case "nan": nan(start); break;
      case "str":
        lexer.open();
        byte[] bytes = lexer.hex();
        lexer.close();
        str(bytes, start);
        break;
      case "ext": ext(); break;
      case "timestamp": timestamp(); break;
      default: throw lexer.error(start, "expected a value");
    }
  }

  private void single(int start, int marker) {
    if (lexer.suffix() >= 0) throw lexer.error(start, PackedText.OTHER_TYPE);
    out.put(marker);
  }

  private void check(int start, String fault) {
    if (fault != null) throw lexer.error(start, fault);
  }

  private void str(byte[] bytes, int start) {
    counted(bytes, start, Suffix.str(bytes.length), Marker.STR8);
  }

  private void counted(byte[] bytes, int start, int minimal, int lowest) {
    int suffix = lexer.suffix();
    if (suffix >= 0 && !PackedText.isOneOf(suffix, lowest, 3)) check(start, PackedText.OTHER_TYPE);
    check(start, out.header(suffix < 0 ? minimal : suffix, bytes.length));
    out.put(bytes);
  }

  // ---------------------------------------------------------------- numbers

  private void number() {
    int start = lexer.position();
    lexer.eat("-");
    if (lexer.eat("inf")) {
      number(start, lexer.since(start));
      return;
    }
    if (!lexer.startsWith("0x")) {
      boolean hasDigits = !lexer.takeWhile(Lexer::isDigit).isEmpty();
      if (hasDigits && hasFraction()) {
        number(start, lexer.since(start));
        return;
      }
    }
    lexer.rewind(start);
    BigInteger value = integer();
    check(start, out.integer(value, lexer.suffix(), records));
  }

  /** Takes the {@code .5} and {@code e-7} of a float, and returns whether there was any. */
  private boolean hasFraction() {
    boolean found = lexer.eat(".");
    if (found) digits();
    if (lexer.eat("e") || lexer.eat("E")) {
      if (!lexer.eat("+")) lexer.eat("-");
      digits();
      found = true;
    }
    return found;
  }

  private void digits() {
    if (lexer.takeWhile(Lexer::isDigit).isEmpty()) throw lexer.error("expected a digit");
  }

  /** Takes an integer. One that no format holds is cut, so that long ones cost no time. */
  private BigInteger integer() {
    int start = lexer.position();
    boolean negative = lexer.eat("-");
    boolean isHex = lexer.eat("0x");
    String digits = lexer.takeWhile(isHex ? Lexer::isHex : Lexer::isDigit);
    if (digits.isEmpty()) throw lexer.error(start, "expected an integer");
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') zeros++;
    digits = digits.substring(zeros, Math.min(digits.length(), zeros + MAX_DIGITS));
    BigInteger value = new BigInteger(digits, isHex ? 16 : 10);
    return negative ? value.negate() : value;
  }

  /** Writes a float. */
  private void number(int start, String digits) {
    boolean infinite = digits.endsWith("inf");
    String text = infinite ? digits.replace("inf", "Infinity") : digits;
    int suffix = lexer.suffix();
    boolean single = suffix == Marker.FLOAT32;
    if (suffix >= 0 && !single) throw lexer.error(start, PackedText.OTHER_TYPE);
    double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
    if (Double.isInfinite(value) && !infinite) throw lexer.error(start, "too large for a float; write inf");
    if (single) single(Float.floatToRawIntBits((float) value));
    else twice(Double.doubleToRawLongBits(value));
  }

  private void single(int bits) {
    out.put(Marker.FLOAT32);
    out.number(bits, 4);
  }

  private void twice(long bits) {
    out.put(Marker.FLOAT64);
    out.number(bits, 8);
  }

  private void nan(int start) {
    BigInteger given = null;
    int end = lexer.position();
    lexer.space();
    if (lexer.startsWith("(")) {
      lexer.open();
      given = integer();
      lexer.close();
    } else {
      lexer.rewind(end);
    }
    int suffix = lexer.suffix();
    boolean single = suffix == Marker.FLOAT32;
    if (suffix >= 0 && !single) throw lexer.error(start, PackedText.OTHER_TYPE);
    if (given == null) given = BigInteger.valueOf(single ? NAN_32 : NAN_64);
    long bits = given.longValue();
    boolean isNan = single ? Float.isNaN(Float.intBitsToFloat((int) bits)) : Double.isNaN(Double.longBitsToDouble(bits));
    if (given.signum() < 0 || given.bitLength() > (single ? 32 : 64) || !isNan) {
      throw lexer.error(start, "these bits are not those of a NaN");
    }
    if (single) single((int) bits);
    else twice(bits);
  }

  // ---------------------------------------------------------------- ext

  private void ext() {
    lexer.open();
    int start = lexer.position();
    BigInteger type = integer();
    lexer.space();
    if (type.bitLength() > 7) throw lexer.error(start, "an ext type is -128 to 127");
    if (records && type.intValue() == Structure.EXT_TYPE) {
      throw lexer.error(start, "ext type 114 is that of records, which are on");
    }
    lexer.expect(",", "expected a comma");
    lexer.space();
    byte[] payload = lexer.hex();
    lexer.close();
    int suffix = lexer.suffix();
    if (suffix >= 0 && !PackedText.isOneOf(suffix, Marker.EXT8, 3)) check(start, PackedText.OTHER_TYPE);
    check(start, out.header(suffix < 0 ? Suffix.ext(payload.length) : suffix, payload.length));
    out.put(type.intValue());
    out.put(payload);
  }

  private void timestamp() {
    lexer.open();
    int start = lexer.position();
    long seconds;
    int nanos;
    if (lexer.peek() == '"') {
      Instant time = instant(lexer.quoted(), start);
      seconds = time.getEpochSecond();
      nanos = time.getNano();
    } else {
      BigInteger first = integer();
      lexer.space();
      lexer.expect(",", "expected a comma");
      lexer.space();
      BigInteger second = integer();
      if (first.bitLength() > 63 || second.signum() < 0 || second.bitLength() > 30 || second.intValue() > 999_999_999) {
        throw lexer.error(start, "outside the range of timestamps");
      }
      seconds = first.longValue();
      nanos = second.intValue();
    }
    lexer.close();
    if (lexer.suffix() >= 0) throw lexer.error(start, PackedText.OTHER_TYPE);
    put(seconds, nanos);
  }

  private Instant instant(String text, int start) {
    NotationException fault = lexer.error(start, "not a date and time such as 2026-01-02T03:04:05.5Z");
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) throw fault;
    try {
      Instant whole = LocalDateTime.parse(parts.group(1)).toInstant(ZoneOffset.UTC);
      String fraction = parts.group(2);
      return fraction == null
          ? whole
          : whole.plusNanos(new BigDecimal("0." + fraction).movePointRight(9).longValueExact());
    } catch (DateTimeException exception) {
      throw fault;
    }
  }

  private void put(long seconds, int nanos) {
    int size = seconds >>> 34 != 0 ? 12 : nanos != 0 || seconds >>> 32 != 0 ? 8 : 4;
    out.header(Suffix.ext(size), size);
    out.put(-1);
    if (size == 12) {
      out.number(nanos, 4);
      out.number(seconds, 8);
    } else {
      out.number(size == 8 ? (long) nanos << 34 | seconds : seconds, size);
    }
  }
}
