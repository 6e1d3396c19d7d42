package packord.decode;

import java.util.function.ToIntFunction;

/** Notices keys that were chosen so that their hashes collide. */
final class HashGuard {
  private static final int SMALL = 32;
  private static final int ALLOWED = 16;
  private static final int MAX_SLOTS = 1 << 12;

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
    int bits = Math.min(32 - Integer.numberOfLeadingZeros(n - 1), Integer.numberOfTrailingZeros(MAX_SLOTS));
    int[] count = new int[1 << bits];
    int most = 0;
    for (int i = 0; i < kv.length; i += 2) {
      int slot = (kv[i] == null ? 0 : hash.applyAsInt(kv[i])) * 0x9E3779B9 >>> 32 - bits;
      most = Math.max(most, ++count[slot]);
    }
    return most > ALLOWED + 4 * (n >> bits);
  }

  /** Counts hashes one by one, where the keys do not stand together. */
  static final class Counter {
    private static final int BITS = 10;
    private static final int FIRST = 64;
    private final int[] count = new int[1 << BITS];
    private int total;

    /** Adds a hash; true when suspiciously many fell on its place. */
    boolean isAttack(int hash) {
      total++;
      return ++count[hash * 0x9E3779B9 >>> 32 - BITS] > FIRST + (total >> BITS - 2);
    }
  }
}
