package packord.decode;

import java.util.function.ToIntFunction;

/** Notices keys that were chosen so that their hashes collide. */
final class HashGuard {
  private static final int SMALL = 32;
  private static final int ALLOWED = 16;
  private static final int MAX_BITS = 20;

  private HashGuard() {}

  /**
   * Whether so many of the keys collide that a hash table would be slow.
   *
   * @param kv keys and values in turn
   * @param hash the hash that the table would use
   */
  static boolean isAttack(Object[] kv, ToIntFunction<Object> hash) {
    int n = kv.length / 2;
    if (n <= SMALL) return false;
    int bits = Math.min(32 - Integer.numberOfLeadingZeros(n - 1), MAX_BITS);
    int[] count = new int[1 << bits];
    int most = 0;
    for (int i = 0; i < kv.length; i += 2) {
      int slot = (kv[i] == null ? 0 : hash.applyAsInt(kv[i])) * 0x9E3779B9 >>> 32 - bits;
      most = Math.max(most, ++count[slot]);
    }
    return most > ALLOWED + 4 * (n >> bits);
  }

  /**
   * Adds up what it costs to put keys one by one into a table that looks through all keys of the
   * same hash, as Java's does for keys that it cannot compare.
   */
  static final class Cost {
    private static final int FIRST = 500;
    private static final int EACH = 8;
    private int[] hashes = new int[64];
    private int[] counts = new int[64];
    private int total;
    private int distinct;
    private long steps;

    /**
     * Adds a hash. True when the keys had more than {@value #EACH} others of their hash before them
     * on average, which no 32-bit hash does unless the keys were made for it.
     */
    boolean isAttack(int hash) {
      if (2 * distinct >= hashes.length) grow();
      int i = find(hash);
      if (counts[i] == 0) {
        hashes[i] = hash;
        distinct++;
      }
      steps += counts[i]++;
      return steps > FIRST + (long) EACH * ++total;
    }

    private int find(int hash) {
      int mask = hashes.length - 1;
      int i = hash * 0x9E3779B9 >>> 16 & mask;
      while (counts[i] != 0 && hashes[i] != hash) i = i + 1 & mask;
      return i;
    }

    private void grow() {
      int[] oldHashes = hashes;
      int[] oldCounts = counts;
      hashes = new int[2 * oldHashes.length];
      counts = new int[hashes.length];
      for (int k = 0; k < oldHashes.length; k++) {
        if (oldCounts[k] == 0) continue;
        int i = find(oldHashes[k]);
        hashes[i] = oldHashes[k];
        counts[i] = oldCounts[k];
      }
    }
  }
}
