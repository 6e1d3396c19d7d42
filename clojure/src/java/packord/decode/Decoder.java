package packord.decode;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import packord.ErrorKind;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionUnpacker;
import packord.Options;
import packord.PackordException;
import packord.record.Definition;
import packord.record.RecordReader;
import packord.record.Structure;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Utf8;

/**
 * Reads values, in the order of checks of {@code spec/format.md} section 5.2. This class builds
 * Java's own collections; {@link ClojureDecoder} builds Clojure's. Not thread-safe.
 *
 * <p>Two numbers go down with the recursion: how many containers are open, and how many elements
 * the open containers still await behind the value at hand, which the budget needs.
 */
public class Decoder extends Scalars implements ExtensionUnpacker {
  private static final int DEFINITIONS = 64;

  private final RecordReader records;
  private final int maxDepth;
  private final boolean eachValueChecked;
  private final boolean keysChecked;
  private final KeyCache keyCache;
  private final KeyGuess guesses;
  private final Definition[] recentDefinitions;
  private long nodes;
  private int payloadDepth;
  private int payloadMark;

  /** Makes a decoder of Java's own types. */
  public Decoder(Options options) {
    this(options, KeyCache.STRINGS);
  }

  /** Makes a decoder; {@code keys} is where keys are remembered, or null if they must not be. */
  Decoder(Options options, KeyCache keys) {
    super(options);
    records = options.records ? new RecordReader(options) : null;
    recentDefinitions = options.records ? new Definition[DEFINITIONS] : null;
    maxDepth = options.maxDepth;
    eachValueChecked = canonical || options.maxNodes != Long.MAX_VALUE;
    keyCache = eachValueChecked || options.maxStrLen < KeyCache.MAX_BYTES ? null : keys;
    guesses = keyCache == null ? null : new KeyGuess(this::definition);
    keysChecked = canonical || options.duplicateKeyError;
  }

  // ---------------------------------------------------------------- messages

  /**
   * Reads one message of an array.
   *
   * @return the value; {@link #consumed} tells its length
   */
  public final Object message(byte[] bytes, int offset, int length) {
    from(bytes, offset, length);
    return message(!options.allowTrailing);
  }

  /** How many bytes the message took. */
  public final int consumed() {
    return (int) offset(pos);
  }

  /** Begins to read a stream. */
  public final void stream(InputStream stream) {
    from(stream);
  }

  /** Whether the stream goes on; then {@link #message()} reads the next one. */
  public final boolean hasMessage() {
    return nextMessage();
  }

  /** Lets go of input and structures, so that the decoder can be kept for the next user. */
  public final void release() {
    close();
    if (records != null) records.forget();
  }

  /** Reads the next message of the stream. */
  public final Object message() {
    return message(false);
  }

  private Object message(boolean alone) {
    nodes = 0;
    payloadDepth = 0;
    begin();
    boolean done = false;
    if (records != null) records.begin(this::keys);
    try {
      checkFirstByte();
      Object value = read(0, 0);
      if (alone && pos != end) {
        throw error(ErrorKind.TRAILING_BYTES, pos, (end - pos) + " bytes after the message");
      }
      done = true;
      return value;
    } catch (StackOverflowError e) {
      throw error(ErrorKind.DEPTH_LIMIT, pos, "the thread's stack is too small");
    } finally {
      if (records != null) records.end(done);
    }
  }

  /** Called before each message. */
  protected void begin() {}

  @Override
  protected PackordException error(ErrorKind kind, int at, String detail, Throwable cause) {
    return new PackordException(kind, offset(at), detail, null, cause);
  }

  // ---------------------------------------------------------------- values

  /** Reads a value with {@code depth} containers open and {@code rest} elements awaited behind. */
  final Object read(int depth, long rest) {
    int mark = pos;
    if (mark == end) need(1, mark);
    int t = buf[mark];
    pos = mark + 1;
    if (eachValueChecked) checkValue(mark, t & 0xff);
    if (t >= Marker.NEGATIVE_FIXINT - 256) {
      Definition d = t >= 0x40 && records != null ? recordAt(t, mark, depth) : null;
      return d == null ? integer(t, 1) : record(d, mark, depth, rest);
    }
    if (t >= (byte) Marker.FIXSTR && t < (byte) Marker.NIL) return text(t & 0x1f, mark);
    if (t < (byte) Marker.FIXARRAY) return map(t & 0xf, mark, depth, rest);
    if (t < (byte) Marker.FIXSTR) return array(t & 0xf, mark, depth, rest);
    if (t >= (byte) Marker.ARRAY16) {
      long n = (t & 1) == 0 ? u16(mark) : u32(mark);
      return t < (byte) Marker.MAP16 ? array(n, mark, depth, rest) : map(n, mark, depth, rest);
    }
    if (t == (byte) Marker.NIL) return null;
    if (t == (byte) Marker.FALSE) return Boolean.FALSE;
    if (t == (byte) Marker.TRUE) return Boolean.TRUE;
    if (records != null && Marker.isExt(t & 0xff)) {
      Definition d = definitionAt(t & 0xff, mark, depth, rest);
      if (d != null) return record(d, mark, depth, rest);
    }
    return scalar(t & 0xff, mark, depth);
  }

  // ---------------------------------------------------------------- containers

  /** Opens a container: depth, length option, budget, header. */
  private void open(long n, long elements, long limit, int mark, int depth, long rest) {
    checkDepth(mark, depth);
    if (n > limit) throw tooLong(mark, "a container of " + n);
    need(rest + elements, mark);
    if (canonical) requireMinimal(mark, n);
  }

  private void checkDepth(int mark, int depth) {
    if (depth >= maxDepth) {
      throw error(ErrorKind.DEPTH_LIMIT, mark, "deeper than " + maxDepth + " containers");
    }
  }

  private Object array(long n, int mark, int depth, long rest) {
    open(n, n, options.maxArrayLen, mark, depth, rest);
    Object[] a = new Object[(int) n];
    int i = 0;
    try {
      for (; i < a.length; i++) a[i] = read(depth + 1, rest + (a.length - 1 - i));
    } catch (PackordException e) {
      throw e.inElement(null, i);
    }
    return newArray(a);
  }

  private Object map(long n, int mark, int depth, long rest) {
    open(n, 2 * n, options.maxMapLen, mark, depth, rest);
    Object[] kv = new Object[2 * (int) n];
    if (keysChecked) {
      checkedEntries(kv, depth + 1, rest);
      return newMap(kv);
    }
    int place = guesses == null ? -1 : KeyGuess.place(buf, pos, end, (int) n);
    KeyGuess.Keys guess = place < 0 ? null : guesses.get(place, (int) n);
    KeyCache.Entry[] learned = place < 0 || guess != null ? null : new KeyCache.Entry[(int) n];
    KeyCache.Entry entry = null;
    int i = 0;
    boolean inValue = false;
    try {
      for (; i < kv.length; i += 2) {
        if (guess != null && !guess.entry(i >> 1).isAt(buf, pos, end)) {
          learned = guess.beginning(i >> 1);
          guess = guesses.instead(place, guess, i >> 1, buf, pos, end);
        }
        if (guess != null) {
          entry = guess.entry(i >> 1);
          pos += entry.size;
          kv[i] = entry.key;
        } else {
          entry = keyCache == null ? null : cachedKey(entry);
          kv[i] = entry != null ? entry.key : key(depth + 1, rest + (kv.length - 1 - i));
          if (entry == null) learned = null;
          else if (learned != null) learned[i >> 1] = entry;
        }
        inValue = true;
        kv[i + 1] = read(depth + 1, rest + (kv.length - 2 - i));
        inValue = false;
      }
    } catch (PackordException e) {
      throw inValue ? e.inEntry(null, pathKey(kv[i])) : e;
    }
    if (guess != null) return newRecord(guess.definition, kv);
    if (learned != null) guesses.learn(place, learned);
    return newMap(kv);
  }

  private void checkedEntries(Object[] kv, int depth, long rest) {
    KeyChecker seen = new KeyChecker(canonical, kv.length / 2);
    for (int i = 0; i < kv.length; i += 2) {
      int from = pos;
      kv[i] = key(depth, rest + (kv.length - 1 - i));
      ErrorKind fault = seen.check(buf, from, pos, kv[i]);
      if (fault != null) throw error(fault, from, "");
      try {
        kv[i + 1] = read(depth, rest + (kv.length - 2 - i));
      } catch (PackordException e) {
        throw e.inEntry(null, pathKey(kv[i]));
      }
    }
  }

  private Object key(int depth, long rest) {
    int mark = pos;
    return newKey(read(depth, rest), mark);
  }

  /**
   * Reads a key that was read before, or will be remembered: short, well-formed. Else null. Keys
   * mostly come in the same order, so the one that followed {@code last} before is tried first.
   */
  private KeyCache.Entry cachedKey(KeyCache.Entry last) {
    int mark = pos;
    if (last != null && last.next != null && last.next.isAt(buf, mark, end)) {
      pos = mark + last.next.size;
      return last.next;
    }
    if (mark == end) return null;
    int size = KeyCache.size(buf, mark, end);
    if (size == 0 || size > end - mark) return null;
    KeyCache.Entry entry = keyCache.get(buf, mark, size, end);
    if (entry != null) {
      pos = mark + size;
    } else {
      String text = Utf8.decode(buf, mark + (size > 32 ? 2 : 1), mark + size);
      if (text == null) return null;
      pos = mark + size;
      entry = keyCache.put(buf, mark, size, newKey(text, mark));
    }
    if (last != null) last.next = entry;
    return entry;
  }

  // ---------------------------------------------------------------- records

  /** The structure that an id names, or null when the byte is an integer. */
  private Definition recordAt(int t, int mark, int depth) {
    Definition d;
    if (records.isTwoByte(t)) {
      need(1, mark);
      int high = buf[pos++] & 0xff;
      d = high == 0xff ? null : records.get(RecordReader.index(t, high));
      if (d == null) throw error(ErrorKind.RECORD_UNDEFINED, mark, "");
    } else {
      d = records.get(t - 0x40);
      if (d == null && options.undefinedRecordError) {
        throw error(ErrorKind.RECORD_UNDEFINED, mark, "");
      }
    }
    countNode(mark);
    if (d != null) {
      checkDepth(mark, depth);
      if (d.size() > options.maxMapLen) throw tooLong(mark, "a record of " + d.size());
    }
    return d;
  }

  /** Reads a definition if this ext is one, up to its keys; null leaves the ext unread. */
  private Definition definitionAt(int t, int mark, int depth, long rest) {
    int header = Marker.bytesAfter(t);
    need(header, mark);
    if (buf[mark + header] != Structure.EXT_TYPE) return null;
    pos += header;
    boolean two = t == Marker.FIXEXT2;
    if (!two && t != Marker.FIXEXT1) throw malformed(mark);
    need(two ? 2 : 1, mark);
    int low = buf[pos++] & 0xff;
    int high = two ? buf[pos++] & 0xff : -1;
    if (low < (two ? 0x60 : 0x40) || low > 0x7f || high == 0xff) throw malformed(mark);
    countNode(mark);
    checkDepth(mark, depth);
    Definition d = definedHere(mark, rest);
    records.define(low, high, d);
    return d;
  }

  private Object record(Definition d, int mark, int depth, long rest) {
    int n = d.size();
    need(rest + n, mark);
    Object[] kv = d.entries();
    int i = 0;
    try {
      for (; i < n; i++) {
        kv[2 * i + 1] = read(depth + 1, rest + (n - 1 - i));
      }
    } catch (PackordException e) {
      throw e.inEntry(null, pathKey(kv[2 * i]));
    }
    return d.repeatsKeys() ? newMap(kv) : newRecord(d, kv);
  }

  private PackordException malformed(int mark) {
    return error(ErrorKind.RECORD_MALFORMED, mark, "");
  }

  /** Reads the keys of a definition. */
  private Definition definedHere(int definition, long rest) {
    int mark = pos;
    need(1, mark);
    int t = buf[pos++] & 0xff;
    long n;
    if (t >= Marker.FIXARRAY && t < Marker.FIXSTR) n = t & 0xf;
    else if (t == Marker.ARRAY16) n = u16(mark);
    else if (t == Marker.ARRAY32) n = u32(mark);
    else throw malformed(definition);
    if (n > options.maxRecordKeys) throw tooLong(mark, "a structure of " + n + " keys");
    if (n > options.maxMapLen) throw tooLong(definition, "a record of " + n);
    need(rest + n, mark);
    Object[] keys = new Object[(int) n];
    KeyChecker seen = options.duplicateKeyError ? new KeyChecker(false, keys.length) : null;
    boolean allShort = keyCache != null;
    for (int i = 0; i < keys.length; i++) {
      int from = pos;
      need(1, from);
      KeyCache.Entry entry = keyCache == null ? null : cachedKey(null);
      keys[i] = entry != null ? entry.key : longKey(definition);
      allShort &= entry != null;
      if (seen != null && seen.check(buf, from, pos, keys[i]) != null) {
        throw error(ErrorKind.DUPLICATE_KEY, from, "");
      }
    }
    return allShort ? recentDefinition(keys) : definition(keys);
  }

  private Object longKey(int definition) {
    int mark = pos;
    int t = buf[pos++] & 0xff;
    long n;
    if (t >= Marker.FIXSTR && t < Marker.NIL) n = t & 0x1f;
    else if (t == Marker.STR8) n = u8(mark);
    else if (t == Marker.STR16) n = u16(mark);
    else if (t == Marker.STR32) n = u32(mark);
    else throw malformed(definition);
    return newKey(strictText(n, mark), mark);
  }

  /** A definition with these short keys; the same one again if it was made not long ago. */
  private Definition recentDefinition(Object[] keys) {
    int hash = keys.length;
    for (Object key : keys) hash = hash * 31 + System.identityHashCode(key);
    int slot = (hash ^ hash >>> 16) & DEFINITIONS - 1;
    Definition d = recentDefinitions[slot];
    if (d == null || !d.hasKeys(keys)) {
      d = definition(keys);
      recentDefinitions[slot] = d;
    }
    return d;
  }

  private Definition keys(List<String> texts) {
    Object[] keys = new Object[texts.size()];
    for (int i = 0; i < keys.length; i++) keys[i] = newKey(texts.get(i), pos);
    return definition(keys);
  }

  // ---------------------------------------------------------------- extensions

  @Override
  final Object registered(Extension e, ExtensionHeader header, int mark, int depth) {
    int outerDepth = payloadDepth;
    int outerMark = payloadMark;
    payloadDepth = depth;
    payloadMark = mark;
    Runnable leave = confine(header.getLength());
    try {
      return e.unpack(this, header);
    } catch (RuntimeException x) {
      throw error(ErrorKind.INVALID_EXT, mark, x.toString(), x);
    } finally {
      leave.run();
      payloadDepth = outerDepth;
      payloadMark = outerMark;
    }
  }

  @Override
  public final byte[] readPayload(int length) {
    byte[] payload = new byte[Math.max(0, Math.min(length, end - pos))];
    readPayload(payload);
    if (payload.length != length) need(length - payload.length, payloadMark);
    return payload;
  }

  @Override
  public final void readPayload(byte[] target) {
    need(target.length, payloadMark);
    System.arraycopy(buf, pos, target, 0, target.length);
    pos += target.length;
  }

  @Override
  public final Object unpackValue() {
    return read(payloadDepth, 0);
  }

  @Override
  public final int remaining() {
    return end - pos;
  }

  // ---------------------------------------------------------------- checks of each value

  /** What {@code maxNodes} and {@code canonical} ask of every value, when its header is whole. */
  private void checkValue(int mark, int t) {
    if (t == Marker.RESERVED) return;
    int after = Marker.bytesAfter(t);
    need(after, mark);
    if (records != null
        && (t >= 0x40 && t < 0x80 || Marker.isExt(t) && buf[mark + after] == Structure.EXT_TYPE)) {
      return;
    }
    countNode(mark);
    if (canonical && !CanonicalForm.isNumber(buf, mark + 1, t)) {
      throw error(ErrorKind.NOT_CANONICAL, mark, "");
    }
  }

  private void countNode(int mark) {
    if (++nodes > options.maxNodes) throw tooLong(mark, "more than " + options.maxNodes + " values");
  }

  // ---------------------------------------------------------------- what values become

  /** The value of an array; the elements may be kept. */
  protected Object newArray(Object[] a) {
    List<Object> list = new ArrayList<>(a.length);
    Collections.addAll(list, a);
    return list;
  }

  /** The value of a map, of keys and values in turn; of equal keys the last wins. */
  protected Object newMap(Object[] kv) {
    Map<Object, Object> m =
        HashGuard.isAttack(kv, Object::hashCode)
            ? new TreeMap<>(new KeyOrder(() -> new packord.encode.Encoder(KeyOrder.OPTIONS)))
            : new LinkedHashMap<>(Math.max(4, kv.length * 2 / 3 + 1));
    BinKeys.unify(kv);
    for (int i = 0; i < kv.length; i += 2) m.put(kv[i], kv[i + 1]);
    return m;
  }

  /** The value of a record whose keys are distinct. */
  protected Object newRecord(Definition d, Object[] kv) {
    return newMap(kv);
  }

  /** A definition with these keys. */
  protected Definition definition(Object[] keys) {
    return new Definition(keys);
  }

  /** What a key becomes, of the value that it is. */
  protected Object newKey(Object key, int mark) {
    return key;
  }

  /** A key as paths show it. */
  protected Object pathKey(Object key) {
    return key;
  }
}
