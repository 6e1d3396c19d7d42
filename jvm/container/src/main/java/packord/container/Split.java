package packord.container;

import java.io.Serializable;

/**
 * A range of a container file: the blocks whose mark begins in it. Splits are made by {@link ContainerReader#splits},
 * sent to other machines, and read there with {@link ReadOptions.Builder#split}.
 */
public final class Split implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long from;
    private final long to;

    /** Makes a split. If {@code to} is not after {@code from}, nothing is in it. */
    public Split(long from, long to) {
        if (from < 0 || to < 0) throw new IllegalArgumentException("split [" + from + ", " + to + ")");
        this.from = from;
        this.to = to;
    }

    /** Returns the first offset in it, in bytes from the start of the file. */
    public long from() {
        return from;
    }

    /** Returns the first offset after it, in bytes from the start of the file. */
    public long to() {
        return to;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Split && from == ((Split) other).from && to == ((Split) other).to;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(from) * 31 + Long.hashCode(to);
    }

    @Override
    public String toString() {
        return "[" + from + ", " + to + ")";
    }
}
