package packord.ext;

import java.util.List;
import packord.Extension;

/** Finds the handler for a value or an ext type. For one thread. */
public final class ExtensionTable {
  private static final int SLOTS = 256;

  private static final class Entry {
    final Class<?> type;
    final Extension extension;

    Entry(Class<?> type, Extension extension) {
      this.type = type;
      this.extension = extension;
    }
  }

  private final Extension[] all;
  private final boolean byClass;
  private final Entry[] classes = new Entry[SLOTS];
  private final Extension[] types = new Extension[256];
  private final boolean[] asked = new boolean[256];

  /** Makes a table; earlier extensions come first. */
  public ExtensionTable(List<Extension> extensions) {
    all = extensions.toArray(new Extension[0]);
    byClass = extensions.stream().allMatch(e -> e.classes() != null);
  }

  /** The handler that unpacks the type, or null. */
  public Extension forType(int type) {
    int slot = type + 128;
    if (!asked[slot]) {
      for (int i = 0; i < all.length && types[slot] == null; i++) {
        if (all[i].canUnpack(type)) types[slot] = all[i];
      }
      asked[slot] = true;
    }
    return types[slot];
  }

  /** The handler that packs the value, or null. */
  public Extension forValue(Object value, Class<?> c) {
    if (!byClass) return search(value, c);
    int slot = System.identityHashCode(c) & SLOTS - 1;
    Entry e = classes[slot];
    if (e == null || e.type != c) {
      e = new Entry(c, search(value, c));
      classes[slot] = e;
    }
    return e.extension;
  }

  private Extension search(Object value, Class<?> c) {
    for (Extension e : all) {
      Class<?>[] wanted = e.classes();
      if (wanted == null) {
        if (e.canPack(value)) return e;
      } else {
        for (Class<?> w : wanted) {
          if (w.isAssignableFrom(c)) return e;
        }
      }
    }
    return null;
  }
}
