package packord.decode;

import clojure.lang.AFn;
import clojure.lang.IMapEntry;
import clojure.lang.IPersistentMap;
import clojure.lang.ITransientAssociative2;
import clojure.lang.ITransientMap;

/**
 * A transient map that keeps a sorted one, for keys whose hashes collide. Clojure's own sorted maps cannot be
 * transient.
 */
final class TransientSortedMap extends AFn implements ITransientMap, ITransientAssociative2 {
    private IPersistentMap map;

    TransientSortedMap(IPersistentMap map) {
        this.map = map;
    }

    private IPersistentMap open() {
        if (map == null) throw new IllegalAccessError("Transient used after persistent! call");
        return map;
    }

    @Override
    public ITransientMap assoc(Object key, Object value) {
        map = open().assoc(key, value);
        return this;
    }

    @Override
    public ITransientMap without(Object key) {
        map = open().without(key);
        return this;
    }

    @Override
    public ITransientMap conj(Object entry) {
        map = (IPersistentMap) open().cons(entry);
        return this;
    }

    @Override
    public IPersistentMap persistent() {
        IPersistentMap result = open();
        map = null;
        return result;
    }

    @Override
    public Object valAt(Object key) {
        return open().valAt(key);
    }

    @Override
    public Object valAt(Object key, Object notFound) {
        return open().valAt(key, notFound);
    }

    @Override
    public boolean containsKey(Object key) {
        return open().containsKey(key);
    }

    @Override
    public IMapEntry entryAt(Object key) {
        return open().entryAt(key);
    }

    @Override
    public int count() {
        return open().count();
    }

    @Override
    public Object invoke(Object key) {
        return valAt(key);
    }

    @Override
    public Object invoke(Object key, Object notFound) {
        return valAt(key, notFound);
    }
}
