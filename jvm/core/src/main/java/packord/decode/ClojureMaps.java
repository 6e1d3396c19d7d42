package packord.decode;

import clojure.lang.IPersistentMap;
import clojure.lang.ITransientMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentHashSet;
import clojure.lang.RT;
import clojure.lang.Util;
import java.util.Arrays;
import java.util.Comparator;
import packord.KeywordMode;
import packord.encode.ClojureEncoder;

/** Makes Clojure's maps and sets from arrays. As with literals, small maps keep their order. */
public final class ClojureMaps {
    private static final int ARRAY_MAP = 16;
    private static final Comparator<Object> ORDER =
            new KeyOrder(() -> new ClojureEncoder(KeyOrder.OPTIONS, null, KeywordMode.VALUES, true).keepingFloats());

    private ClojureMaps() {}

    /** Returns a map. Of equal keys the last value wins; the array may be kept. */
    static IPersistentMap create(Object[] kv) {
        if (kv.length == 0) return PersistentArrayMap.EMPTY;
        if (kv.length <= ARRAY_MAP) return new PersistentArrayMap(distinct(kv));
        BinKeys.unify(kv);
        if (HashGuard.isAttack(kv, Util::hasheq)) return GuardedMap.create(kv, ORDER);
        if (kv.length >= 2 * LargeMap.SIZE) return LargeMap.create(kv);
        return fill(PersistentHashMap.EMPTY, kv);
    }

    /** Returns the map with all entries of {@code kv} added. */
    static IPersistentMap fill(PersistentHashMap base, Object[] kv) {
        ITransientMap map = (ITransientMap) base.asTransient();
        for (int i = 0; i < kv.length; i += 2) map = map.assoc(kv[i], kv[i + 1]);
        return map.persistent();
    }

    private static Object[] distinct(Object[] kv) {
        int size = 2;
        for (int i = 2; i < kv.length; i += 2) {
            Object key = kv[i];
            int twin = find(kv, size, key);
            if (twin >= 0) {
                kv[twin + 1] = kv[i + 1];
            } else {
                kv[size] = key;
                kv[size + 1] = kv[i + 1];
                size += 2;
            }
        }
        return size == kv.length ? kv : Arrays.copyOf(kv, size);
    }

    private static int find(Object[] kv, int size, Object key) {
        if (key instanceof Keyword) {
            for (int j = 0; j < size; j += 2) if (kv[j] == key) return j;
        } else if (key instanceof String) {
            for (int j = 0; j < size; j += 2) if (kv[j] == key || key.equals(kv[j])) return j;
        } else if (key instanceof byte[]) {
            for (int j = 0; j < size; j += 2) {
                if (kv[j] instanceof byte[] && Arrays.equals((byte[]) key, (byte[]) kv[j])) return j;
            }
        } else {
            for (int j = 0; j < size; j += 2) if (Util.equiv(key, kv[j])) return j;
        }
        return -1;
    }

    public static Object set(Object elements) {
        Object[] distinct = RT.toArray(elements);
        Object[] kv = new Object[2 * distinct.length];
        for (int i = 0; i < distinct.length; i++) {
            kv[2 * i] = distinct[i];
            kv[2 * i + 1] = distinct[i];
        }
        return HashGuard.isAttack(kv, Util::hasheq)
                ? new GuardedSet(GuardedMap.create(kv, ORDER))
                : PersistentHashSet.create(distinct);
    }
}
