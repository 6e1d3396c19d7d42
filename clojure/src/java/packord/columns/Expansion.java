package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.util.List;
import packord.columns.ColumnNode.Entries;
import packord.wire.Marker;
import packord.wire.Utf8;

/**
 * Writes the values of columns row by row as plain MessagePack, within the budget of {@code
 * spec/columns.md} section 4. The decoder then reads them as any message, with all its options.
 */
final class Expansion {
  private final byte[] payload;
  private final int maxDepth;
  private PlainOutput out;

  /** What the values may still take: sizes and numbers of values, and sizes of entries. */
  private long left;

  private long values;
  private long dictionaries;

  /** What was left for dictionaries before the entry that is being written; -1 outside of entries. */
  private long entryBefore = -1;

  private final boolean checksUtf8;

  Expansion(byte[] payload, long plainSize, long values, long maxDepth, boolean checksUtf8) {
    this.checksUtf8 = checksUtf8;
    this.payload = payload;
    this.maxDepth = (int) Math.min(maxDepth, Integer.MAX_VALUE);
    this.left = plainSize;
    this.values = values;
    this.dictionaries = plainSize;
  }

  /** Returns the one value of a directory. */
  PlainOutput expand(Directory directory, ColumnNode root) {
    out = new PlainOutput((int) Math.max(64, left + 9));
    next(root, 0);
    need(values == 0);
    for (ColumnNode node : directory.nodes) need(node.isUsedUp());
    return out;
  }

  /** Returns the values of one column, end to end; {@code nodes} are the column and all below it. */
  PlainOutput column(List<ColumnNode> nodes) {
    out = new PlainOutput(64);
    ColumnNode node = nodes.get(0);
    for (int i = 0; i < node.n; i++) next(node, 0);
    for (ColumnNode used : nodes) need(used.isUsedUp());
    return out;
  }

  /** Returns the values of one column, each where it is; {@code nodes} are the column and all below it. */
  PlainColumn values(List<ColumnNode> nodes) {
    ColumnNode node = nodes.get(0);
    // Each takes a byte at least.
    need(node.n <= left);
    int[] starts = new int[node.n];
    int[] ends = new int[node.n];
    PlainColumn column = node.kind == ColumnNode.DICT ? rows(node, starts, ends) : each(node, starts, ends);
    for (ColumnNode used : nodes) need(used.isUsedUp());
    return column;
  }

  private PlainColumn each(ColumnNode node, int[] starts, int[] ends) {
    out = new PlainOutput(64 + node.size);
    for (int i = 0; i < ends.length; i++) {
      starts[i] = out.size;
      next(node, 0);
      ends[i] = out.size;
    }
    return new PlainColumn(out, starts, ends);
  }

  /** Finds the rows of a dictionary in its entries. */
  private PlainColumn rows(ColumnNode node, int[] starts, int[] ends) {
    Entries entries = node.entries = entries(node.children.get(1), 0);
    int count = entries.ends.length;
    long[] indexes = node.children.get(0).integers(payload);
    for (int i = 0; i < ends.length; i++) {
      need(indexes[i] >= 0 && indexes[i] < count);
      int index = (int) indexes[i];
      left -= entries.costs[index];
      values -= entries.values[index];
      need(left >= 0 && values >= 0);
      starts[i] = index == 0 ? 0 : entries.ends[index - 1];
      ends[i] = entries.ends[index];
    }
    node.row = node.n;
    return new PlainColumn(entries.bytes, count == 0 ? 0 : entries.ends[count - 1], starts, ends);
  }

  /** Takes a value from the budget. */
  private void take(long bytes) {
    left -= bytes;
    values--;
    need(left >= 0 && values >= 0);
  }

  /** Opens a container, and returns the depth in it. */
  private int open(int depth) {
    take(1);
    need(depth < maxDepth);
    return depth + 1;
  }

  /** Returns the integer of a child that belongs to a row. */
  private long at(ColumnNode node, int child, int row) {
    return node.children.get(child).integers(payload)[row];
  }

  /** Returns an integer that is a length, tag or index below a bound. */
  private int index(ColumnNode node, int row, int bound) {
    long index = at(node, 0, row);
    need(index >= 0 && index < bound);
    return (int) index;
  }

  /** Writes the next value of a column. */
  private void next(ColumnNode node, int depth) {
    int row = node.row++;
    need(row < node.n);
    switch (node.kind) {
      case ColumnNode.PLAIN:
        plain(node);
        return;
      case ColumnNode.INT:
        take(1);
        out.integer(node.integers(payload)[row], (node.form & Integers.UNSIGNED) != 0);
        return;
      case ColumnNode.FLOAT:
        if (node.mode == 0) {
          take(9);
          out.float64(Integers.i64(payload, node.at + 8 * row));
        } else {
          take(5);
          out.float32(Integers.i32(payload, node.at + 4 * row));
        }
        return;
      case ColumnNode.SCALED:
        take(9);
        scaled(node, row);
        return;
      case ColumnNode.TIME:
        take(5);
        time(at(node, 0, row), node.form);
        return;
      case ColumnNode.BYTES:
        if (node.mode == ColumnNode.TERMINATED) terminated(node);
        else body(node, row);
        return;
      case ColumnNode.DICT: {
        if (node.entries == null) node.entries = entries(node.children.get(1), depth);
        Entries entries = node.entries;
        int index = index(node, row, entries.ends.length);
        left -= entries.costs[index];
        values -= entries.values[index];
        need(left >= 0 && values >= 0);
        int from = index == 0 ? 0 : entries.ends[index - 1];
        out.raw(entries.bytes, from, entries.ends[index] - from);
        return;
      }
      case ColumnNode.LIST: {
        int inner = open(depth);
        ColumnNode items = node.children.get(1);
        int length = index(node, row, items.n - items.row + 1);
        out.array(length);
        for (int i = 0; i < length; i++) next(items, inner);
        return;
      }
      case ColumnNode.TUPLE: {
        int inner = open(depth);
        int length = node.children.size();
        out.array(length);
        for (int i = 0; i < length; i++) next(node.children.get(i), inner);
        return;
      }
      case ColumnNode.STRUCT:
        struct(node, row, open(depth));
        return;
      case ColumnNode.MAP: {
        int inner = open(depth);
        ColumnNode keys = node.children.get(1);
        int length = index(node, row, keys.n - keys.row + 1);
        out.map(length);
        for (int i = 0; i < length; i++) {
          next(keys, inner);
          next(node.children.get(2), inner);
        }
        return;
      }
      default:
        next(node.children.get(1 + index(node, row, node.children.size() - 1)), depth);
    }
  }

  private void struct(ColumnNode node, int row, int depth) {
    if (node.shapes == null) {
      int length = node.keys.length;
      out.map(length);
      for (int i = 0; i < length; i++) {
        key(node.keys[i]);
        next(node.children.get(i), depth);
      }
      return;
    }
    int[] shape = node.shapes[index(node, row, node.shapes.length)];
    out.map(shape.length);
    for (int key : shape) {
      key(node.keys[key]);
      next(node.children.get(1 + key), depth);
    }
  }

  private void key(byte[] key) {
    int header = Marker.strPayload(key, 0);
    take(1 + key.length - header);
    out.raw(key, 0, key.length);
  }

  private void scaled(ColumnNode node, int row) {
    long mantissa = at(node, 0, row);
    need(Math.abs(mantissa) < Decimals.LIMIT && mantissa != Long.MIN_VALUE);
    long bits = Decimals.bits(mantissa, Decimals.POWERS[node.form & Decimals.DIGITS]);
    if (node.form >= Decimals.HAS_REST) bits += at(node, 1, row);
    out.float64(bits);
  }

  private void time(long value, int digits) {
    long unit = (long) Decimals.POWERS[digits];
    out.time(Math.floorDiv(value, unit), Math.floorMod(value, unit) * (long) Decimals.POWERS[9 - digits]);
  }

  /** A str that ends with a byte 00. */
  private void terminated(ColumnNode node) {
    int from = node.next;
    int sectionEnd = node.at + node.size;
    int to = from;
    while (to < sectionEnd && payload[to] != 0) to++;
    need(to < sectionEnd);
    str(from, to);
    node.next = to + 1;
  }

  private void body(ColumnNode node, int row) {
    int from = node.next;
    int length = index(node, row, node.at + node.size - from + 1);
    node.next = from + length;
    if (node.mode == ColumnNode.STR) {
      str(from, node.next);
      return;
    }
    take(node.headerSize() + (long) length);
    if (node.mode == ColumnNode.BIN) out.bin(length);
    else out.ext(node.form, length);
    out.raw(payload, from, length);
  }

  private void str(int from, int to) {
    take(1 + (long) to - from);
    // The reader finds what is ill-formed, unless it is allowed to replace it: here it is a fault.
    need(!checksUtf8 || Utf8.firstInvalid(payload, from, to) < 0);
    out.str(to - from);
    out.raw(payload, from, to - from);
  }

  /** Writes the next value of PLAIN. */
  private void plain(ColumnNode node) {
    int from = node.next;
    PlainCursor cursor = new PlainCursor(payload, from, node.at + node.size);
    cursor.next();
    left -= cursor.at - from;
    values -= cursor.count;
    need(left >= 0 && values >= 0);
    out.raw(payload, from, cursor.at - from);
    node.next = cursor.at;
  }

  /** Writes the entries of a dictionary, which take from a budget of their own. */
  private Entries entries(ColumnNode column, int depth) {
    PlainOutput outerOut = out;
    long outerLeft = left;
    long outerValues = values;
    long outerBefore = entryBefore;
    long before = dictionaries;
    out = new PlainOutput(64);
    int[] ends = new int[column.n];
    long[] costs = new long[column.n];
    long[] counts = new long[column.n];
    for (int i = 0; i < column.n; i++) {
      entryBefore = dictionaries;
      left = dictionaries;
      values = Long.MAX_VALUE;
      next(column, depth);
      costs[i] = entryBefore - left;
      counts[i] = Long.MAX_VALUE - values;
      dictionaries -= costs[i];
      ends[i] = out.size;
    }
    Entries entries = new Entries(out.array(), ends, costs, counts);
    out = outerOut;
    values = outerValues;
    // Within the entry of a dictionary around this one, both take from the same budget.
    long taken = outerBefore < 0 ? 0 : before - dictionaries;
    left = outerLeft - taken;
    entryBefore = outerBefore - taken;
    return entries;
  }
}
