package packord.columns;

/**
 * Writes float 64: as decimal numbers where their bits allow it, by {@code spec/columns.md} section
 * 6.6.
 */
final class FloatColumns {
  private static final int MOST_EXACT = 15;
  private static final int MOST_NEAR = 12;
  private static final int SAMPLE = 64;
  private static final int WIDEST = 6;

  private final NodeOutput out;
  private final IntegerColumns integers;

  /** The rows: their bits, and m and r of those that are decimal. */
  private long[] bits;

  private long[] mantissas;
  private long[] rests;
  private boolean[] isException;

  FloatColumns(NodeOutput out, IntegerColumns integers) {
    this.out = out;
    this.integers = integers;
  }

  /** Writes floats as their bits. */
  void plain(long[] values, int n) {
    out.entry(ColumnNode.FLOAT, 0);
    GrowingBytes zone = out.zone(8);
    zone.room(8L * n);
    for (int i = 0; i < n; i++) zone.little(values[i], 8);
  }

  /** Writes floats of these bits. */
  void write(long[] values, int n) {
    bits = values;
    mantissas = new long[n];
    rests = null;
    isException = new boolean[n];
    int exponent = exact(n);
    int count = exponent < 0 ? n : exceptions(n, exponent, false);
    if (16L * count > n) {
      rests = new long[n];
      exponent = near(Math.min(n, SAMPLE));
      count = exceptions(n, exponent, true);
    }
    if (16L * count > n || isWide(n)) plain(values, n);
    else decimal(n, count, exponent);
    bits = mantissas = rests = null;
    isException = null;
  }

  /** Returns m, or {@link Long#MIN_VALUE} if there is none. */
  private static long mantissa(double value, double power) {
    double scaled = value * power;
    if (!(Math.abs(scaled) < Decimals.LIMIT)) return Long.MIN_VALUE;
    long mantissa = (long) (value < 0 ? scaled - 0.5 : scaled + 0.5);
    return Math.abs(mantissa) == Decimals.LIMIT ? Long.MIN_VALUE : mantissa;
  }

  private static boolean isExact(long bits, double value, double power) {
    long mantissa = mantissa(value, power);
    return mantissa != Long.MIN_VALUE && Decimals.bits(mantissa, power) == bits;
  }

  private static boolean isNear(long bits, double value, double power) {
    long mantissa = mantissa(value, power);
    return mantissa != Long.MIN_VALUE && isByte(bits - Decimals.bits(mantissa, power));
  }

  private static boolean isByte(long number) {
    return number == (byte) number;
  }

  /** Returns the exponent of the exact form, or -1 if there are too many exceptions with any. */
  private int exact(int n) {
    int exponent = 0;
    int never = 0;
    for (int i = 0; i < n; i++) {
      double value = Double.longBitsToDouble(bits[i]);
      int e = exponent;
      while (e <= MOST_EXACT && !isExact(bits[i], value, Decimals.POWERS[e])) e++;
      if (e <= MOST_EXACT) exponent = e;
      else if (16L * ++never > n) return -1;
    }
    return exponent;
  }

  private int near(int n) {
    int exponent = 0;
    for (int i = 0; i < n; i++) {
      double value = Double.longBitsToDouble(bits[i]);
      int e = exponent;
      while (e <= MOST_NEAR && !isNear(bits[i], value, Decimals.POWERS[e])) e++;
      if (e <= MOST_NEAR) exponent = e;
    }
    return exponent;
  }

  /** Finds m, and r if there are rests, of all rows; returns the number of exceptions. */
  private int exceptions(int n, int exponent, boolean hasRests) {
    double power = Decimals.POWERS[exponent];
    int count = 0;
    for (int i = 0; i < n; i++) {
      long mantissa = mantissa(Double.longBitsToDouble(bits[i]), power);
      boolean fits = mantissa != Long.MIN_VALUE;
      if (fits) {
        long rest = bits[i] - Decimals.bits(mantissa, power);
        fits = hasRests ? isByte(rest) : rest == 0;
        mantissas[i] = mantissa;
        if (hasRests) rests[i] = rest;
      }
      isException[i] = !fits;
      if (!fits) count++;
    }
    return count;
  }

  private boolean isWide(int n) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < n; i++) {
      if (isException[i]) continue;
      min = Math.min(min, mantissas[i]);
      max = Math.max(max, mantissas[i]);
    }
    return IntegerColumns.width(max - min) + (rests == null ? 0 : 1) > WIDEST;
  }

  private void decimal(int n, int exceptions, int exponent) {
    long[] others = new long[exceptions];
    int kept = n - exceptions;
    if (exceptions > 0) {
      out.entry(ColumnNode.UNION, 0);
      out.uint(2);
      out.uint(kept);
      out.uint(exceptions);
      long[] tags = new long[n];
      int from = 0;
      int other = 0;
      for (int i = 0; i < n; i++) {
        if (isException[i]) {
          tags[i] = 1;
          others[other++] = bits[i];
        } else {
          mantissas[from] = mantissas[i];
          if (rests != null) rests[from] = rests[i];
          from++;
        }
      }
      integers.simple(tags, n);
    }
    out.entry(ColumnNode.SCALED, 0);
    out.directory.u8(exponent | (rests == null ? 0 : Decimals.HAS_REST));
    integers.write(mantissas, kept, false);
    if (rests != null) integers.simple(rests, kept);
    if (exceptions > 0) plain(others, exceptions);
  }
}
