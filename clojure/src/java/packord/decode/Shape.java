package packord.decode;

import clojure.lang.IPersistentMap;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import packord.record.Definition;

/**
 * The keys of maps that look alike. Larger maps begin as copies of a map with all the keys: that
 * puts each value in its place without building the tree of hashes again.
 */
final class Shape extends Definition {
  /** Arrays of keys and values up to this length become array maps. */
  static final int SMALL = 16;

  private PersistentHashMap template;

  Shape(Object[] keys) {
    super(keys);
  }

  /** The map of {@code kv}, whose keys are those of the shape and distinct. */
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
