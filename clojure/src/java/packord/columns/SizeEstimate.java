package packord.columns;

import java.util.Arrays;

/** Estimates the size of bytes after compression: {@code spec/columns.md} section 6.3. */
public final class SizeEstimate {
  private static final int SLOTS = 1 << 14;
  private static final int HASH = (int) 2654435761L;
  private static final int WINDOW = 32768;
  private static final int LONGEST = 258;
  private static final int MATCH_BITS = 7;

  /** Where each hash was seen last, plus 1. */
  private final int[] seen = new int[SLOTS];

  private final long[] literals = new long[256];

  /** Returns E of some bytes. */
  public long of(byte[] bytes, int from, int to) {
    Arrays.fill(seen, 0);
    Arrays.fill(literals, 0);
    long bits = 0;
    int i = from;
    while (to - i >= 4) {
      int word = Integers.i32(bytes, i);
      int slot = word * HASH >>> 18;
      int candidate = seen[slot] - 1 + from;
      seen[slot] = i - from + 1;
      if (candidate < from || i - candidate > WINDOW || Integers.i32(bytes, candidate) != word) {
        literals[bytes[i++] & 0xff]++;
        continue;
      }
      int length = matching(bytes, candidate, i, Math.min(LONGEST, to - i));
      bits += MATCH_BITS + bitLength(i - candidate) + bitLength(length) / 2;
      i += length;
    }
    for (; i < to; i++) literals[bytes[i] & 0xff]++;
    return (literalBits() + bits) / 8;
  }

  private static int matching(byte[] bytes, int candidate, int at, int limit) {
    int length = 4;
    while (limit - length >= 8) {
      long difference = Integers.i64(bytes, candidate + length) ^ Integers.i64(bytes, at + length);
      if (difference != 0) return length + Long.numberOfTrailingZeros(difference) / 8;
      length += 8;
    }
    while (length < limit && bytes[candidate + length] == bytes[at + length]) length++;
    return length;
  }

  private long literalBits() {
    long all = 0;
    for (long count : literals) all += count;
    long bits = 0;
    for (long count : literals) {
      if (count > 0) bits += count * (logarithm(all) - logarithm(count));
    }
    return bits / 16;
  }

  private static int bitLength(int number) {
    return 32 - Integer.numberOfLeadingZeros(number);
  }

  /** Returns 16 times the binary logarithm; its fraction is that of the next four bits. */
  private static long logarithm(long number) {
    int whole = 63 - Long.numberOfLeadingZeros(number);
    return 16L * whole + (number * 16 >> whole) - 16;
  }
}
