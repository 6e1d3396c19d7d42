package packord.decode;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import packord.Options;
import packord.PackordException;
import packord.encode.Encoder;

/**
 * An order of all keys, for maps that hash tables are not safe with: text first, in its own order,
 * then all else in the order of the canonical encodings, then what has none.
 */
final class KeyOrder implements Comparator<Object> {
  /** Options of the encoders that the order uses. */
  static final Options OPTIONS =
      Options.builder().canonical(true).bigint(true).maxDepth(1 << 20).build();

  private final Supplier<Encoder> encoders;

  KeyOrder(Supplier<Encoder> encoders) {
    this.encoders = encoders;
  }

  @Override
  public int compare(Object a, Object b) {
    if (a == b) return 0;
    if (a instanceof String && b instanceof String) return ((String) a).compareTo((String) b);
    if (a instanceof String) return -1;
    if (b instanceof String) return 1;
    if (a instanceof Long && b instanceof Long) return Long.compare((Long) a, (Long) b);
    byte[] x = bytes(a);
    byte[] y = bytes(b);
    if (x != null && y != null) return Arrays.compareUnsigned(x, y);
    if (x != null) return -1;
    if (y != null) return 1;
    int byClass = a.getClass().getName().compareTo(b.getClass().getName());
    return byClass != 0
        ? byClass
        : Integer.compare(System.identityHashCode(a), System.identityHashCode(b));
  }

  private byte[] bytes(Object o) {
    try {
      Encoder e = encoders.get();
      e.message(o);
      return e.toBytes();
    } catch (PackordException x) {
      return null;
    }
  }
}
