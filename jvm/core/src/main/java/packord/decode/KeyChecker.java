package packord.decode;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import packord.ErrorKind;
import packord.wire.CanonicalForm;

/** Finds a key that occurs twice, or out of canonical order, in one map. */
final class KeyChecker {
    private final KeyIdentity identity;
    private final Set<Object> seen;
    private int[] ranges = new int[16];
    private int keys;

    /** Makes a checker; {@code identity} is null if keys must be in canonical order. */
    KeyChecker(KeyIdentity identity, int expected) {
        this.identity = identity;
        this.seen = identity == null ? null : new HashSet<>(Math.min(expected * 2, 1 << 16));
    }

    /** Returns the fault of the key that was read from {@code bytes[from, to)}, or null. */
    ErrorKind check(byte[] bytes, int from, int to, Object key) {
        if (identity != null) {
            return seen.add(identity.of(bytes, from, to, key)) ? null : ErrorKind.DUPLICATE_KEY;
        }
        int order = keys == 0 ? -1 : compareWith(keys - 1, bytes, from, to);
        if (order > 0) {
            return isRepeated(bytes, from, to) ? ErrorKind.DUPLICATE_KEY : ErrorKind.NOT_CANONICAL;
        }
        if (2 * keys == ranges.length) ranges = Arrays.copyOf(ranges, 4 * keys);
        ranges[2 * keys] = from;
        ranges[2 * keys + 1] = to;
        keys++;
        return order < 0 ? null : ErrorKind.DUPLICATE_KEY;
    }

    private int compareWith(int index, byte[] bytes, int from, int to) {
        return CanonicalForm.compareKeys(bytes, ranges[2 * index], ranges[2 * index + 1], bytes, from, to);
    }

    private boolean isRepeated(byte[] bytes, int from, int to) {
        for (int i = 0; i < keys; i++) {
            if (compareWith(i, bytes, from, to) == 0) return true;
        }
        return false;
    }
}
