package packord.decode;

import clojure.lang.APersistentMap;
import clojure.lang.IEditableCollection;
import clojure.lang.IMapEntry;
import clojure.lang.IObj;
import clojure.lang.IPersistentCollection;
import clojure.lang.IPersistentMap;
import clojure.lang.ISeq;
import clojure.lang.ITransientCollection;
import clojure.lang.MapEntry;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentTreeMap;
import clojure.lang.RT;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Clojure map for keys whose hashes collide: a sorted tree that never changes. Maps that are made from it are
 * Clojure's own sorted maps, in the same order.
 */
final class GuardedMap extends APersistentMap implements IObj, IEditableCollection {
    private static final long serialVersionUID = 1L;

    private final IPersistentMap meta;
    private final TreeMap<Object, Object> entries;

    private GuardedMap(IPersistentMap meta, TreeMap<Object, Object> entries) {
        this.meta = meta;
        this.entries = entries;
    }

    /** Returns the map of keys and values in turn; of equal keys the last value wins. */
    static GuardedMap create(Object[] kv, Comparator<Object> order) {
        TreeMap<Object, Object> entries = new TreeMap<>(order);
        for (int i = 0; i < kv.length; i += 2) entries.put(kv[i], kv[i + 1]);
        return new GuardedMap(null, entries);
    }

    private IPersistentMap sorted() {
        IPersistentMap map = new PersistentTreeMap(meta, entries.comparator());
        for (Map.Entry<Object, Object> entry : entries.entrySet()) {
            map = map.assoc(entry.getKey(), entry.getValue());
        }
        return map;
    }

    @Override
    public IPersistentMap assoc(Object key, Object value) {
        return sorted().assoc(key, value);
    }

    @Override
    public IPersistentMap assocEx(Object key, Object value) {
        return sorted().assocEx(key, value);
    }

    @Override
    public IPersistentMap without(Object key) {
        return sorted().without(key);
    }

    @Override
    public boolean containsKey(Object key) {
        return entries.containsKey(key);
    }

    @Override
    public IMapEntry entryAt(Object key) {
        Map.Entry<Object, Object> entry = entries.floorEntry(key);
        boolean found = entry != null && entries.comparator().compare(entry.getKey(), key) == 0;
        return found ? MapEntry.create(entry.getKey(), entry.getValue()) : null;
    }

    @Override
    public Object valAt(Object key) {
        return entries.get(key);
    }

    @Override
    public Object valAt(Object key, Object notFound) {
        Object value = entries.get(key);
        return value != null || entries.containsKey(key) ? value : notFound;
    }

    @Override
    public int count() {
        return entries.size();
    }

    @Override
    public IPersistentCollection empty() {
        return PersistentArrayMap.EMPTY.withMeta(meta);
    }

    @Override
    public Iterator<Object> iterator() {
        Iterator<Map.Entry<Object, Object>> it =
                Collections.unmodifiableMap(entries).entrySet().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return it.hasNext();
            }

            @Override
            public Object next() {
                Map.Entry<Object, Object> entry = it.next();
                return MapEntry.create(entry.getKey(), entry.getValue());
            }
        };
    }

    @Override
    public ISeq seq() {
        return entries.isEmpty() ? null : RT.chunkIteratorSeq(iterator());
    }

    @Override
    public ITransientCollection asTransient() {
        return new TransientSortedMap(sorted());
    }

    @Override
    public IPersistentMap meta() {
        return meta;
    }

    @Override
    public IObj withMeta(IPersistentMap newMeta) {
        return new GuardedMap(newMeta, entries);
    }
}
