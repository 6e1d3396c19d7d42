package packord.encode;

import clojure.lang.Keyword;
import java.util.Arrays;

/**
 * The packed names of keywords that were written lately: a table of fixed size, shared by all
 * encoders. Its entries are immutable, so that threads may race for a slot without harm.
 */
final class KeywordBytes {
  private static final int SLOTS = 2048;
  private static final int MAX_BYTES = 128;
  private static final Entry[] TABLE = new Entry[SLOTS];

  private static final class Entry {
    final Keyword keyword;
    final byte[] bytes;

    Entry(Keyword keyword, byte[] bytes) {
      this.keyword = keyword;
      this.bytes = bytes;
    }
  }

  private KeywordBytes() {}

  static byte[] get(Keyword k) {
    Entry e = TABLE[k.hasheq() & SLOTS - 1];
    return e != null && e.keyword == k ? e.bytes : null;
  }

  static void put(Keyword k, byte[] buf, int from, int to) {
    if (to - from <= MAX_BYTES) {
      TABLE[k.hasheq() & SLOTS - 1] = new Entry(k, Arrays.copyOfRange(buf, from, to));
    }
  }

  /** {@code name} or {@code namespace/name}. */
  static String name(Keyword k) {
    String ns = k.getNamespace();
    return ns == null ? k.getName() : ns + "/" + k.getName();
  }
}
