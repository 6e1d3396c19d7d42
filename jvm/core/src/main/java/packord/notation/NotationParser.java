package packord.notation;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import packord.NotationException;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnsPayload;
import packord.columns.ColumnsWriter;
import packord.columns.MalformedColumns;
import packord.decode.Decoder;
import packord.record.Structure;
import packord.wire.Marker;
import packord.wire.Suffix;

/** From diagnostic notation to bytes, in one pass and without recursion. */
public final class NotationParser {
  /** A container whose closing bracket has not been read yet. */
  private static final class Open {
    final char closing;
    final int start;

    /** Its header, which is known when it closes; null for records. */
    final Hole hole;

    /** The values that a record must have. */
    final long fields;

    long count;
    boolean inEntry;

    Open(char closing, int start, Hole hole, long fields) {
      this.closing = closing;
      this.start = start;
      this.hole = hole;
      this.fields = fields;
    }
  }

  /** A place in the bytes for a header. */
  private static final class Hole {
    final int at;
    byte[] header;

    Hole(int at) {
      this.at = at;
    }
  }

  private static final String COMMA = "expected a comma or the closing bracket";
  private static final String ONE_SUFFIX = "in columns, _f32 is the only suffix";

  private final Lexer lexer;
  private final Options options;
  private final PackedText body = new PackedText();
  private final ScalarParser scalars;
  private final List<Hole> holes = new ArrayList<>();
  private final Deque<Open> open = new ArrayDeque<>();
  private RecordIds ids;

  /** Whether the value is stored by column: its encoding is plain, without records. */
  private final boolean inColumns;

  /** Makes a parser of a string whose bytes will be read with these options. */
  public NotationParser(String text, Options options) {
    this(new Lexer(text), options, false);
  }

  private NotationParser(Lexer lexer, Options options, boolean inColumns) {
    this.lexer = lexer;
    this.options = options;
    this.inColumns = inColumns;
    this.scalars = new ScalarParser(lexer, options.records, body);
    this.ids = new RecordIds(options);
  }

  /** Returns the bytes of all messages. */
  public byte[] messages() {
    int end = -1;
    lexer.space();
    while (!lexer.isAtEnd()) {
      if (lexer.position() == end) throw lexer.error("expected white space between two messages");
      message();
      if (!options.sequential) ids = new RecordIds(options);
      end = lexer.position();
      lexer.space();
    }
    return assembled();
  }

  /** Returns the bytes with the headers in their holes. */
  private byte[] assembled() {
    PackedText all = new PackedText();
    int copied = 0;
    for (Hole hole : holes) {
      all.put(body.array(), copied, hole.at);
      all.put(hole.header);
      copied = hole.at;
    }
    all.put(body.array(), copied, body.size());
    return all.toBytes();
  }

  /** Reads a message. */
  private void message() {
    do {
      lexer.space();
      Open top = open.peek();
      if (top != null && closes(top)) close();
      else value();
    } while (!open.isEmpty());
  }

  private boolean closes(Open top) {
    return lexer.peek() == top.closing && !top.inEntry;
  }

  private void value() {
    int start = lexer.position();
    int first = lexer.peek();
    if (first == '[' || first == '{') {
      lexer.eat(first == '[' ? "[" : "{");
      Hole hole = new Hole(body.size());
      holes.add(hole);
      open.push(new Open(first == '[' ? ']' : '}', start, hole, 0));
    } else if (first == '#') {
      record(start);
    } else if (lexer.eat("columns")) {
      columns(start);
      afterValue();
    } else {
      scalars.read();
      checkFixint(start);
      if (inColumns && !isPlain(lexer.since(start))) throw lexer.error(start, ONE_SUFFIX);
      afterValue();
    }
  }

  /** Reads a value in round brackets, and writes it by column. */
  private void columns(int start) {
    lexer.open();
    if (inColumns) throw lexer.error(start, "columns in columns");
    NotationParser inner = new NotationParser(lexer, Options.builder().build(), true);
    inner.message();
    lexer.close();
    if (lexer.suffix() >= 0) throw lexer.error(start, PackedText.OTHER_TYPE);
    byte[] payload;
    try {
      byte[] plain = inner.assembled();
      // The notation has strs that are not UTF-8, and malformed timestamps; columns have neither.
      new Decoder(Options.builder().build()).message(plain, 0, plain.length);
      payload = ColumnsWriter.payloadOf(plain);
    } catch (MalformedColumns | PackordException refused) {
      throw lexer.error(start, "this value cannot be stored by column");
    }
    body.header(Suffix.ext(payload.length), payload.length);
    body.put(ColumnsPayload.TYPE);
    body.put(payload);
  }

  /** Whether a scalar has no suffix but that of a float 32. */
  private static boolean isPlain(String text) {
    int last = Math.max(text.lastIndexOf('"'), Math.max(text.lastIndexOf('\''), text.lastIndexOf(')')));
    return text.indexOf('_', last + 1) < 0 || text.endsWith("_f32");
  }

  /** While records are on, a fixint can be the id of one. */
  private void checkFixint(int start) {
    boolean isFix = options.records && lexer.since(start).endsWith("_fix");
    if (isFix && body.last() >= 0x40 && body.last() <= 0x7f && ids.meansRecord(body.last())) {
      throw lexer.error(start, "this id is that of a record");
    }
  }

  private void close() {
    Open closed = open.pop();
    lexer.eat(String.valueOf(closed.closing));
    int suffix = lexer.suffix();
    if (inColumns && suffix >= 0) throw lexer.error(closed.start, ONE_SUFFIX);
    if (closed.hole == null) {
      if (suffix >= 0) throw lexer.error(closed.start, PackedText.OTHER_TYPE);
      if (closed.fields != closed.count) {
        throw lexer.error(closed.start, "not as many values as the record has keys");
      }
    } else {
      boolean isArray = closed.closing == ']';
      int minimal = isArray ? Suffix.array(closed.count) : Suffix.map(closed.count);
      int lowest = isArray ? Marker.ARRAY16 : Marker.MAP16;
      closed.hole.header = header(closed.count, suffix, minimal, lowest, closed.start);
    }
    afterValue();
  }

  private byte[] header(long count, int suffix, int minimal, int lowest, int start) {
    if (suffix >= 0 && !PackedText.isOneOf(suffix, lowest, 2)) {
      throw lexer.error(start, PackedText.OTHER_TYPE);
    }
    PackedText header = new PackedText();
    String fault = header.header(suffix < 0 ? minimal : suffix, count);
    if (fault != null) throw lexer.error(start, fault);
    return header.toBytes();
  }

  /** Reads the colon or comma after a value. */
  private void afterValue() {
    Open top = open.peek();
    if (top == null) return;
    lexer.space();
    if (top.closing == '}') {
      top.inEntry = !top.inEntry;
      if (top.inEntry) {
        lexer.expect(":", "expected a colon and the value of this key");
        return;
      }
    }
    top.count++;
    if (!lexer.eat(",") && !closes(top)) throw lexer.error(COMMA);
  }

  // ---------------------------------------------------------------- records

  /** Reads the id of a record, the keys of a definition, and the opening bracket. */
  private void record(int start) {
    if (!options.records) throw lexer.error(start, "records are off");
    lexer.eat("#");
    boolean twoByte = lexer.eat("#");
    int id = id(start, twoByte);
    lexer.space();
    long fields;
    if (lexer.peek() == '[') {
      body.put(twoByte ? Marker.FIXEXT2 : Marker.FIXEXT1);
      body.put(Structure.EXT_TYPE);
      RecordIds.put(body, id, twoByte);
      fields = keys();
      ids.define(id, twoByte, fields);
    } else {
      RecordIds.put(body, id, twoByte);
      fields = ids.fields(id, twoByte);
      if (fields < 0) throw lexer.error(start, "no record with this id is defined here");
    }
    lexer.open();
    open.push(new Open(')', start, null, fields));
  }

  private int id(int start, boolean twoByte) {
    String digits = lexer.takeWhile(Lexer::isDigit);
    int id = digits.isEmpty() || digits.length() > 5 ? -1 : new BigInteger(digits).intValue();
    if (!RecordIds.exists(id, twoByte)) {
      throw lexer.error(start, twoByte ? "a two-byte id is 96 to 8255" : "a one-byte id is 64 to 127");
    }
    return id;
  }

  /** Reads the keys of a definition. */
  private long keys() {
    int start = lexer.position();
    PackedText keys = new PackedText();
    ScalarParser parser = new ScalarParser(lexer, true, keys);
    long count = 0;
    lexer.eat("[");
    lexer.space();
    while (!lexer.eat("]")) {
      if (lexer.peek() != '"' && !lexer.startsWith("str")) throw isNotAKey();
      parser.read();
      count++;
      lexer.space();
      if (!lexer.eat(",") && lexer.peek() != ']') throw lexer.error(COMMA);
      lexer.space();
    }
    body.put(header(count, lexer.namedSuffix(), Suffix.array(count), Marker.ARRAY16, start));
    body.put(keys.toBytes());
    return count;
  }

  private NotationException isNotAKey() {
    return lexer.error("a key of a record is a str");
  }
}
