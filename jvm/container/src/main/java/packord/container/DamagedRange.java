package packord.container;

import packord.PackordException;

/** A part of a container file that a reader has passed over; {@link ContainerReader#damaged()}. */
public final class DamagedRange {
    private final long from;
    private final long to;
    private final PackordException error;

    DamagedRange(long from, long to, PackordException error) {
        this.from = from;
        this.to = to;
        this.error = error;
    }

    /** Returns a range that goes on to a later end. */
    DamagedRange to(long end) {
        return new DamagedRange(from, end, error);
    }

    /**
     * Returns where the range begins: at the mark of the block at fault, or where a mark was expected, in bytes from
     * the start of the file.
     */
    public long from() {
        return from;
    }

    /**
     * Returns where the range ends: at the next mark, or at the end of the file, in bytes from the start of the file.
     */
    public long to() {
        return to;
    }

    /** Returns what is wrong there: the error that a reader without {@code skipDamaged} throws. */
    public PackordException error() {
        return error;
    }

    @Override
    public String toString() {
        return "[" + from + ", " + to + "): " + error.getMessage();
    }
}
