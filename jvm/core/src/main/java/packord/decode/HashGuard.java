package packord.decode;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;

/** Notices keys that were chosen so that their hashes collide. */
final class HashGuard {
    private static final int SMALL = 32;
    private static final int ALLOWED = 16;
    private static final int MAX_BITS = 20;

    /** The keywords that were made of names in the messages of this process. */
    static final Table KEYWORDS = new Table();

    private HashGuard() {}

    /**
     * What was put into a table of the whole process since the last garbage collection, which takes out what nobody
     * uses: names that come again are then new again.
     */
    static final class Table {
        private static final int BITS = 17;
        private static final int FIRST = 64;
        private static final int EACH = 8;

        /** The counts of hashes since a collection, which clears the reference. */
        private static final class Period extends WeakReference<Object> {
            final AtomicIntegerArray counts = new AtomicIntegerArray(1 << BITS);
            final LongAdder total = new LongAdder();

            Period() {
                super(new Object());
            }
        }

        private volatile Period period = new Period();

        /** Adds a new key. Returns true, and does not, if more share its hash than chance explains. */
        boolean isAttack(int hash) {
            Period now = period;
            if (now.get() == null) period = now = new Period();
            // Names in a row have hashes in a row, so that all bits must count.
            int mixed = (hash ^ hash >>> 16) * 0x85EBCA6B;
            int slot = (mixed ^ mixed >>> 13) * 0xC2B2AE35 >>> 32 - BITS;
            if (now.counts.get(slot) >= FIRST + EACH * (now.total.sum() >>> BITS)) return true;
            now.counts.incrementAndGet(slot);
            now.total.increment();
            return false;
        }
    }

    /** Whether the keys collide so often that a hash table would be slow. */
    static boolean isAttack(Object[] kv, ToIntFunction<Object> hash) {
        int keys = kv.length / 2;
        if (keys <= SMALL) return false;
        int bits = Math.min(32 - Integer.numberOfLeadingZeros(keys - 1), MAX_BITS);
        int[] count = new int[1 << bits];
        int max = 0;
        for (int i = 0; i < kv.length; i += 2) {
            int slot = (kv[i] == null ? 0 : hash.applyAsInt(kv[i])) * 0x9E3779B9 >>> 32 - bits;
            max = Math.max(max, ++count[slot]);
        }
        return max > ALLOWED + 4 * (keys >> bits);
    }

    /**
     * Adds up the cost of putting keys into a table that searches all keys of the same hash, as Java's does for keys
     * that it cannot compare.
     */
    static final class Cost {
        private static final int FIRST = 500;
        private static final int EACH = 8;
        private int[] hashes = new int[64];
        private int[] counts = new int[64];
        private int total;
        private int distinct;
        private long steps;

        /**
         * Adds a hash. Returns true if the keys found more than {@value #EACH} others of their hash on average, which
         * happens only with keys that were made to collide.
         */
        boolean isAttack(int hash) {
            if (2 * distinct >= hashes.length) grow();
            int slot = find(hash);
            if (counts[slot] == 0) {
                hashes[slot] = hash;
                distinct++;
            }
            steps += counts[slot]++;
            return steps > FIRST + (long) EACH * ++total;
        }

        private int find(int hash) {
            int mask = hashes.length - 1;
            int slot = hash * 0x9E3779B9 >>> 16 & mask;
            while (counts[slot] != 0 && hashes[slot] != hash) slot = slot + 1 & mask;
            return slot;
        }

        private void grow() {
            int[] oldHashes = hashes;
            int[] oldCounts = counts;
            hashes = new int[2 * oldHashes.length];
            counts = new int[hashes.length];
            for (int old = 0; old < oldHashes.length; old++) {
                if (oldCounts[old] == 0) continue;
                int slot = find(oldHashes[old]);
                hashes[slot] = oldHashes[old];
                counts[slot] = oldCounts[old];
            }
        }
    }
}
