package packord.spark.columns;

/** What holds for all builders of the columns of a reader. For one thread. */
public final class Rules {
  /** What the vectors of a batch may take beside what their values take, so that small files never exceed it. */
  private static final long ALWAYS = 64 << 20;

  /** What they may take for each byte of the body. */
  private static final long PER_BYTE = 128;

  /** What a value takes in most vectors. */
  private static final long PER_VALUE = 16;

  final boolean isStrict;
  private long left;

  /**
   * Makes rules.
   *
   * @param isStrict whether a value that its type cannot hold is an error; else it is null
   */
  public Rules(boolean isStrict) {
    this.isStrict = isStrict;
  }

  /**
   * Begins a batch.
   *
   * @param bodySize the bytes from which it is read
   */
  public void begin(int bodySize) {
    left = ALWAYS + PER_BYTE * bodySize;
  }

  /** Thrown where vectors would take more memory than the bytes they are read from can account for. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Exceeded() {
      super("rows that are small in the file take too much memory as columns", null, false, false);
    }
  }

  /** Takes the memory of values. */
  void take(int values) {
    left -= PER_VALUE * values;
    if (left < 0) throw new Exceeded();
  }
}
