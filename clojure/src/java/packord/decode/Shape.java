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
      Object[] blank = kv.clone();
      for (int i = 1; i < blank.length; i += 2) blank[i] = null;
      IPersistentMap map = ClojureMaps.create(blank);
      if (!(map instanceof PersistentHashMap)) return ClojureMaps.create(kv);
      template = (PersistentHashMap) map;
    }
    return ClojureMaps.fill(template, kv);
  }

  private boolean hasKeysOf(Object[] kv) {
    if (kv.length != 2 * size()) return false;
    for (int i = 0; i < kv.length; i += 2) {
      if (kv[i] != key(i / 2)) return false;
    }
    return true;
  }

  /** The shapes of plain maps that were read more than once lately. */
  static final class Recent {
    private static final int SLOTS = 64;
    private static final int MOST = 2 * 64;

    private final Shape[] shapes = new Shape[SLOTS];
    private final int[] seen = new int[SLOTS];

    /** The map of {@code kv}, of more than {@link Shape#SMALL} keys and values. */
    IPersistentMap create(Object[] kv) {
      if (kv.length > MOST) return ClojureMaps.create(kv);
      int hash = kv.length;
      for (int i = 0; i < kv.length; i += 2) hash = hash * 31 + System.identityHashCode(kv[i]);
      int slot = (hash ^ hash >>> 16) & SLOTS - 1;
      Shape shape = shapes[slot];
      if (shape != null && shape.hasKeysOf(kv)) return shape.create(kv);
      IPersistentMap map = ClojureMaps.create(kv);
      if (seen[slot] == hash && 2 * map.count() == kv.length) shapes[slot] = new Shape(keys(kv));
      seen[slot] = hash;
      return map;
    }

    private static Object[] keys(Object[] kv) {
      Object[] keys = new Object[kv.length / 2];
      for (int i = 0; i < keys.length; i++) keys[i] = kv[2 * i];
      return keys;
    }
  }
}
