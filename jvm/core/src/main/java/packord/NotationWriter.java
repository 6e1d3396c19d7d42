package packord;

import java.util.ArrayDeque;
import java.util.Deque;
import packord.decode.Decoder;
import packord.decode.StepReader;
import packord.record.DecoderStructures;
import packord.wire.Marker;
import packord.wire.Suffix;
import packord.wire.Utf8;

/** From bytes to diagnostic notation, one token at a time. */
final class NotationWriter {
  /** A container that is open. */
  private static final class Open {
    final Token token;
    final int format;
    long written;

    /** The format is the one that a suffix names, or -1. */
    Open(Token token, int format) {
      this.token = token;
      this.format = format;
    }

    boolean isInEntry() {
      return token == Token.MAP && (written & 1) == 1;
    }
  }

  private static final int FIRST_ID = 0x40;
  private static final Options KEYS = Options.builder().build();

  private final boolean records;
  private final boolean indented;
  private final StringBuilder out = new StringBuilder();
  private final Deque<Open> open = new ArrayDeque<>();

  NotationWriter(boolean records, boolean indented) {
    this.records = records;
    this.indented = indented;
  }

  /** Writes all messages, and returns the text. */
  String messages(StepReader steps) {
    while (steps.nextMessage()) {
      if (out.length() > 0) out.append('\n');
      tokens(steps);
    }
    return out.toString();
  }

  private void tokens(StepReader steps) {
    for (Token token = steps.next(); token != null; token = steps.next()) {
      if (token == Token.END) {
        end();
      } else {
        separate();
        value(steps, token);
      }
    }
  }

  /** Writes what is between two values. */
  private void separate() {
    Open top = open.peek();
    if (top == null) return;
    if (top.isInEntry()) {
      out.append(": ");
    } else {
      if (top.written > 0) out.append(indented ? "," : ", ");
      if (indented) line();
    }
    top.written++;
  }

  private void line() {
    out.append('\n');
    for (int i = 0; i < open.size(); i++) out.append("  ");
  }

  private void end() {
    Open closed = open.pop();
    if (indented && closed.written > 0) line();
    out.append(closed.token == Token.ARRAY ? ']' : closed.token == Token.MAP ? '}' : ')');
    if (closed.format >= 0) suffix(closed.format);
  }

  private void suffix(int format) {
    out.append('_').append(Suffix.name(format));
  }

  /** Writes the suffix of a value whose format is not the minimal one. */
  private void suffix(int marker, int minimal) {
    int format = Suffix.format(marker);
    if (format != minimal) suffix(format);
  }

  private void value(StepReader steps, Token token) {
    int marker = steps.byteAt(steps.markerOffset());
    switch (token) {
      case NIL: out.append("nil"); break;
      case BOOL: out.append(steps.number() != 0); break;
      case INTEGER: integer(steps.number(), marker); break;
      case FLOAT:
        if (marker == Marker.FLOAT32) NotationText.float32((int) steps.number(), out);
        else NotationText.float64(steps.number(), out);
        break;
      case STR: str(steps.payload(), marker); break;
      case BIN:
        bytes(steps.payload());
        suffix(marker, Suffix.bin(steps.length()));
        break;
      case EXT: ext(steps, marker); break;
      case ARRAY: open(token, '[', marker, Suffix.array(steps.size())); break;
      case MAP: open(token, '{', marker, Suffix.map(steps.size())); break;
      default: record(steps, marker);
    }
  }

  private void integer(long number, int marker) {
    boolean negative = number < 0 && marker != Marker.UINT64;
    out.append(negative ? Long.toString(number) : Long.toUnsignedString(number));
    suffix(marker, Suffix.integer(number, negative, records));
  }

  private void bytes(byte[] bytes) {
    NotationText.hex(bytes, bytes.length, out);
  }

  private void str(byte[] bytes, int marker) {
    String string = Utf8.decode(bytes, 0, bytes.length);
    if (string == null) {
      out.append("str(");
      bytes(bytes);
      out.append(')');
    } else {
      NotationText.quote(string, out);
    }
    suffix(marker, Suffix.str(bytes.length));
  }

  private void ext(StepReader steps, int marker) {
    int type = steps.extType();
    byte[] payload = steps.payload();
    int minimal = Suffix.ext(payload.length);
    Object value = type == -1 ? steps.value() : null;
    if (value instanceof Timestamp && marker == minimal) {
      Timestamp time = (Timestamp) value;
      if (payload.length == smallest(time)) {
        NotationText.timestamp(time.seconds(), time.nanos(), out);
        return;
      }
    }
    out.append("ext(").append(type).append(", ");
    bytes(payload);
    out.append(')');
    if (marker != minimal) suffix(marker);
  }

  private static int smallest(Timestamp time) {
    if (time.seconds() >>> 34 != 0) return 12;
    return time.nanos() != 0 || time.seconds() >>> 32 != 0 ? 8 : 4;
  }

  private void open(Token token, char bracket, int marker, int minimal) {
    int format = Suffix.format(marker);
    open.push(new Open(token, format == minimal ? -1 : format));
    out.append(bracket);
  }

  private void record(StepReader steps, int marker) {
    int at = steps.markerOffset();
    boolean defined = Marker.isExt(marker);
    int id = defined ? at + 2 : at;
    boolean twoByte = defined ? marker == Marker.FIXEXT2 : steps.index() - at == 2;
    int high = twoByte ? steps.byteAt(id + 1) : 0;
    out.append(twoByte ? "##" : "#").append(FIRST_ID + DecoderStructures.index(steps.byteAt(id), high));
    if (defined) keys(steps.copy(id + (twoByte ? 2 : 1), steps.index()));
    out.append('(');
    open.push(new Open(Token.RECORD, -1));
  }

  /** Writes the keys of a definition, always on one line. */
  private void keys(byte[] packed) {
    StepReader steps = StepReader.of(new Decoder(KEYS), packed, 0, packed.length);
    out.append(new NotationWriter(false, false).messages(steps));
  }
}
