package packord.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import packord.PackordException;

/** Reads a map into the class that an entry of it names. What comes before that entry is read after the map. */
final class TaggedTarget implements Target {
  private final Class<?> type;
  private final String tag;
  private final Map<String, BeanTarget> targets;

  TaggedTarget(Class<?> type, String tag, Map<String, BeanTarget> targets) {
    this.type = type;
    this.tag = tag;
    this.targets = targets;
  }

  /** An entry before the tag. */
  private static final class Earlier {
    final Object key;
    final int keyOffset;
    final int index;
    final int depth;
    final long pending;

    Earlier(Object key, int keyOffset, int index, int depth, long pending) {
      this.key = key;
      this.keyOffset = keyOffset;
      this.index = index;
      this.depth = depth;
      this.pending = pending;
    }
  }

  private final class Fields implements TypedReader.Entries {
    final List<Earlier> earlier = new ArrayList<>();
    BeanTarget.Fields fields;
    private final TypedReader in;
    private Object key;
    private int keyOffset;

    Fields(TypedReader in) {
      this.in = in;
    }

    @Override
    public Target keys() {
      return BeanTarget.NAMES;
    }

    @Override
    public void key(Object name, int offset) {
      key = name;
      keyOffset = offset;
      if (fields != null) fields.key(name, offset);
    }

    @Override
    public void value(int depth, long pending) {
      int index = in.pos();
      if (fields != null) {
        fields.value(depth, pending);
      } else if (!tag.equals(key)) {
        earlier.add(new Earlier(key, keyOffset, index, depth, pending));
        in.read(depth, pending);
      } else {
        Object name = BeanTarget.NAMES.read(in, depth, pending);
        BeanTarget target = name == null ? null : targets.get(name);
        if (target == null) throw in.mismatch(index, PackordException.detail("unknown variant", String.valueOf(name)));
        fields = target.fields(in);
      }
    }
  }

  @Override
  public Object read(TypedReader in, int depth, long pending) {
    int markerOffset = in.pos();
    TypedReader.Kind kind = in.kind();
    if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
    if (in.isReadByExtension(kind)) return in.ofExtension(type, "a map", depth, pending);
    if (kind != TypedReader.Kind.MAP) throw in.mismatch("a map", kind);
    Fields entries = new Fields(in);
    in.entries(entries, depth, pending);
    if (entries.fields == null) throw in.mismatch(markerOffset, PackordException.detail("missing field", tag));
    int end = in.pos();
    for (int i = entries.earlier.size() - 1; i >= 0; i--) readAgain(in, entries.fields, entries.earlier.get(i));
    in.seek(end);
    return entries.fields.make(markerOffset);
  }

  private static void readAgain(TypedReader in, BeanTarget.Fields fields, Earlier each) {
    in.seek(each.index);
    try {
      fields.early(each.key, each.keyOffset, each.depth, each.pending);
    } catch (PackordException error) {
      throw error.inEntry(null, each.key);
    }
  }
}
