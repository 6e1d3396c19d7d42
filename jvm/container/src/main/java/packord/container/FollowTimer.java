package packord.container;

import java.time.Duration;

/** Waits at the end of a growing file. {@link #stop} may be called by another thread. */
final class FollowTimer {
    private static final long POLL_MILLIS = 20;

    private final Duration most;
    volatile boolean stopped;
    private boolean waits;
    private long since;

    FollowTimer(Duration most) {
        this.most = most;
    }

    /** Notes that bytes have arrived. */
    void arrived() {
        waits = false;
    }

    /** Ends all waiting. */
    void stop() {
        stopped = true;
    }

    /** Waits a while. Returns false when that has taken as long as it may. */
    boolean again() {
        if (stopped) return false;
        if (!waits) since = System.nanoTime();
        waits = true;
        if (Duration.ofNanos(System.nanoTime() - since).compareTo(most) >= 0) {
            waits = false;
            return false;
        }
        try {
            Thread.sleep(POLL_MILLIS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
