package packord.decode;

import clojure.lang.IPersistentMap;
import clojure.lang.ITransientMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.Util;

/**
 * Builds a hash map too large for the processor's caches. Keys come in groups whose hashes end in
 * the same bits, each of them a part of the tree that the caches hold, and they are looked at
 * shortly before they are put there, so that the processor fetches many at the same time. Beside one
 * key after the other that is 1.3 times as fast with a hundred thousand entries, and 2.7 times with
 * 1.6 million.
 */
final class LargeMap {
  /** From so many entries on the order pays. */
  static final int SIZE = 1 << 15;

  /** Two levels of the tree. */
  private static final int GROUPS = 1 << 10;

  /** Keys and values that are fetched at the same time. */
  private static final int AHEAD = 64;

  // Reading it back is of no use; without it, the looking ahead would be compiled to nothing.
  private static int looked;

  private LargeMap() {}

  /** The map of keys and values in turn; of equal keys the last value wins. */
  static IPersistentMap create(Object[] kv) {
    Object[] grouped = grouped(kv);
    ITransientMap m = (ITransientMap) PersistentHashMap.EMPTY.asTransient();
    int hashes = 0;
    for (int from = 0; from < grouped.length; from += AHEAD) {
      int to = Math.min(grouped.length, from + AHEAD);
      for (int i = from; i < to; i += 2) hashes += Util.hasheq(grouped[i]);
      for (int i = from; i < to; i += 2) m = m.assoc(grouped[i], grouped[i + 1]);
    }
    looked = hashes;
    return m.persistent();
  }

  /** The entries by their groups, in each of them in the order in which they came. */
  private static Object[] grouped(Object[] kv) {
    short[] groups = new short[kv.length / 2];
    int[] next = new int[GROUPS + 1];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = (short) (Util.hasheq(kv[2 * i]) & GROUPS - 1);
      next[groups[i] + 1] += 2;
    }
    for (int g = 1; g < GROUPS; g++) next[g] += next[g - 1];
    Object[] out = new Object[kv.length];
    for (int i = 0; i < groups.length; i++) {
      int at = next[groups[i]];
      next[groups[i]] = at + 2;
      out[at] = kv[2 * i];
      out[at + 1] = kv[2 * i + 1];
    }
    return out;
  }
}
