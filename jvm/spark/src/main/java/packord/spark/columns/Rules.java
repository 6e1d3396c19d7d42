package packord.spark.columns;

import packord.ErrorKind;

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

    /** A value that its column's type cannot hold, or more memory than the bytes of a block can account for. */
    public static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** What is at fault. */
        public final ErrorKind kind;

        Broken(ErrorKind kind, String message) {
            super(message, null, false, false);
            this.kind = kind;
        }
    }

    /** Takes the memory of values. */
    void take(int values) {
        left -= PER_VALUE * values;
        if (left < 0) {
            throw new Broken(ErrorKind.LENGTH_LIMIT, "rows that are small in the file take too much memory as columns");
        }
    }
}
