package packord.decode;

import java.util.Arrays;
import packord.record.Definition;
import packord.wire.Bytes;

/**
 * Guesses all keys of a map from their number and the first one's bytes, because most maps look
 * like one that was read before. A guess that holds for every key also proves that they are
 * distinct, and says how the map is best built. For one decoder; of a fixed size.
 */
final class KeyGuess {
  /** The keys of a map that was read. */
  static final class Keys {
    final Definition definition;
    private final KeyCache.Entry[] entries;

    private Keys(Definition definition, KeyCache.Entry[] entries) {
      this.definition = definition;
      this.entries = entries;
    }

    KeyCache.Entry entry(int i) {
      return entries[i];
    }

    /** An array with room for as many entries, whose first {@code i} are these. */
    KeyCache.Entry[] beginning(int i) {
      KeyCache.Entry[] copy = new KeyCache.Entry[entries.length];
      System.arraycopy(entries, 0, copy, 0, i);
      return copy;
    }

    private boolean beginsLike(Keys other, int n) {
      return entries.length == other.entries.length
          && Arrays.equals(entries, 0, n, other.entries, 0, n);
    }
  }

  /** Makes the definition of some keys. */
  interface Definer {
    Definition define(Object[] keys);
  }

  /** Maps of more keys are not guessed. */
  static final int MOST = 64;

  private static final int PAIRS = 128;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** Two guesses for each place: maps that begin alike may differ in a later key. */
  private final Keys[] table = new Keys[2 * PAIRS];

  private final int[] seen = new int[PAIRS];
  private final Definer definer;

  KeyGuess(Definer definer) {
    this.definer = definer;
  }

  /** The place of a map of {@code n} keys, the first at {@code b[p]}; -1 if it has none. */
  static int place(byte[] b, int p, int end, int n) {
    if (n == 0 || n > MOST || b.length - p < 8 || p == end) return -1;
    int size = KeyCache.size(b, p, end);
    if (size == 0) return -1;
    long first = Bytes.i64(b, p);
    if (size < 8) first &= -1L << 64 - 8 * size;
    return (int) ((first + n) * MIX >>> 57) << 1;
  }

  /** The guess at a place, of {@code n} keys; or null. */
  Keys get(int place, int n) {
    Keys keys = table[place];
    return keys != null && keys.entries.length == n ? keys : null;
  }

  /**
   * The other guess at a place, if it has the first {@code i} keys in common with {@code wrong}, and
   * its key {@code i} is at {@code b[p]}; or null.
   */
  Keys instead(int place, Keys wrong, int i, byte[] b, int p, int end) {
    Keys other = table[place] == wrong ? table[place + 1] : table[place];
    if (other == null || other == wrong || !other.beginsLike(wrong, i)) return null;
    if (!other.entry(i).isAt(b, p, end)) return null;
    table[place] = other;
    table[place + 1] = wrong;
    return other;
  }

  /** Takes notice of the keys of a map that was not guessed; the second time it remembers them. */
  void learn(int place, KeyCache.Entry[] entries) {
    int hash = 0;
    for (KeyCache.Entry e : entries) hash = hash * 31 + e.hash();
    if (seen[place >> 1] != hash) {
      seen[place >> 1] = hash;
      return;
    }
    Object[] keys = new Object[entries.length];
    for (int i = 0; i < keys.length; i++) keys[i] = entries[i].key;
    Definition definition = definer.define(keys);
    if (definition.repeatsKeys()) return;
    table[place + 1] = table[place];
    table[place] = new Keys(definition, entries);
  }
}
