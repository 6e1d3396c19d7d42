package packord.decode;

import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;
import packord.ErrorKind;
import packord.PackordException;
import packord.typed.BeanType;
import packord.typed.Property;

/** Reads a map into a record, or into an object with setters. Entries of other names are skipped. */
final class BeanTarget implements Target {
  private static final Target NAMES = Scalars.of(String.class);

  private final String name;
  private final BeanType bean;
  private final Function<Type, Target> find;

  /** Found when the first object is read, because a class may have properties of itself. */
  private volatile Target[] targets;

  /** The key of each property when it was read last. Keys that are remembered are one object. */
  private final Object[] recentKeys;

  BeanTarget(String name, BeanType bean, Function<Type, Target> find) {
    this.name = name;
    this.bean = bean;
    this.find = find;
    recentKeys = new Object[bean.properties().size()];
  }

  private Target[] targets() {
    Target[] found = targets;
    if (found == null) {
      List<Property> properties = bean.properties();
      found = new Target[properties.size()];
      for (int i = 0; i < found.length; i++) found[i] = find.apply(properties.get(i).type);
      targets = found;
    }
    return found;
  }

  @Override
  public Object read(TypedReader in, int depth, long pending) {
    int markerOffset = in.pos();
    TypedReader.Kind kind = in.kind();
    if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
    if (kind != TypedReader.Kind.MAP) throw in.mismatch("a map", kind);
    Target[] all = targets();
    Fields fields = new Fields(in, all);
    in.entries(fields, depth, pending);
    if (bean.isRecord()) fill(in, markerOffset, all, fields.values, fields.present);
    return make(in, markerOffset, fields.values, fields.present);
  }

  private final class Fields implements TypedReader.Entries {
    final Object[] values;
    final boolean[] present;
    private final TypedReader in;
    private final Target[] all;
    private int index = -1;

    Fields(TypedReader in, Target[] all) {
      this.in = in;
      this.all = all;
      values = new Object[all.length];
      present = new boolean[all.length];
    }

    @Override
    public Target keys() {
      return NAMES;
    }

    @Override
    public void key(Object key, int keyOffset) {
      int guess = index + 1;
      if (guess < recentKeys.length && recentKeys[guess] == key) {
        index = guess;
        return;
      }
      index = key instanceof String ? bean.indexOf((String) key) : -1;
      if (index >= 0) recentKeys[index] = key;
    }

    @Override
    public void value(int depth, long pending) {
      if (index < 0 || in.isUndefined()) {
        in.read(depth, pending);
      } else {
        values[index] = in.read(all[index], depth, pending);
        present[index] = true;
      }
    }
  }

  private void fill(
      TypedReader in, int markerOffset, Target[] all, Object[] values, boolean[] present) {
    for (int i = 0; i < values.length; i++) {
      if (present[i]) continue;
      values[i] = all[i].absent();
      if (values[i] == REQUIRED) {
        String missing = PackordException.detail("missing field", bean.properties().get(i).name);
        throw in.mismatch(markerOffset, missing);
      }
    }
  }

  private Object make(TypedReader in, int markerOffset, Object[] values, boolean[] present) {
    try {
      return bean.make(values, present);
    } catch (RuntimeException exception) {
      String detail = name + " cannot be made: " + exception.getMessage();
      throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, detail, exception);
    }
  }
}
