package packord.columns;

import java.util.Arrays;
import packord.wire.Marker;

/** The different values of a column, by {@code spec/columns.md} section 6.4. */
final class Dictionary {
  private static final int FEWEST_ROWS = 16;
  private static final int MOST_NUMBERS = 4096;
  private static final int SAMPLE = 2048;
  private static final int FEW = 32;

  private final ByteRanges ranges = new ByteRanges();
  private int[] entries;
  private long[] indexes;

  /** Finds the entries. Returns false if the column is not to be a dictionary. */
  boolean build(Tape tape, int[] rows, int n, long size, int type) {
    if (n < FEWEST_ROWS) return false;
    indexes = new long[n];
    if (type == Tape.BOOL) {
      bools(tape, rows, n);
      return true;
    }
    boolean found = find(tape, rows, n, most(n, type));
    ranges.clear();
    return found && isSmaller(tape, n, size, type);
  }

  /** Returns the number of entries. */
  int size() {
    return entries.length;
  }

  /** Returns the first row of each entry. */
  int[] entries() {
    return entries;
  }

  /** Returns the entry of each row. */
  long[] indexes() {
    return indexes;
  }

  /** Lets go of what was found. */
  void clear() {
    entries = null;
    indexes = null;
  }

  private static int most(int n, int type) {
    if (type == Tape.ARRAY || type == Tape.MAP) return n / 4;
    return type >= Tape.STR ? n / 2 : Math.min(n / 8, MOST_NUMBERS);
  }

  /** The rows are not all equal, so both values occur. */
  private void bools(Tape tape, int[] rows, int n) {
    entries = new int[2];
    for (int i = 0; i < n; i++) {
      int isTrue = tape.marker(rows[i]) - Marker.FALSE;
      indexes[i] = isTrue;
      entries[isTrue] = rows[i];
    }
  }

  private boolean find(Tape tape, int[] rows, int n, int most) {
    byte[] bytes = tape.bytes;
    int[] firsts = new int[Math.min(FEW, most) + 1];
    int count = 0;
    for (int i = 0; i < n; i++) {
      int row = rows[i];
      int place = ranges.place(bytes, tape.at(row), tape.end(row));
      indexes[i] = place;
      if (place == count) {
        if (count == most) return false;
        if (count == firsts.length) firsts = Arrays.copyOf(firsts, 2 * count);
        firsts[count++] = row;
      }
      if (i < SAMPLE && count > FEW && 8 * count > 7 * (i + 1)) return false;
    }
    entries = Arrays.copyOf(firsts, count);
    return true;
  }

  private boolean isSmaller(Tape tape, int n, long size, int type) {
    long sum = 0;
    for (int entry : entries) sum += tape.size(entry);
    int width = entries.length <= 1 << 8 ? 1 : entries.length <= 1 << 16 ? 2 : 4;
    long taken = sum + (long) n * width + 16;
    if (type >= Tape.STR) return 8 * taken <= 7 * size;
    if (type != Tape.INT) return 3 * taken <= size;
    return size > n + n / 8 && 8 * taken <= 5 * size && span(tape) > width;
  }

  /** Returns the bytes of the difference of the largest and the smallest integer, at most 8. */
  private int span(Tape tape) {
    boolean hasLarge = false;
    boolean hasNegative = false;
    for (int entry : entries) {
      if (tape.isLarge(entry)) hasLarge = true;
      else hasNegative |= tape.integer(entry) < 0;
    }
    if (hasLarge && hasNegative) return 8;
    long flip = hasLarge ? Long.MIN_VALUE : 0;
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int entry : entries) {
      long value = tape.integer(entry) ^ flip;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    return IntegerColumns.width(max - min);
  }
}
