package packord.columns;

/**
 * A payload that breaks the rules of {@code spec/columns.md}. All such faults are one error, at the marker of the ext.
 */
public final class MalformedColumns extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exception, which has no stack trace. */
    public static final MalformedColumns ONE = new MalformedColumns();

    private MalformedColumns() {
        super(null, null, false, false);
    }

    /** Throws unless a rule holds. */
    public static void need(boolean holds) {
        if (!holds) throw ONE;
    }
}
