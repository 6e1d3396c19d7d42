package packord.columns;

import java.security.SecureRandom;
import java.util.Arrays;
import packord.wire.Bytes;

/**
 * Numbers different ranges of an array of bytes in the order in which they are first seen. The hash has a key that
 * nobody outside of the process knows, so that no input makes it slow.
 */
public final class ByteRanges {
    private static final int FIRST = 64;

    /** A class of its own, which an image that is built ahead of time initialises when it runs. */
    private static final class Key {
        static final long ONE = new SecureRandom().nextLong();
        static final long TWO = new SecureRandom().nextLong();
    }

    /** Places of ranges, each plus 1; 0 is free. The length is a power of two. */
    private int[] slots = new int[2 * FIRST];

    private int[] from = new int[FIRST];
    private int[] length = new int[FIRST];
    private int[] hashes = new int[FIRST];
    private int size;

    /** Returns the number of different ranges. */
    public int size() {
        return size;
    }

    /** Forgets all ranges. */
    public void clear() {
        if (slots.length > 1 << 12) {
            slots = new int[2 * FIRST];
            from = new int[FIRST];
            length = new int[FIRST];
            hashes = new int[FIRST];
        } else if (size > 0) {
            Arrays.fill(slots, 0);
        }
        size = 0;
    }

    /**
     * Returns the number of a range, which is {@link #size} before the call if it is a new one. Each call is to have
     * the same bytes at the same indexes.
     */
    public int place(byte[] bytes, int start, int end) {
        int count = end - start;
        int hash = hash(bytes, start, count);
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            int known = slots[slot] - 1;
            if (hashes[known] == hash
                    && length[known] == count
                    && Arrays.equals(bytes, from[known], from[known] + count, bytes, start, end)) {
                return known;
            }
            slot = slot + 1 & mask;
        }
        if (size == from.length) grow();
        from[size] = start;
        length[size] = count;
        hashes[size] = hash;
        put(size);
        return size++;
    }

    private void put(int place) {
        int mask = slots.length - 1;
        int slot = hashes[place] & mask;
        while (slots[slot] != 0) slot = slot + 1 & mask;
        slots[slot] = place + 1;
    }

    private void grow() {
        from = Arrays.copyOf(from, 2 * size);
        length = Arrays.copyOf(length, 2 * size);
        hashes = Arrays.copyOf(hashes, 2 * size);
        slots = new int[4 * size];
        for (int i = 0; i < size; i++) put(i);
    }

    private static int hash(byte[] bytes, int start, int count) {
        long hash = Key.TWO ^ count;
        int at = start;
        int left = count;
        for (; left > 8; left -= 8, at += 8) hash = mix(hash ^ Bytes.little64(bytes, at));
        hash = mix(hash ^ tail(bytes, at, left));
        return (int) (hash ^ hash >>> 32);
    }

    private static long tail(byte[] bytes, int at, int left) {
        if (left == 0) return 0;
        if (bytes.length - at >= 8) return Bytes.little64(bytes, at) & -1L >>> 64 - 8 * left;
        long tail = 0;
        for (int i = left - 1; i >= 0; i--) tail = tail << 8 | bytes[at + i] & 0xff;
        return tail;
    }

    private static long mix(long value) {
        long keyed = value ^ Key.ONE;
        long factor = Key.TWO | 1;
        return Math.multiplyHigh(keyed, factor) ^ keyed * factor;
    }
}
