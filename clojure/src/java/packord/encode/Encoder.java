package packord.encode;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.UUID;
import java.util.function.Consumer;
import packord.ErrorKind;
import packord.Ext;
import packord.Extension;
import packord.ExtensionPacker;
import packord.Options;
import packord.PackordException;
import packord.Timestamp;
import packord.ext.BigIntegers;
import packord.ext.ExtensionTable;
import packord.record.RecordWriter;
import packord.record.Structure;
import packord.wire.Marker;

/**
 * Writes values. This class knows what Java's own types become; {@link ClojureEncoder} adds
 * Clojure's. Not thread-safe: one message at a time.
 */
public class Encoder extends Output implements ExtensionPacker {
  private static final long CANONICAL_NAN = 0x7ff8000000000000L;

  /** The options. */
  protected final Options options;

  /** The handlers of extensions, or null. */
  protected final ExtensionTable extensions;

  private final RecordWriter records;
  private final boolean sorted;

  /** Whether all keys of a map must be known before its first is written. */
  protected final boolean keysFirst;

  private int depth;
  private int payloads;

  /** Makes an encoder. */
  public Encoder(Options options) {
    super(options.records, options.utf8 == Options.Utf8.REPLACE);
    this.options = options;
    this.extensions = options.extensions.isEmpty() ? null : new ExtensionTable(options.extensions);
    this.records = options.records ? new RecordWriter(options) : null;
    this.sorted = options.sortKeys || options.canonical;
    this.keysFirst = sorted || records != null;
  }

  @Override
  protected PackordException error(
      ErrorKind kind, String detail, Object culprit, Throwable cause) {
    return new PackordException(kind, -1, detail, culprit, cause);
  }

  /**
   * Appends one message. After an error the output, and the structures of records, are as before.
   *
   * @throws PackordException when the value cannot be packed
   */
  public final void message(Object value) {
    int start = pos;
    boolean done = false;
    while (!done) {
      if (records != null) records.begin();
      depth = 0;
      payloads = 0;
      try {
        write(value);
        done = records == null || records.commit();
      } catch (StackOverflowError e) {
        throw error(ErrorKind.DEPTH_LIMIT, "the thread's stack is too small", null, null);
      } finally {
        if (!done) {
          pos = start;
          if (records != null) records.rollback();
        }
      }
    }
  }

  /** Forgets the output and what a sequential stream has defined. */
  public final void release() {
    reset();
    if (records != null) records.forget();
  }

  /** Writes any value. */
  public void write(Object o) {
    if (o == null) {
      put(Marker.NIL);
      return;
    }
    Class<?> c = o.getClass();
    if (extensions != null && packedByExtension(o, c)) return;
    if (c == String.class) {
      str((String) o);
    } else {
      writeCommon(o, c);
    }
  }

  /** Writes a key of a map. */
  protected void writeKey(Object key) {
    write(key);
  }

  /** The text that a key is written as, or null when it is no str. */
  protected String keyText(Object key) {
    return key instanceof String ? (String) key : null;
  }

  /** Has a registered extension pack the value, if one wants it. */
  protected final boolean packedByExtension(Object o, Class<?> c) {
    Extension e = extensions.forValue(o, c);
    if (e == null) return false;
    try {
      e.pack(this, o);
    } catch (PackordException x) {
      throw x;
    } catch (RuntimeException x) {
      throw error(ErrorKind.UNSUPPORTED_TYPE, "the extension for " + c + " failed: " + x, null, x);
    }
    return true;
  }

  /** Writes a value that is neither nil nor a String. */
  protected final void writeCommon(Object o, Class<?> c) {
    if (o instanceof Number) {
      number((Number) o);
    } else if (c == Boolean.class) {
      put((Boolean) o ? Marker.TRUE : Marker.FALSE);
    } else if (o instanceof Map) {
      map((Map<?, ?>) o);
    } else if (o instanceof Collection) {
      collection((Collection<?>) o);
    } else {
      writeOther(o, c);
    }
  }

  private void writeOther(Object o, Class<?> c) {
    if (c == byte[].class) {
      bin((byte[]) o, 0, ((byte[]) o).length);
    } else if (c.isArray()) {
      array(o);
    } else if (o instanceof Instant) {
      timestamp(((Instant) o).getEpochSecond(), ((Instant) o).getNano());
    } else if (o instanceof Date) {
      date((Date) o);
    } else if (o instanceof UUID) {
      str(o.toString());
    } else if (c == Ext.class) {
      packExtension(((Ext) o).type(), ((Ext) o).data());
    } else if (c == Timestamp.class) {
      timestamp(((Timestamp) o).seconds(), ((Timestamp) o).nanos());
    } else if (o instanceof ByteBuffer) {
      byteBuffer(((ByteBuffer) o).duplicate());
    } else if (o instanceof Iterable) {
      List<Object> all = new ArrayList<>();
      ((Iterable<?>) o).forEach(all::add);
      collection(all);
    } else {
      throw unsupported(o);
    }
  }

  /** The error for a value that has no encoding. */
  protected final PackordException unsupported(Object o) {
    return error(ErrorKind.UNSUPPORTED_TYPE, o.getClass().getName(), null, null);
  }

  /** Writes a number of Java's own types. */
  protected void number(Number n) {
    if (n instanceof Long || n instanceof Integer || n instanceof Short || n instanceof Byte) {
      integer(n.longValue());
    } else if (n instanceof Double) {
      float64OrSmaller((Double) n);
    } else if (n instanceof Float) {
      if (options.canonical) float64OrSmaller((Float) n);
      else float32((Float) n);
    } else if (n instanceof BigInteger) {
      bigInteger((BigInteger) n);
    } else {
      throw unsupported(n);
    }
  }

  /** Writes a double as the options want it. */
  protected final void float64OrSmaller(double v) {
    if (options.canonical && v != v) {
      float64(Double.longBitsToDouble(CANONICAL_NAN));
    } else if (options.float32 && survivesFloat32(v)) {
      float32((float) v);
    } else {
      float64(v);
    }
  }

  private static boolean survivesFloat32(double v) {
    return Double.doubleToRawLongBits((float) v) == Double.doubleToRawLongBits(v);
  }

  /** Writes an integer of any size. */
  protected final void bigInteger(BigInteger n) {
    if (!options.bigint && !BigIntegers.isWithin64Bits(n)) {
      String detail = n.bitLength() + " bits, without the option bigint";
      throw error(ErrorKind.OUT_OF_RANGE, detail, null, null);
    }
    packBigInteger(n);
  }

  @Override
  public final void packBigInteger(BigInteger n) {
    if (n.bitLength() < 64) {
      integer(n.longValue());
    } else if (BigIntegers.isWithin64Bits(n)) {
      unsigned64(n.longValue());
    } else {
      packExtension(BigIntegers.TYPE, n.toByteArray());
    }
  }

  private void date(Date d) {
    long ms = d.getTime();
    timestamp(Math.floorDiv(ms, 1000L), (int) Math.floorMod(ms, 1000L) * 1_000_000);
  }

  private void byteBuffer(ByteBuffer b) {
    byte[] bytes = new byte[b.remaining()];
    b.get(bytes);
    bin(bytes, 0, bytes.length);
  }

  /** Opens a container, which counts for depth. */
  protected final void enter(Object container) {
    if (++depth > options.maxDepth) {
      throw error(
          ErrorKind.DEPTH_LIMIT, "deeper than " + options.maxDepth + " containers", container, null);
    }
  }

  /** Closes a container. */
  protected final void leave() {
    depth--;
  }

  private void collection(Collection<?> list) {
    enter(list);
    int n = list.size();
    arrayHeader(n);
    int i = 0;
    try {
      if (list instanceof List && list instanceof RandomAccess) {
        for (; i < n; i++) write(((List<?>) list).get(i));
      } else {
        for (Object x : list) {
          write(x);
          i++;
        }
      }
    } catch (PackordException e) {
      throw e.inElement(list, i);
    }
    if (i != n) throw changed();
    leave();
  }

  /** Writes {@code n} elements of {@code a}, which stand at {@code base} in {@code list}. */
  protected final void elements(Object[] a, int n, Object list, int base) {
    int i = 0;
    try {
      for (; i < n; i++) write(a[i]);
    } catch (PackordException e) {
      throw e.inElement(list, base + i);
    }
  }

  private void array(Object a) {
    enter(a);
    int n = Array.getLength(a);
    if (a instanceof char[]) throw unsupported(a);
    arrayHeader(n);
    if (a instanceof Object[]) {
      elements((Object[]) a, n, a, 0);
    } else if (a instanceof long[]) {
      for (long x : (long[]) a) integer(x);
    } else if (a instanceof double[]) {
      for (double x : (double[]) a) float64OrSmaller(x);
    } else {
      for (int i = 0; i < n; i++) write(Array.get(a, i));
    }
    leave();
  }

  /**
   * Writes a map as a record, sorted, or plain in its own order. Its entries are collected first,
   * which keeps the way from one container to the next short, on the stack too.
   */
  protected final void map(Map<?, ?> m) {
    enter(m);
    int n = m.size();
    Object[] kv = entries(m, n);
    byte[][] packedKeys = sorted && n > 1 ? sort(kv) : null;
    Structure s = records != null && payloads == 0 ? structure(kv) : null;
    if (s == null || !recordHeader(s)) {
      mapHeader(n);
      s = null;
    }
    int i = 0;
    boolean inValue = false;
    try {
      for (; i < kv.length; i += 2) {
        if (s == null) {
          if (packedKeys == null) writeKey(kv[i]);
          else raw(packedKeys[i >> 1], 0, packedKeys[i >> 1].length);
        }
        inValue = true;
        write(kv[i + 1]);
        inValue = false;
      }
    } catch (PackordException e) {
      throw inValue ? inEntry(e, m, kv[i]) : e;
    }
    leave();
  }

  /** The {@code n} keys and values of a map in turn. */
  protected Object[] entries(Map<?, ?> m, int n) {
    Object[] kv = new Object[2 * n];
    int i = 0;
    for (Map.Entry<?, ?> e : m.entrySet()) {
      if (i == kv.length) throw changed();
      kv[i] = e.getKey();
      kv[i + 1] = e.getValue();
      i += 2;
    }
    if (i != kv.length) throw changed();
    return kv;
  }

  /** The error for a collection that has more or fewer elements than it said. */
  protected final PackordException changed() {
    return error(ErrorKind.UNSUPPORTED_TYPE, "a collection that changed meanwhile", null, null);
  }

  /** The error with the place in a map where it happened. */
  protected final PackordException inEntry(PackordException e, Object map, Object key) {
    String text = keyText(key);
    return e.inEntry(map, text != null ? text : key);
  }

  /** Sorts keys and values in place; returns the packed keys. */
  private byte[][] sort(Object[] kv) {
    KeySorter sorter = new KeySorter(kv.length / 2);
    int start = pos;
    for (int i = 0; i < kv.length; i += 2) {
      writeKey(kv[i]);
      sorter.add(Arrays.copyOfRange(buf, start, pos), kv[i], kv[i + 1]);
      pos = start;
    }
    boolean distinct = sorter.sortInto(kv);
    if (!distinct && options.canonical) {
      throw error(ErrorKind.DUPLICATE_KEY, "two keys that are written alike", null, null);
    }
    return sorter.packedKeys();
  }

  /** The structure of a map's keys, or null when it makes no record. */
  private Structure structure(Object[] kv) {
    if (kv.length == 0 || kv.length / 2 > options.maxRecordKeys) return null;
    RecordWriter.Node node = records.root();
    for (int i = 0; i < kv.length && node != null; i += 2) {
      RecordWriter.Node known = node.known(kv[i]);
      node = known != null ? known : records.add(node, kv[i], keyText(kv[i]));
    }
    return records.structure(node);
  }

  /** Writes the id of a structure, with its definition if it has none yet; false: write a map. */
  private boolean recordHeader(Structure s) {
    RecordWriter.Use use = records.use(s);
    if (use == RecordWriter.Use.PLAIN) return false;
    if (use == RecordWriter.Use.DEFINE) {
      extHeader(Structure.EXT_TYPE, records.idLength(s));
    }
    int id = records.id(s);
    put(id & 0xff);
    if (records.idLength(s) == 2) put(id >> 8);
    if (use == RecordWriter.Use.DEFINE) definedKeys(s);
    return true;
  }

  private void definedKeys(Structure s) {
    byte[] packed = s.packedKeys();
    if (packed != null) {
      raw(packed, 0, packed.length);
    } else {
      int start = pos;
      arrayHeader(s.size());
      for (String key : s.keys()) str(key);
      s.rememberPacked(Arrays.copyOfRange(buf, start, pos));
    }
  }

  /** While records are on, readers take the ext type of definitions for one. */
  private void checkType(int type) {
    if (records != null && type == Structure.EXT_TYPE) {
      throw error(ErrorKind.UNSUPPORTED_TYPE, "ext type 0x72 while records are on", null, null);
    }
  }

  @Override
  public final void packExtension(int type, byte[] payload) {
    checkType(type);
    extHeader(type, payload.length);
    raw(payload, 0, payload.length);
  }

  @Override
  public final void packExtensionOf(int type, Consumer<ExtensionPacker> content) {
    checkType(type);
    int start = pos;
    payloads++;
    content.accept(this);
    payloads--;
    wrapExtension(type, start);
  }

  @Override
  public final void packValue(Object value) {
    write(value);
  }

  @Override
  public final void packExtensionTypeHeader(byte type, int length) {
    checkType(type);
    extHeader(type, length);
  }

  @Override
  public final void writePayload(byte[] payload) {
    raw(payload, 0, payload.length);
  }
}
