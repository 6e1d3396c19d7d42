package packord.columns;

import static packord.columns.MalformedColumns.need;

import packord.wire.Marker;

/**
 * Counts what the columns of a payload stand for, column by column: the budget of {@code
 * spec/columns.md} section 4, before a value is made. What this accepts can be read column by
 * column without another check of lengths, indexes and tags. It may refuse what {@link Expansion}
 * accepts, such as dictionaries with entries that no row has.
 */
final class Costs {
  /** What each row of a column takes. */
  private static final class Rows {
    final long[] bytes;
    final long[] values;

    Rows(int n) {
      bytes = new long[n];
      values = new long[n];
    }

    void take(int row, Rows from, int index) {
      bytes[row] += from.bytes[index];
      values[row] += from.values[index];
    }

    void take(int row, long size) {
      bytes[row] += size;
      values[row]++;
    }
  }

  private final byte[] payload;
  private final long maxDepth;
  private long left;
  private long values;
  private long dictionaries;

  private Costs(byte[] payload, long plainSize, long values, long maxDepth) {
    this.payload = payload;
    this.maxDepth = maxDepth;
    this.left = plainSize;
    this.values = values;
    dictionaries = plainSize;
  }

  /**
   * Checks everything but the payloads of str and ext.
   *
   * @throws MalformedColumns when a rule is broken, or when the rows have to be made one by one
   */
  static void check(byte[] payload, ColumnNode root, long plainSize, long values, long maxDepth) {
    Costs costs = new Costs(payload, plainSize, values, maxDepth);
    costs.all(root, 0);
    need(costs.values == 0);
  }

  /** Makes the same checks for one column, without those around it. */
  static void checkColumn(byte[] payload, ColumnNode node, long plainSize, long values, long maxDepth) {
    new Costs(payload, plainSize, values, maxDepth).all(node, 0);
  }

  private void take(long bytes, long count) {
    left -= bytes;
    values -= count;
    need(left >= 0 && values >= 0);
  }

  private int open(ColumnNode node, int depth) {
    need(node.n == 0 || depth < maxDepth);
    return depth + 1;
  }

  private static long keySize(byte[] key) {
    return 1L + key.length - Marker.strPayload(key, 0);
  }

  /** Returns the integers of the first child, each from 0 up and below a bound. */
  private long[] indexes(ColumnNode node, long bound) {
    long[] indexes = node.children.get(0).integers(payload);
    for (long index : indexes) need(index >= 0 && index < bound);
    return indexes;
  }

  /** Returns the sizes of rows, whose sum is that of what is divided. */
  private long[] sizes(ColumnNode node, long sum) {
    long[] sizes = indexes(node, sum + 1);
    long left = sum;
    for (long size : sizes) left -= size;
    need(left == 0);
    return sizes;
  }

  /** Takes what all rows of a column take. */
  private void all(ColumnNode node, int depth) {
    long n = node.n;
    need(n <= left);
    switch (node.kind) {
      case ColumnNode.PLAIN: {
        PlainCursor cursor = new PlainCursor(payload, node.at, node.at + node.size);
        for (int i = 0; i < n; i++) cursor.next();
        need(cursor.at == node.at + node.size);
        take(node.size, cursor.count);
        return;
      }
      case ColumnNode.BYTES:
        if (node.mode != ColumnNode.TERMINATED) sizes(node, node.size);
        take(node.size + n * node.headerSize(), n);
        return;
      case ColumnNode.DICT:
        dictionary(node, depth);
        return;
      case ColumnNode.LIST:
      case ColumnNode.MAP: {
        take(n, n);
        int inner = open(node, depth);
        sizes(node, node.children.get(1).n);
        for (int i = 1; i < node.children.size(); i++) all(node.children.get(i), inner);
        return;
      }
      case ColumnNode.TUPLE: {
        take(n, n);
        int inner = open(node, depth);
        for (ColumnNode child : node.children) all(child, inner);
        return;
      }
      case ColumnNode.STRUCT: {
        take(n, n);
        int inner = open(node, depth);
        int first = node.shapes == null ? 0 : 1;
        if (first == 1) checkShapes(node);
        for (int i = 0; i < node.keys.length; i++) {
          ColumnNode child = node.children.get(first + i);
          take(keySize(node.keys[i]) * child.n, child.n);
          all(child, inner);
        }
        return;
      }
      case ColumnNode.UNION: {
        checkTags(node);
        for (int i = 1; i < node.children.size(); i++) all(node.children.get(i), depth);
        return;
      }
      default:
        take(scalar(node) * n, n);
    }
  }

  /** Returns what a row takes of a column of numbers or timestamps. */
  private long scalar(ColumnNode node) {
    switch (node.kind) {
      case ColumnNode.INT: return 1;
      case ColumnNode.TIME: return 5;
      case ColumnNode.FLOAT: return 1 + node.zone;
      default:
        for (long mantissa : node.children.get(0).integers(payload)) {
          need(mantissa < Decimals.LIMIT && mantissa > -Decimals.LIMIT);
        }
        return 9;
    }
  }

  private void checkShapes(ColumnNode node) {
    int[] rows = new int[node.shapes.length];
    for (long shape : indexes(node, rows.length)) rows[(int) shape]++;
    long[] counts = new long[node.keys.length];
    for (int i = 0; i < rows.length; i++) for (int key : node.shapes[i]) counts[key] += rows[i];
    for (int i = 0; i < counts.length; i++) need(counts[i] == node.children.get(1 + i).n);
  }

  private void checkTags(ColumnNode node) {
    int[] counts = new int[node.children.size() - 1];
    for (long tag : indexes(node, counts.length)) counts[(int) tag]++;
    for (int i = 0; i < counts.length; i++) need(counts[i] == node.children.get(1 + i).n);
  }

  private void dictionary(ColumnNode node, int depth) {
    Rows entries = entries(node, depth);
    long bytes = 0;
    long count = 0;
    for (long index : node.children.get(0).integers(payload)) {
      bytes += entries.bytes[(int) index];
      count += entries.values[(int) index];
      need(bytes <= left);
    }
    checkUse(entries, bytes);
    take(bytes, count);
  }

  /** Rows take as much as all entries at least, so that these are not much larger than the value. */
  private static void checkUse(Rows entries, long taken) {
    long sum = 0;
    for (long bytes : entries.bytes) sum += bytes;
    need(sum <= taken);
  }

  /** Returns what the entries of a dictionary take, from a budget of their own. */
  private Rows entries(ColumnNode node, int depth) {
    ColumnNode column = node.children.get(1);
    Rows entries = rows(column, depth);
    for (long bytes : entries.bytes) {
      dictionaries -= bytes;
      need(dictionaries >= 0);
    }
    indexes(node, column.n);
    return entries;
  }

  // ---------------------------------------------------------------- row by row

  /** Returns what each row of a column within entries takes. */
  private Rows rows(ColumnNode node, int depth) {
    need(node.n <= left);
    Rows rows = new Rows(node.n);
    switch (node.kind) {
      case ColumnNode.PLAIN: {
        PlainCursor cursor = new PlainCursor(payload, node.at, node.at + node.size);
        for (int i = 0; i < node.n; i++) {
          int from = cursor.at;
          cursor.count = 0;
          cursor.next();
          rows.bytes[i] = cursor.at - from;
          rows.values[i] = cursor.count;
        }
        need(cursor.at == node.at + node.size);
        return rows;
      }
      case ColumnNode.BYTES:
        if (node.mode == ColumnNode.TERMINATED) terminated(node, rows);
        else {
          long[] sizes = sizes(node, node.size);
          for (int i = 0; i < node.n; i++) rows.take(i, node.headerSize() + sizes[i]);
        }
        return rows;
      case ColumnNode.DICT: {
        Rows entries = entries(node, depth);
        long[] indexes = node.children.get(0).integers(payload);
        long taken = 0;
        for (int i = 0; i < node.n; i++) {
          rows.take(i, entries, (int) indexes[i]);
          taken += rows.bytes[i];
          need(taken <= left);
        }
        checkUse(entries, taken);
        return rows;
      }
      case ColumnNode.UNION: {
        checkTags(node);
        int[] next = new int[node.children.size() - 1];
        Rows[] branches = new Rows[next.length];
        for (int i = 0; i < next.length; i++) branches[i] = rows(node.children.get(1 + i), depth);
        long[] tags = node.children.get(0).integers(payload);
        for (int i = 0; i < node.n; i++) rows.take(i, branches[(int) tags[i]], next[(int) tags[i]]++);
        return rows;
      }
      case ColumnNode.LIST:
      case ColumnNode.MAP:
      case ColumnNode.TUPLE:
      case ColumnNode.STRUCT:
        for (int i = 0; i < node.n; i++) rows.take(i, 1);
        containers(node, rows, open(node, depth));
        return rows;
      default: {
        long size = scalar(node);
        for (int i = 0; i < node.n; i++) rows.take(i, size);
        return rows;
      }
    }
  }

  private void terminated(ColumnNode node, Rows rows) {
    int at = node.at;
    int end = at + node.size;
    for (int i = 0; i < node.n; i++) {
      int from = at;
      while (at < end && payload[at] != 0) at++;
      need(at < end);
      rows.take(i, ++at - from);
    }
    need(at == end);
  }

  private void containers(ColumnNode node, Rows rows, int depth) {
    if (node.kind == ColumnNode.LIST || node.kind == ColumnNode.MAP) {
      long[] sizes = sizes(node, node.children.get(1).n);
      for (int i = 1; i < node.children.size(); i++) {
        Rows inner = rows(node.children.get(i), depth);
        int next = 0;
        for (int j = 0; j < node.n; j++) for (long k = sizes[j]; k > 0; k--) rows.take(j, inner, next++);
      }
      return;
    }
    boolean hasShapes = node.kind == ColumnNode.STRUCT && node.shapes != null;
    if (hasShapes) checkShapes(node);
    int first = hasShapes ? 1 : 0;
    Rows[] columns = new Rows[node.children.size() - first];
    for (int i = 0; i < columns.length; i++) columns[i] = rows(node.children.get(first + i), depth);
    int[] next = new int[columns.length];
    for (int i = 0; i < node.n; i++) {
      int[] shape = hasShapes ? node.shapes[(int) node.children.get(0).integers(payload)[i]] : null;
      for (int k = 0; k < (shape == null ? columns.length : shape.length); k++) {
        int key = shape == null ? k : shape[k];
        if (node.kind == ColumnNode.STRUCT) rows.take(i, keySize(node.keys[key]));
        rows.take(i, columns[key], next[key]++);
      }
    }
  }
}
