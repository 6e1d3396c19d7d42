package packord.decode;

import clojure.lang.BigInt;
import clojure.lang.IFn;
import clojure.lang.IPersistentMap;
import clojure.lang.IPersistentVector;
import clojure.lang.Keyword;
import clojure.lang.LazilyPersistentVector;
import clojure.lang.PersistentVector;
import clojure.lang.Symbol;
import java.math.BigInteger;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import packord.ClojureException;
import packord.ErrorKind;
import packord.record.Shape;
import packord.wire.Utf8;

/** Builds Clojure's data. Keys become strings, keywords, or the results of a function. */
public class ClojureHost extends Host {
    private static final KeyCache KEYWORDS = new KeyCache();

    /** The keywords of payloads, by the bytes of their names. */
    private static final KeyCache PAYLOADS = new KeyCache();

    private final boolean keywords;
    private final IFn keyFn;
    private HashGuard.Cost interned;
    private Set<Keyword> made;
    private Keyword lastOfPayload;

    /** Makes a host. The function, or null, maps every key that does not become a keyword. */
    public ClojureHost(boolean keywords, IFn keyFn) {
        super(keywords ? KEYWORDS : keyFn != null ? null : KeyCache.STRINGS);
        this.keywords = keywords;
        this.keyFn = keyFn;
    }

    @Override
    void begin() {
        interned = null;
        made = null;
        lastOfPayload = null;
    }

    @Override
    boolean runsProgram() {
        return keyFn != null;
    }

    /** An extension may make keywords by any function, so that the rule holds for its results. */
    @Override
    Object newValue(Object unpacked, int markerOffset) {
        if (unpacked instanceof Keyword && unpacked != lastOfPayload) guard((Keyword) unpacked, markerOffset);
        return unpacked;
    }

    @Override
    RuntimeException fault(ErrorKind kind, long offset, String detail, Throwable cause) {
        return new ClojureException(kind, offset, detail, null, cause);
    }

    @Override
    protected Object bigInteger(BigInteger value) {
        return BigInt.fromBigInteger(value);
    }

    @Override
    boolean isShared(Object value) {
        if (super.isShared(value) || value instanceof Keyword || value instanceof BigInt) return true;
        if (value instanceof IPersistentVector) {
            for (Object element : (Iterable<?>) value) if (!isShared(element)) return false;
            return true;
        }
        if (!(value instanceof IPersistentMap)) return false;
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
            if (!isShared(entry.getKey()) || !isShared(entry.getValue())) return false;
        }
        return true;
    }

    @Override
    final Object newArray(Object[] elements) {
        if (elements.length == 0) return PersistentVector.EMPTY;
        return LazilyPersistentVector.createOwning(elements);
    }

    @Override
    final Object newMap(Object[] kv) {
        return ClojureMaps.create(kv);
    }

    @Override
    final Object newSet(Object[] elements) {
        return ClojureMaps.set(elements);
    }

    @Override
    Object newRecord(Shape shape, Object[] kv) {
        return ((ClojureShape) shape).create(kv);
    }

    @Override
    Shape newShape(Object[] keys) {
        return new ClojureShape(keys);
    }

    @Override
    Object newKey(Object key, int markerOffset) {
        if (keywords && key instanceof String) return keyword((String) key, markerOffset);
        if (keyFn == null) return key;
        Object mapped = keyFn.invoke(key);
        if (mapped instanceof Keyword) guard((Keyword) mapped, markerOffset);
        return mapped;
    }

    /** No keyword is made of a string that an extension returns, because it was not a str. */
    @Override
    Object newExtKey(Object key, int markerOffset) {
        return keywords && key instanceof String ? key : newKey(key, markerOffset);
    }

    @Override
    Object pathKey(Object key) {
        return key instanceof Keyword ? ((Keyword) key).sym.toString() : key;
    }

    /**
     * Returns the keyword of a name. Clojure keeps all keywords of the process in one table, and names that share a
     * hash make that table slow for everyone. So a message full of such names is refused, and so is a new one of a hash
     * that earlier messages have used up.
     */
    private Keyword keyword(String name, int markerOffset) {
        Symbol symbol = Symbol.intern(name);
        Keyword known = Keyword.find(symbol);
        if (known != null) return known;
        addCost(symbol, markerOffset);
        if (HashGuard.KEYWORDS.isAttack(symbol.hashCode())) throw collides(markerOffset);
        return Keyword.intern(symbol);
    }

    /** Refuses the keyword that a function has made, if it is one of many that share a hash. */
    private void guard(Keyword keyword, int markerOffset) {
        if (made == null) made = Collections.newSetFromMap(new IdentityHashMap<>());
        if (made.add(keyword)) addCost(keyword.sym, markerOffset);
    }

    private void addCost(Symbol symbol, int markerOffset) {
        if (interned == null) interned = new HashGuard.Cost();
        if (interned.isAttack(symbol.hashCode())) throw collides(markerOffset);
    }

    private RuntimeException collides(int markerOffset) {
        return reader.error(ErrorKind.LENGTH_LIMIT, markerOffset, "keywords with colliding hashes");
    }

    /** Returns the keyword that the payload of the ext at an index names, or null if it is empty or not UTF-8. */
    public final Keyword payloadKeyword(int markerOffset) {
        byte[] buf = reader.buf;
        int from = reader.pos;
        int end = reader.end;
        int size = end - from;
        boolean kept = size > 0 && size <= KeyCache.MAX_BYTES;
        KeyCache.Entry known = kept ? PAYLOADS.get(buf, from, size, end) : null;
        if (known != null) {
            lastOfPayload = (Keyword) known.key;
            return lastOfPayload;
        }
        String name = Utf8.decode(buf, from, end);
        if (name == null || name.isEmpty()) return null;
        lastOfPayload = keyword(name, markerOffset);
        if (kept) PAYLOADS.put(buf, from, size, lastOfPayload);
        return lastOfPayload;
    }
}
