package packord.decode;

import packord.Options;
import packord.PackordException;
import packord.wire.Marker;

/** Reads keys of maps and of record definitions, most of them from a table of recent keys. */
abstract class KeyDecoder extends ScalarDecoder {
  /** The keys that were read lately, or null if keys must not be remembered. */
  final KeyCache keyCache;

  KeyDecoder(Options options, KeyCache keyCache) {
    super(options);
    this.keyCache = keyCache;
  }

  /**
   * Reads a value.
   *
   * @param depth the number of open containers
   * @param pending the elements that the open containers await after this value
   */
  abstract Object read(int depth, long pending);

  /** Reads a key of any type. */
  final Object key(int depth, long pending) {
    int markerOffset = pos;
    try {
      Object key = read(depth, pending);
      boolean isExt = Marker.isExt(buf[markerOffset] & 0xff);
      return isExt ? newExtKey(key, markerOffset) : newKey(key, markerOffset);
    } catch (PackordException error) {
      throw error.inKey();
    }
  }

  /**
   * Reads a key that was read before, or that can be remembered: a short, well-formed str. Returns
   * null for any other key. Keys mostly come in the same order, so the one that followed {@code
   * previous} last time is tried first.
   */
  final KeyCache.Entry cachedKey(KeyCache.Entry previous) {
    int markerOffset = pos;
    KeyCache.Entry next = previous == null ? null : previous.next; // Once: other threads change it.
    if (next != null && next.isAt(buf, markerOffset, end)) {
      pos = markerOffset + next.size;
      return next;
    }
    if (markerOffset == end) return null;
    int size = KeyCache.size(buf, markerOffset, end);
    if (size == 0 || size > end - markerOffset) return null;
    KeyCache.Entry entry = keyCache.get(buf, markerOffset, size, end);
    if (entry != null) {
      pos = markerOffset + size;
    } else {
      String name = strings.decode(buf, markerOffset + (size > 32 ? 2 : 1), markerOffset + size);
      if (name == null) return null;
      pos = markerOffset + size;
      entry = keyCache.put(buf, markerOffset, size, newKey(name, markerOffset));
    }
    if (previous != null) previous.next = entry;
    return entry;
  }

  /** Returns what the program gets for a key. */
  Object newKey(Object key, int markerOffset) {
    return key;
  }

  /** Returns what the program gets for a key that an ext was read as. */
  Object newExtKey(Object key, int markerOffset) {
    return newKey(key, markerOffset);
  }

  /** Returns a key as paths show it. */
  Object pathKey(Object key) {
    return key;
  }
}
