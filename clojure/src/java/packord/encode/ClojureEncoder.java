package packord.encode;

import clojure.lang.AFn;
import clojure.lang.BigInt;
import clojure.lang.IFn;
import clojure.lang.IKVReduce;
import clojure.lang.IPersistentMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentVector;
import java.util.Map;
import packord.ClojureException;
import packord.ErrorKind;
import packord.KeywordMode;
import packord.Options;
import packord.PackordException;
import packord.ext.NamedValues;
import packord.wire.Marker;

/** Writes Clojure's data: an {@link Encoder} that tells the common classes apart by identity. */
public final class ClojureEncoder extends Encoder {
  private final IFn keyFn;
  private final boolean namedKeys;
  private final boolean namedValues;
  private final boolean stringsApart;

  /**
   * Makes an encoder.
   *
   * @param options the options
   * @param keyFn maps every key before it is written, or null
   * @param keywords how keywords are packed
   */
  public ClojureEncoder(Options options, IFn keyFn, KeywordMode keywords) {
    super(options);
    this.keyFn = keyFn;
    this.namedKeys = keywords != KeywordMode.NONE;
    this.namedValues = keywords == KeywordMode.ALL;
    this.stringsApart = keywords == KeywordMode.EXACT;
  }

  @Override
  PackordException error(
      ErrorKind kind, String detail, Object culprit, Throwable cause) {
    return new ClojureException(kind, -1, detail, culprit, cause);
  }

  @Override
  void write(Object value) {
    if (value == null) {
      put(Marker.NIL);
      return;
    }
    Class<?> type = value.getClass();
    if (extensions != null && packedByExtension(value, type)) return;
    if (type == String.class) {
      str((String) value);
    } else if (type == Long.class) {
      integer((Long) value);
    } else if (type == PersistentArrayMap.class) {
      if (keysFirst) map((PersistentArrayMap) value);
      else arrayMap((PersistentArrayMap) value);
    } else if (type == PersistentVector.class) {
      vector((PersistentVector) value);
    } else if (type == PersistentHashMap.class) {
      map((PersistentHashMap) value);
    } else if (type == Boolean.class) {
      put((Boolean) value ? Marker.TRUE : Marker.FALSE);
    } else if (type == Double.class) {
      float64OrSmaller((Double) value);
    } else if (type == Keyword.class) {
      if (!namedValues) throw keywordValue(value);
      keyword((Keyword) value);
    } else {
      writeCommon(value, type);
    }
  }

  private PackordException keywordValue(Object value) {
    return error(
        ErrorKind.UNSUPPORTED_TYPE,
        "keyword " + value + " without :keywords :string or an extension");
  }

  @Override
  void number(Number value) {
    if (value instanceof BigInt) bigInteger(((BigInt) value).toBigInteger());
    else super.number(value);
  }

  private void vector(PersistentVector vector) {
    enter(vector);
    int size = vector.count();
    arrayHeader(size);
    for (int i = 0; i < size; ) {
      Object[] chunk = vector.arrayFor(i);
      int some = Math.min(size - i, chunk.length);
      elements(chunk, some, vector, i);
      i += some;
    }
    leave();
  }

  @Override
  void writeKey(Object key) {
    Object mapped = keyFn == null ? key : keyFn.invoke(key);
    if (mapped != null && mapped.getClass() == Keyword.class && writesName(mapped)) {
      keyword((Keyword) mapped);
    } else if (stringsApart && mapped instanceof String) {
      stringApart((String) mapped);
    } else if (mapped instanceof Keyword && !isPacked((Keyword) mapped)) {
      String detail = "keyword " + mapped + " as a key without :key-fn true or an extension";
      throw error(ErrorKind.UNSUPPORTED_TYPE, detail);
    } else {
      super.writeKey(mapped);
    }
  }

  /** Writes a string that no reader takes for the name of a keyword. */
  private void stringApart(String key) {
    hold();
    enter(null);
    int start = beginExtension();
    put(Marker.NIL);
    str(key);
    endExtension(NamedValues.TYPE, start);
    leave();
    letGo();
  }

  private boolean isPacked(Keyword value) {
    return namedValues || extensions != null && extensions.forValue(value, Keyword.class) != null;
  }

  /** With a key function of the user's own, an extension for keywords takes precedence. */
  private boolean writesName(Object key) {
    return namedKeys
        && (keyFn == null || extensions == null || extensions.forValue(key, Keyword.class) == null);
  }

  @Override
  String keyName(Object key) {
    Object mapped = keyFn == null ? key : keyFn.invoke(key);
    if (mapped instanceof String) return stringsApart ? null : (String) mapped;
    return mapped instanceof Keyword && writesName(mapped)
        ? KeywordBytes.name((Keyword) mapped)
        : null;
  }

  private void keyword(Keyword keyword) {
    KeywordBytes known = KeywordBytes.get(keyword);
    if (known != null) {
      words(known.first, known.second, known.bytes, known.size);
    } else {
      hold();
      int start = pos;
      str(KeywordBytes.name(keyword));
      KeywordBytes.put(keyword, buf, start, pos);
      letGo();
    }
  }

  /** Writes entries one by one; the accumulator is their map. */
  private final class EntryWriter extends AFn {
    @Override
    public Object invoke(Object map, Object key, Object value) {
      writeKey(key);
      try {
        write(value);
      } catch (PackordException error) {
        throw inEntry(error, map, key);
      }
      return map;
    }
  }

  private final EntryWriter entryWriter = new EntryWriter();

  /**
   * Writes a small map without collecting its entries. A larger map would take too much of the
   * stack, because Clojure walks its tree of hashes by recursion.
   */
  private void arrayMap(PersistentArrayMap map) {
    enter(map);
    mapHeader(map.count());
    map.kvreduce(entryWriter, map);
    leave();
  }

  /** Collects the entries of one map after another. */
  private final class Collector extends AFn {
    private Object[] kv;
    private int count;
    private int index;

    @Override
    public Object invoke(Object acc, Object key, Object value) {
      if (index == count) throw changed();
      kv[index] = key;
      kv[index + 1] = value;
      index += 2;
      return acc;
    }
  }

  private final Collector collector = new Collector();

  /**
   * A map of Clojure's that cannot be reduced, a record above all, is walked by its iterator, which
   * keeps the order of the record's fields. The order of its entry set depends on the values.
   */
  @Override
  Iterable<?> entriesOf(Map<?, ?> map) {
    return map instanceof IPersistentMap ? (IPersistentMap) map : super.entriesOf(map);
  }

  @Override
  void entries(Map<?, ?> map, Object[] kv, int count) {
    if (!(map instanceof IKVReduce)) {
      super.entries(map, kv, count);
      return;
    }
    collector.kv = kv;
    collector.count = count;
    collector.index = 0;
    ((IKVReduce) map).kvreduce(collector, null);
    collector.kv = null;
    if (collector.index != count) throw changed();
  }
}
