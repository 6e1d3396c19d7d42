package packord.container;

import java.util.List;

/** What is known of the values at one path in the rows of a block: {@code spec/container.md} section 4. */
public final class PathStatistics {
    private final long nulls;
    private final Object min;
    private final Object max;

    PathStatistics(long nulls, Object min, Object max) {
        this.nulls = nulls;
        this.min = min;
        this.max = max;
    }

    /** Returns what an index has for a path, or null if it has another form. */
    static PathStatistics of(List<?> values) {
        if (values.size() < 3 || !(values.get(0) instanceof Long) || (Long) values.get(0) < 0) return null;
        CellValue min = CellValue.of(values.get(1));
        CellValue max = CellValue.of(values.get(2));
        boolean isRight = min.isBound() && max.isBound();
        boolean both = values.get(1) != null && values.get(2) != null;
        if (!isRight || both && min.type != max.type) return null;
        return new PathStatistics((Long) values.get(0), values.get(1), values.get(2));
    }

    /** Returns the number of rows in which the value is nil or missing. */
    public long nulls() {
        return nulls;
    }

    /**
     * Returns a value that no other value in the block is below: a Long, BigInteger, Double, String,
     * {@link java.time.Instant} or {@link packord.Timestamp}; null if there is none.
     */
    public Object min() {
        return min;
    }

    /** Returns a value that no other value in the block is above. */
    public Object max() {
        return max;
    }

    @Override
    public String toString() {
        return "nulls " + nulls + ", " + min + " … " + max;
    }
}
