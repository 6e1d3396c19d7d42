package packord.columns;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import packord.wire.Marker;

/**
 * A node of the directory: a column of {@link #n} values, its parameters, section and children, and
 * how far its values were read.
 */
public final class ColumnNode {
  /** The kinds. */
  public static final int PLAIN = 0,
      INT = 1,
      FLOAT = 2,
      SCALED = 3,
      TIME = 4,
      BYTES = 5,
      DICT = 6,
      LIST = 7,
      TUPLE = 8,
      STRUCT = 9,
      MAP = 10,
      UNION = 11;

  /** The modes of BYTES. */
  public static final int STR = 0, BIN = 1, EXT = 2, TERMINATED = 4;

  /** The kind, its mode, and the number of values. */
  public final int kind;

  public final int mode;
  public final int n;

  /** The children, in the order of the directory. */
  public final List<ColumnNode> children = new ArrayList<>();

  /** The kind's own byte: the form of INT, k of SCALED, the unit of TIME, the type of ext BYTES. */
  public int form;

  /** Parameters of INT. */
  public long base;

  long first;

  /** The keys of STRUCT, each as the str that is written. */
  public byte[][] keys;

  /** The shapes of STRUCT, each as indexes of keys; null if all rows have all keys in order. */
  public int[][] shapes;

  /** Element size of the zone that has the section, the section's size, and its index. */
  int zone = 1;

  public int size;
  public int at;

  /** Whether it is the lengths, tags or indexes of its parent, which are read with the parent's rows. */
  boolean isPart;

  /** The values that were read, and the index of the next one in the section of PLAIN or BYTES. */
  int row;

  int next;

  /** The integers of INT, once they are needed. */
  private long[] integers;

  /** The entries of DICT, once they are needed. */
  Entries entries;

  ColumnNode(int kind, int mode, int n) {
    this.kind = kind;
    this.mode = mode;
    this.n = n;
  }

  /** The entries of a DICT as they are written, and what each takes from the budget. */
  static final class Entries {
    final byte[] bytes;
    final int[] ends;
    final long[] costs;
    final long[] values;

    Entries(byte[] bytes, int[] ends, long[] costs, long[] values) {
      this.bytes = bytes;
      this.ends = ends;
      this.costs = costs;
      this.values = values;
    }
  }

  /** Returns what a value of BYTES takes from the budget beside its payload; 0 if its end is in the section. */
  int headerSize() {
    return mode == STR ? 1 : mode == TERMINATED ? 0 : 2;
  }

  /** Returns the integers of an INT. */
  public long[] integers(byte[] payload) {
    if (integers == null) integers = Integers.of(this, payload);
    return integers;
  }

  /** Returns a key of STRUCT. */
  public String key(int index) {
    byte[] packed = keys[index];
    int from = Marker.strPayload(packed, 0);
    return new String(packed, from, packed.length - from, StandardCharsets.UTF_8);
  }

  /**
   * Returns which rows of a STRUCT with shapes have a key. Their shapes are checked before.
   *
   * @throws MalformedColumns when a row has no shape, or when the key's column has another number of values
   */
  public boolean[] present(byte[] payload, int key) {
    boolean[] has = new boolean[shapes.length];
    for (int i = 0; i < has.length; i++) for (int each : shapes[i]) has[i] |= each == key;
    boolean[] present = new boolean[n];
    int count = 0;
    long[] rows = children.get(0).integers(payload);
    for (int i = 0; i < n; i++) {
      MalformedColumns.need(rows[i] >= 0 && rows[i] < has.length);
      present[i] = has[(int) rows[i]];
      if (present[i]) count++;
    }
    MalformedColumns.need(count == children.get(1 + key).n);
    return present;
  }

  /**
   * Returns the lengths of the arrays of a LIST, or of the maps of a MAP. They are checked before.
   *
   * @throws MalformedColumns when one is negative, or when the columns in it have another number of values
   */
  public int[] lengths(byte[] payload) {
    int[] lengths = new int[n];
    long[] found = children.get(0).integers(payload);
    long left = children.get(1).n;
    for (int i = 0; i < n; i++) {
      MalformedColumns.need(found[i] >= 0 && found[i] <= left);
      left -= found[i];
      lengths[i] = (int) found[i];
    }
    MalformedColumns.need(left == 0);
    return lengths;
  }

  /** Returns the number of nodes with those below it. */
  public int nodes() {
    int count = 1;
    for (ColumnNode child : children) count += child.nodes();
    return count;
  }

  /**
   * Returns the rows that are nil, or null if none can be.
   *
   * @throws MalformedColumns when the section of PLAIN is not well-formed
   */
  public boolean[] nils(byte[] payload) {
    if (kind == PLAIN) return plainNils(payload);
    if (kind != DICT && kind != UNION) return null;
    boolean[][] from = new boolean[children.size()][];
    boolean any = false;
    for (int i = 1; i < from.length; i++) any |= (from[i] = children.get(i).nils(payload)) != null;
    if (!any) return null;
    boolean[] nils = new boolean[n];
    int[] next = new int[from.length];
    long[] indexes = children.get(0).integers(payload);
    for (int i = 0; i < n; i++) {
      int child = kind == DICT ? 1 : 1 + (int) indexes[i];
      int row = kind == DICT ? (int) indexes[i] : next[child]++;
      nils[i] = from[child] != null && from[child][row];
    }
    return nils;
  }

  /** Whether there are values in it that are copied as they are, so that their content has to be checked. */
  public boolean copiesValues() {
    if (kind == PLAIN || kind == BYTES && mode == EXT) return true;
    for (ColumnNode child : children) if (child.copiesValues()) return true;
    return false;
  }

  private boolean[] plainNils(byte[] payload) {
    boolean[] nils = new boolean[n];
    PlainCursor cursor = new PlainCursor(payload, at, at + size);
    for (int i = 0; i < n; i++) {
      int from = cursor.at;
      cursor.next();
      nils[i] = (payload[from] & 0xff) == Marker.NIL;
    }
    return nils;
  }

  /** Whether all values were read, and all of the section. */
  boolean isUsedUp() {
    boolean counted = isPart || row == n;
    boolean hasBodies = kind == PLAIN || kind == BYTES;
    return counted && (!hasBodies || next == at + size);
  }
}
