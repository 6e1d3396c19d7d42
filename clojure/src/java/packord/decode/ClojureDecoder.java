package packord.decode;

import clojure.lang.BigInt;
import clojure.lang.IFn;
import clojure.lang.Keyword;
import clojure.lang.LazilyPersistentVector;
import clojure.lang.PersistentVector;
import clojure.lang.Symbol;
import java.math.BigInteger;
import packord.ClojureException;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.record.Definition;

/** Builds Clojure's data: vectors, maps, and keys as strings, keywords or what a function says. */
public class ClojureDecoder extends Decoder {
  private static final KeyCache KEYWORDS = new KeyCache();

  private final boolean keywords;
  private final IFn keyFn;
  private HashGuard.Cost interned;

  /**
   * Makes a decoder.
   *
   * @param options the options
   * @param keywords whether str keys become keywords
   * @param keyFn maps every key, or null
   */
  public ClojureDecoder(Options options, boolean keywords, IFn keyFn) {
    super(options, keyFn != null ? null : keywords ? KEYWORDS : KeyCache.STRINGS);
    this.keywords = keywords;
    this.keyFn = keyFn;
  }

  @Override
  protected void begin() {
    interned = null;
  }

  @Override
  protected PackordException error(ErrorKind kind, int at, String detail, Throwable cause) {
    return new ClojureException(kind, offset(at), detail, null, cause);
  }

  @Override
  protected Object bigInteger(BigInteger v) {
    return BigInt.fromBigInteger(v);
  }

  @Override
  protected final Object newArray(Object[] a) {
    return a.length == 0 ? PersistentVector.EMPTY : LazilyPersistentVector.createOwning(a);
  }

  @Override
  protected final Object newMap(Object[] kv) {
    return ClojureMaps.create(kv);
  }

  @Override
  protected Object newRecord(Definition d, Object[] kv) {
    return ((Shape) d).create(kv);
  }

  @Override
  protected Definition definition(Object[] keys) {
    return new Shape(keys);
  }

  @Override
  protected Object newKey(Object key, int mark) {
    if (keyFn != null) return keyFn.invoke(key);
    return keywords && key instanceof String ? keyword((String) key, mark) : key;
  }

  @Override
  protected Object pathKey(Object key) {
    return key instanceof Keyword ? ((Keyword) key).sym.toString() : key;
  }

  /**
   * Clojure keeps all keywords of the process in one table that cannot be replaced, and that names
   * of one hash make slow for everyone. So a message that is full of them is refused.
   */
  private Keyword keyword(String name, int mark) {
    Symbol symbol = Symbol.intern(name);
    Keyword known = Keyword.find(symbol);
    if (known != null) return known;
    if (interned == null) interned = new HashGuard.Cost();
    if (interned.isAttack(symbol.hashCode())) {
      throw error(ErrorKind.LENGTH_LIMIT, mark, "keywords with colliding hashes");
    }
    return Keyword.intern(symbol);
  }
}
