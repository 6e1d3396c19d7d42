package packord.decode;

import packord.wire.Bytes;
import packord.wire.Marker;

/**
 * The keys that were read lately, by their packed bytes: a table of fixed size, shared by all
 * decoders. All that an entry says is immutable, so that threads may race for a slot without
 * harm; {@code next} is a guess that each reader checks.
 */
final class KeyCache {
  /** Longer keys are not kept. */
  static final int MAX_BYTES = 64;

  /** Keys that stay strings. */
  static final KeyCache STRINGS = new KeyCache();

  private static final int SLOTS = 2048;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** A key and its packed bytes, with a header that is minimal. */
  static final class Entry {
    final Object key;
    final int size;

    /** The key that followed this one in a map. */
    Entry next;

    private final byte[] packed;
    private final long head;
    private final long mask;

    Entry(byte[] b, int from, int size, Object key) {
      this.key = key;
      this.size = size;
      this.packed = new byte[Math.max(8, size)];
      System.arraycopy(b, from, packed, 0, size);
      this.head = Bytes.i64(packed, 0);
      this.mask = size >= 8 ? -1L : -1L << 64 - 8 * size;
    }

    /** Whether these bytes stand at {@code b[p]}, before {@code end}. */
    boolean isAt(byte[] b, int p, int end) {
      int n = size;
      if (end - p < n) return false;
      if (b.length - p < 8) return isAtEnd(b, p);
      if ((Bytes.i64(b, p) & mask) != head) return false;
      int k = 8;
      for (; k <= n - 8; k += 8) {
        if (Bytes.i64(b, p + k) != Bytes.i64(packed, k)) return false;
      }
      return k >= n || Bytes.i64(b, p + n - 8) == Bytes.i64(packed, n - 8);
    }

    /** A number made from the first bytes. */
    int hash() {
      return (int) (head * MIX >>> 32) + size;
    }

    private boolean isAtEnd(byte[] b, int p) {
      for (int k = 0; k < size; k++) {
        if (b[p + k] != packed[k]) return false;
      }
      return true;
    }
  }

  private final Entry[] table = new Entry[SLOTS];

  /** The bytes of the short str with a minimal header that begins at {@code b[p]}, or 0. */
  static int size(byte[] b, int p, int end) {
    int t = b[p] & 0xff;
    if (t >= Marker.FIXSTR && t < Marker.NIL) return 1 + (t & 0x1f);
    if (t != Marker.STR8 || p + 1 == end) return 0;
    int n = b[p + 1] & 0xff;
    return n < 32 || n > MAX_BYTES ? 0 : 2 + n;
  }

  /** The entry of the str of {@code size} packed bytes at {@code b[p]}, or null. */
  Entry get(byte[] b, int p, int size, int end) {
    int i = slot(b, p, size);
    Entry e = table[i];
    if (e != null && e.size == size && e.isAt(b, p, end)) return e;
    e = table[i ^ 1];
    return e != null && e.size == size && e.isAt(b, p, end) ? e : null;
  }

  /** Remembers a key. */
  Entry put(byte[] b, int p, int size, Object key) {
    int i = slot(b, p, size);
    if (table[i] != null && table[i ^ 1] == null) i ^= 1;
    Entry e = new Entry(b, p, size, key);
    table[i] = e;
    return e;
  }

  private static int slot(byte[] b, int p, int n) {
    long m;
    if (n >= 8) {
      m = Bytes.i64(b, p) * MIX ^ Long.rotateLeft(Bytes.i64(b, p + n - 8), 29) * 0xC2B2AE3D27D4EB4FL;
      if (n > 16) m ^= Bytes.i64(b, p + (n >> 1) - 4) * 0x165667B19E3779F9L;
    } else if (n >= 4) {
      m = (Bytes.u32(b, p) << 32 | Bytes.u32(b, p + n - 4)) * MIX;
    } else {
      m = 0;
      for (int i = 0; i < n; i++) m = m << 8 | b[p + i] & 0xff;
      m *= MIX;
    }
    int h = (int) (m ^ m >>> 32);
    return (h ^ h >>> 15) & SLOTS - 1;
  }
}
