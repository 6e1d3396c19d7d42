package packord.encode;

import clojure.lang.AFn;
import clojure.lang.BigInt;
import clojure.lang.IFn;
import clojure.lang.IKVReduce;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentVector;
import java.util.Map;
import packord.ClojureException;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.wire.Marker;

/** Writes Clojure's data: an {@link Encoder} that tells the common classes apart by identity. */
public final class ClojureEncoder extends Encoder {
  /** What becomes of keywords that are keys or values. */
  public enum Keywords {
    /** Keys are written as their names, values are an error. */
    KEYS,
    /** Keys and values are written as their names. */
    ALL,
    /** Keys are packed as values are, which are an error without an extension. */
    NONE
  }

  private final IFn keyFn;
  private final boolean namedKeys;
  private final boolean namedValues;

  /**
   * Makes an encoder.
   *
   * @param options the options
   * @param keyFn maps every key before it is written, or null
   * @param keywords what becomes of keywords
   */
  public ClojureEncoder(Options options, IFn keyFn, Keywords keywords) {
    super(options);
    this.keyFn = keyFn;
    this.namedKeys = keywords != Keywords.NONE;
    this.namedValues = keywords == Keywords.ALL;
  }

  @Override
  protected PackordException error(
      ErrorKind kind, String detail, Object culprit, Throwable cause) {
    return new ClojureException(kind, -1, detail, culprit, cause);
  }

  @Override
  public void write(Object o) {
    if (o == null) {
      put(Marker.NIL);
      return;
    }
    Class<?> c = o.getClass();
    if (extensions != null && packedByExtension(o, c)) return;
    if (c == String.class) {
      str((String) o);
    } else if (c == Long.class) {
      integer((Long) o);
    } else if (c == PersistentArrayMap.class) {
      if (keysFirst) map((PersistentArrayMap) o);
      else arrayMap((PersistentArrayMap) o);
    } else if (c == PersistentVector.class) {
      vector((PersistentVector) o);
    } else if (c == PersistentHashMap.class) {
      map((PersistentHashMap) o);
    } else if (c == Boolean.class) {
      put((Boolean) o ? Marker.TRUE : Marker.FALSE);
    } else if (c == Double.class) {
      float64OrSmaller((Double) o);
    } else if (c == Keyword.class) {
      if (!namedValues) throw keywordValue(o);
      keyword((Keyword) o);
    } else {
      writeCommon(o, c);
    }
  }

  private PackordException keywordValue(Object o) {
    return error(
        ErrorKind.UNSUPPORTED_TYPE,
        "the keyword " + o + "; use :keywords :string, or an extension",
        null,
        null);
  }

  @Override
  protected void number(Number n) {
    if (n instanceof BigInt) bigInteger(((BigInt) n).toBigInteger());
    else super.number(n);
  }

  private void vector(PersistentVector v) {
    enter(v);
    int n = v.count();
    arrayHeader(n);
    for (int i = 0; i < n; ) {
      Object[] chunk = v.arrayFor(i);
      int some = Math.min(n - i, chunk.length);
      elements(chunk, some, v, i);
      i += some;
    }
    leave();
  }

  @Override
  protected void writeKey(Object key) {
    Object k = keyFn == null ? key : keyFn.invoke(key);
    if (k != null && k.getClass() == Keyword.class && writesName(k)) keyword((Keyword) k);
    else write(k);
  }

  /** With a function of the user's own, an extension for keywords takes precedence. */
  private boolean writesName(Object k) {
    return namedKeys
        && (keyFn == null || extensions == null || extensions.forValue(k, Keyword.class) == null);
  }

  @Override
  protected String keyText(Object key) {
    Object k = keyFn == null ? key : keyFn.invoke(key);
    if (k instanceof String) return (String) k;
    return k instanceof Keyword && writesName(k) ? KeywordBytes.name((Keyword) k) : null;
  }

  private void keyword(Keyword k) {
    KeywordBytes known = KeywordBytes.get(k);
    if (known != null) {
      words(known.first, known.second, known.bytes, known.size);
    } else {
      int start = pos;
      str(KeywordBytes.name(k));
      KeywordBytes.put(k, buf, start, pos);
    }
  }

  /** Writes entries as they are met; the accumulator is their map. */
  private final class EntryWriter extends AFn {
    @Override
    public Object invoke(Object map, Object key, Object value) {
      writeKey(key);
      try {
        write(value);
      } catch (PackordException e) {
        throw inEntry(e, map, key);
      }
      return map;
    }
  }

  private final EntryWriter entryWriter = new EntryWriter();

  /**
   * Writes a small map without collecting its entries. In larger ones that would need too much of
   * the stack, as their tree of hashes is walked by recursion.
   */
  private void arrayMap(PersistentArrayMap m) {
    enter(m);
    mapHeader(m.count());
    m.kvreduce(entryWriter, m);
    leave();
  }

  /** Collects the entries of one map after another. */
  private final class Collector extends AFn {
    private Object[] kv;
    private int i;

    @Override
    public Object invoke(Object acc, Object key, Object value) {
      if (i == kv.length) throw changed();
      kv[i] = key;
      kv[i + 1] = value;
      i += 2;
      return acc;
    }
  }

  private final Collector collector = new Collector();

  @Override
  protected Object[] entries(Map<?, ?> m, int n) {
    if (!(m instanceof IKVReduce)) return super.entries(m, n);
    Object[] kv = new Object[2 * n];
    collector.kv = kv;
    collector.i = 0;
    ((IKVReduce) m).kvreduce(collector, null);
    collector.kv = null;
    if (collector.i != kv.length) throw changed();
    return kv;
  }
}
