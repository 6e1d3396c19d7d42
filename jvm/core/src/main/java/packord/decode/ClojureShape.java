package packord.decode;

import clojure.lang.IPersistentMap;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import packord.record.Shape;

/**
 * The shape of Clojure's maps. Larger maps begin as copies of a map with all the keys, so that each value is put in its
 * place without building the tree of hashes again.
 */
final class ClojureShape extends Shape {
    /** Arrays of keys and values up to this length become array maps. */
    static final int SMALL = 16;

    private PersistentHashMap template;

    ClojureShape(Object[] keys) {
        super(keys);
    }

    /** Returns the map of {@code kv}, whose keys are those of the shape and distinct. */
    IPersistentMap create(Object[] kv) {
        if (kv.length == 0) return PersistentArrayMap.EMPTY;
        if (kv.length <= SMALL) return new PersistentArrayMap(kv);
        if (template == null) {
            IPersistentMap map = ClojureMaps.create(entries());
            if (!(map instanceof PersistentHashMap)) return ClojureMaps.create(kv);
            template = (PersistentHashMap) map;
        }
        return ClojureMaps.fill(template, kv);
    }
}
