package packord;

import java.time.Instant;

/**
 * A point in time of MessagePack's full range: seconds since 1970-01-01T00:00:00Z as a long, and nanoseconds that are
 * always added. Read where {@link Instant} cannot hold the value; written as ext type -1 in its smallest format
 * ({@code spec/extensions.md} section 1).
 */
public final class Timestamp {
    private final long seconds;
    private final int nanos;

    /** Makes a timestamp. Nanoseconds are 0 to 999,999,999. */
    public Timestamp(long seconds, int nanos) {
        if (nanos < 0 || nanos > 999_999_999) throw new IllegalArgumentException("nanos " + nanos);
        this.seconds = seconds;
        this.nanos = nanos;
    }

    /** Seconds since the epoch. */
    public long seconds() {
        return seconds;
    }

    /** Nanoseconds to add to the seconds, 0 to 999,999,999. */
    public int nanos() {
        return nanos;
    }

    /**
     * The same point in time as an Instant.
     *
     * @throws java.time.DateTimeException outside the years -1000000000 to 1000000000
     */
    public Instant toInstant() {
        return Instant.ofEpochSecond(seconds, nanos);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Timestamp
                && seconds == ((Timestamp) other).seconds
                && nanos == ((Timestamp) other).nanos;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(seconds) * 31 + nanos;
    }

    @Override
    public String toString() {
        return "timestamp(" + seconds + ", " + nanos + ")";
    }
}
