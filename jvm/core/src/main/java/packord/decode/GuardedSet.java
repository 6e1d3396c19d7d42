package packord.decode;

import clojure.lang.APersistentSet;
import clojure.lang.IPersistentCollection;
import clojure.lang.IPersistentMap;
import clojure.lang.IPersistentSet;
import clojure.lang.PersistentHashSet;

/** A Clojure set for elements whose hashes collide: the keys of a sorted map. */
final class GuardedSet extends APersistentSet {
    private static final long serialVersionUID = 1L;

    private final IPersistentMap elements;

    GuardedSet(IPersistentMap elements) {
        super(elements);
        this.elements = elements;
    }

    @Override
    public IPersistentSet disjoin(Object key) {
        return contains(key) ? new GuardedSet(elements.without(key)) : this;
    }

    @Override
    public IPersistentSet cons(Object value) {
        return contains(value) ? this : new GuardedSet(elements.assoc(value, value));
    }

    @Override
    public IPersistentCollection empty() {
        return PersistentHashSet.EMPTY;
    }
}
