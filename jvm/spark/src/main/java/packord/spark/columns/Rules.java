package packord.spark.columns;

/** What holds for all builders of the columns of a reader. For one thread. */
public final class Rules {
    /** Memory that the vectors of a batch may always take, so that small files are never refused. */
    private static final long ALWAYS = 64 << 20;

    /** Memory that they may take in addition, for each byte of the body. */
    private static final long PER_BYTE = 128;

    /** Memory of a value in most vectors. */
    private static final long PER_VALUE = 16;

    final boolean isStrict;
    private long left;

    /** Makes rules. If strict, a value that its type cannot hold is an error; else it is null. */
    public Rules(boolean isStrict) {
        this.isStrict = isStrict;
    }

    /** Begins a batch. It is read from {@code bodySize} bytes. */
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
