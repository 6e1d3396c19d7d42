package packord.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import packord.Options;
import packord.StructureStore;

/**
 * The writer's side of records: which structures exist, and which indexes they have now
 * ({@code spec/records.md} section 6). Shapes of maps are recognised by walking a tree of keys,
 * which outlives messages; the indexes do not, unless the stream is sequential.
 */
public final class RecordWriter {
  /** How a map is to be written. */
  public enum Use {
    /** The id alone. */
    KNOWN,
    /** A definition, and the id. */
    DEFINE,
    /** No record. */
    PLAIN
  }

  /** A key, below those that come before it. */
  public static final class Node {
    private final Node parent;
    private final String text;
    private final int depth;
    private Object lastKey;
    private Node lastChild;
    private Map<Object, Node> children;
    private Structure structure;

    private Node(Node parent, String text) {
      this.parent = parent;
      this.text = text;
      this.depth = parent == null ? 0 : parent.depth + 1;
    }

    /** The node of the next key if this key was seen here before. */
    public Node known(Object key) {
      if (key == lastKey && key != null) return lastChild;
      Node child = children == null ? null : children.get(key);
      if (child != null) {
        lastKey = key;
        lastChild = child;
      }
      return child;
    }

    private boolean contains(String key) {
      for (Node n = this; n.parent != null; n = n.parent) {
        if (n.text.equals(key)) return true;
      }
      return false;
    }

    private String[] path() {
      String[] keys = new String[depth];
      for (Node n = this; n.parent != null; n = n.parent) keys[n.depth - 1] = n.text;
      return keys;
    }
  }

  private static final int MAX_NODES = 1 << 14;

  /** What to put back when a message fails: an index and the structure that had it. */
  private static final class Undo {
    final int index;
    final Structure before;

    Undo(int index, Structure before) {
      this.index = index;
      this.before = before;
    }
  }

  private final int maxShared;
  private final int maxOwn;
  private final int maxKeys;
  private final boolean twoByteIds;
  private final boolean sequential;
  private final StructureStore store;

  private Node root = new Node(null, null);
  private int nodes;
  private final Map<List<String>, Structure> byKeys = new HashMap<>();
  private final Structure[] byIndex;
  private final List<Undo> undo = new ArrayList<>();
  private List<? extends List<String>> snapshot;
  private int shared;
  private int sharedBefore;
  private int nextOwn;
  private int nextOwnBefore;
  private int ownUsed;

  /** Makes a writer for the options. */
  public RecordWriter(Options options) {
    maxShared = options.maxSharedStructures;
    maxOwn = options.maxOwnStructures;
    maxKeys = options.maxRecordKeys;
    twoByteIds = maxShared > 32 || maxShared + maxOwn > 64;
    sequential = options.sequential;
    store = options.structures;
    byIndex = new Structure[maxShared + maxOwn];
  }

  /** Begins a message. */
  public void begin() {
    if (store != null) loadShared(store.get());
    sharedBefore = shared;
    nextOwnBefore = nextOwn;
    if (nodes > MAX_NODES) forgetShapes();
  }

  private void forgetShapes() {
    root = new Node(null, null);
    nodes = 0;
    byKeys.values().removeIf(s -> s.index < 0);
  }

  private void loadShared(List<? extends List<String>> list) {
    if (list == snapshot) return;
    int limit = Math.min(list.size(), maxShared);
    boolean longer = snapshot != null && limit >= shared && isPrefix(list);
    if (!longer) {
      for (int i = 0; i < shared; i++) free(i);
      shared = 0;
    }
    for (int i = shared; i < limit; i++) {
      Structure s = intern(list.get(i).toArray(new String[0]));
      if (s.index < 0 || s.index >= maxShared) {
        if (s.index >= 0) free(s.index);
        set(i, s);
      }
    }
    shared = limit;
    snapshot = list;
  }

  private boolean isPrefix(List<? extends List<String>> list) {
    for (int i = 0; i < shared; i++) {
      if (byIndex[i] != null && !byIndex[i].keys().equals(list.get(i))) return false;
    }
    return true;
  }

  /** Ends a message; false when another writer has changed the shared list meanwhile. */
  public boolean commit() {
    if (shared > sharedBefore) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> keys : snapshot) longer.add(List.copyOf(keys));
      for (int i = sharedBefore; i < shared; i++) longer.add(List.copyOf(byIndex[i].keys()));
      if (!store.compareAndSet(snapshot, longer)) return false;
      snapshot = store.get();
    }
    if (!sequential) forgetOwn();
    undo.clear();
    return true;
  }

  private void forgetOwn() {
    for (int i = 0; i < ownUsed; i++) free(maxShared + i);
    ownUsed = 0;
    nextOwn = 0;
  }

  /** Forgets what the message defined. */
  public void rollback() {
    for (int i = undo.size() - 1; i >= 0; i--) restore(undo.get(i));
    undo.clear();
    shared = sharedBefore;
    nextOwn = nextOwnBefore;
    if (!sequential) forgetOwn();
  }

  /** Forgets the structures of a sequential stream, at its end. */
  public void forget() {
    if (sequential) forgetOwn();
  }

  private void restore(Undo u) {
    free(u.index);
    if (u.before != null) set(u.index, u.before);
  }

  private void free(int index) {
    Structure s = byIndex[index];
    if (s != null) {
      s.index = -1;
      byIndex[index] = null;
    }
  }

  private void set(int index, Structure s) {
    s.index = index;
    byIndex[index] = s;
  }

  private Structure intern(String[] keys) {
    return byKeys.computeIfAbsent(Arrays.asList(keys), k -> new Structure(keys));
  }

  /** Where the walk over a map's keys begins. */
  public Node root() {
    return root;
  }

  /**
   * Adds a key that {@link Node#known} does not know.
   *
   * @return its node, or null when the keys make no record: no str, twice the same, too many
   */
  public Node add(Node node, Object key, String text) {
    if (text == null || node.depth == maxKeys || node.contains(text)) return null;
    Node child = new Node(node, text);
    if (node.children == null) node.children = new HashMap<>();
    node.children.put(key, child);
    nodes++;
    return child;
  }

  /** The structure of the keys down to a node; null for null. */
  public Structure structure(Node leaf) {
    if (leaf == null) return null;
    if (leaf.structure == null) leaf.structure = intern(leaf.path());
    return leaf.structure;
  }

  /** Decides how a map of this structure is written now, and gives the structure an index. */
  public Use use(Structure s) {
    if (s.index >= 0) return Use.KNOWN;
    if (store != null && shared < maxShared) {
      define(shared++, s);
      return Use.KNOWN;
    }
    if (maxOwn == 0) return Use.PLAIN;
    define(maxShared + nextOwn, s);
    if (nextOwn >= ownUsed) ownUsed = nextOwn + 1;
    nextOwn = (nextOwn + 1) % maxOwn;
    return Use.DEFINE;
  }

  private void define(int index, Structure s) {
    if (sequential || index < maxShared) undo.add(new Undo(index, byIndex[index]));
    free(index);
    set(index, s);
  }

  /** The bytes of a structure's id: 1 or 2. */
  public int idLength(Structure s) {
    return twoByteIds && s.index >= 32 ? 2 : 1;
  }

  /** The id: its first byte in the low 8 bits, the second above. */
  public int id(Structure s) {
    int i = s.index;
    return idLength(s) == 1 ? 0x40 + i : 0x60 + i % 32 | (i - 32) / 32 << 8;
  }
}
