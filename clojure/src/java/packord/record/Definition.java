package packord.record;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;

/** A record structure as a reader knows it: the keys as they are put into maps. */
public class Definition {
  private static final int FEW = 8;
  private final Object[] keys;
  private final boolean repeats;

  /** Makes a definition; the array is kept. */
  public Definition(Object[] keys) {
    this.keys = keys;
    this.repeats = repeats(keys);
  }

  private static boolean repeats(Object[] keys) {
    if (keys.length > FEW) return new HashSet<>(Arrays.asList(keys)).size() != keys.length;
    for (int i = 1; i < keys.length; i++) {
      for (int j = 0; j < i; j++) if (Objects.equals(keys[i], keys[j])) return true;
    }
    return false;
  }

  /** Whether these are its keys, the very same objects. */
  public final boolean hasKeys(Object[] others) {
    if (others.length != keys.length) return false;
    for (int i = 0; i < keys.length; i++) if (others[i] != keys[i]) return false;
    return true;
  }

  /** How many keys there are. */
  public final int size() {
    return keys.length;
  }

  /** Key {@code i}. */
  public final Object key(int i) {
    return keys[i];
  }

  /** Whether a key is there twice. */
  public final boolean repeatsKeys() {
    return repeats;
  }
}
