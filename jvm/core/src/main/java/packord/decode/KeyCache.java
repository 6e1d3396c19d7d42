package packord.decode;

import packord.wire.Bytes;
import packord.wire.Marker;

/**
 * The keys that were read lately, by their packed bytes: a table of fixed size, shared by all decoders. Key and bytes
 * of an entry are immutable, so threads may race for a slot without harm; {@code next} is a guess that each decoder
 * reads once and checks.
 */
final class KeyCache {
    /** Longer keys are not kept. */
    static final int MAX_BYTES = 64;

    /** Keys that stay strings. */
    static final KeyCache STRINGS = new KeyCache();

    /** The number of keys that are kept. */
    static final int SLOTS = 2048;

    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** A key and its packed bytes, with a header that is minimal. */
    static final class Entry {
        final Object key;
        final int size;

        /** The key that followed this one in a map. */
        Entry next;

        private final byte[] packed;
        private final long head;
        private final long mask;

        Entry(byte[] bytes, int from, int size, Object key) {
            this.key = key;
            this.size = size;
            this.packed = new byte[Math.max(8, size)];
            System.arraycopy(bytes, from, packed, 0, size);
            this.head = Bytes.i64(packed, 0);
            this.mask = size >= 8 ? -1L : -1L << 64 - 8 * size;
        }

        /** Whether these bytes are at {@code bytes[at]}, before {@code end}. */
        boolean isAt(byte[] bytes, int at, int end) {
            int length = size;
            if (end - at < length) return false;
            if (bytes.length - at < 8) return isAtEnd(bytes, at);
            if ((Bytes.i64(bytes, at) & mask) != head) return false;
            int offset = 8;
            for (; offset <= length - 8; offset += 8) {
                if (Bytes.i64(bytes, at + offset) != Bytes.i64(packed, offset)) return false;
            }
            return offset >= length || Bytes.i64(bytes, at + length - 8) == Bytes.i64(packed, length - 8);
        }

        /** Returns a hash of the first bytes. */
        int hash() {
            return (int) (head * MIX >>> 32) + size;
        }

        private boolean isAtEnd(byte[] bytes, int at) {
            for (int offset = 0; offset < size; offset++) {
                if (bytes[at + offset] != packed[offset]) return false;
            }
            return true;
        }
    }

    private final Entry[] table = new Entry[SLOTS];

    /** Returns the size of the short str with a minimal header at {@code bytes[at]}, or 0. */
    static int size(byte[] bytes, int at, int end) {
        int marker = bytes[at] & 0xff;
        if (marker >= Marker.FIXSTR && marker < Marker.NIL) return 1 + (marker & 0x1f);
        if (marker != Marker.STR8 || at + 1 == end) return 0;
        int length = bytes[at + 1] & 0xff;
        return length < 32 || length > MAX_BYTES ? 0 : 2 + length;
    }

    /** Returns the entry of the str of {@code size} packed bytes at {@code bytes[at]}, or null. */
    Entry get(byte[] bytes, int at, int size, int end) {
        int slot = slot(bytes, at, size);
        Entry entry = table[slot];
        if (entry != null && entry.size == size && entry.isAt(bytes, at, end)) return entry;
        entry = table[slot ^ 1];
        return entry != null && entry.size == size && entry.isAt(bytes, at, end) ? entry : null;
    }

    /** Remembers a key. */
    Entry put(byte[] bytes, int at, int size, Object key) {
        int slot = slot(bytes, at, size);
        if (table[slot] != null && table[slot ^ 1] == null) slot ^= 1;
        Entry entry = new Entry(bytes, at, size, key);
        table[slot] = entry;
        return entry;
    }

    private static int slot(byte[] bytes, int at, int size) {
        long mixed;
        if (size >= 8) {
            long last = Bytes.i64(bytes, at + size - 8);
            mixed = Bytes.i64(bytes, at) * MIX ^ Long.rotateLeft(last, 29) * 0xC2B2AE3D27D4EB4FL;
            if (size > 16) mixed ^= Bytes.i64(bytes, at + (size >> 1) - 4) * 0x165667B19E3779F9L;
        } else if (size >= 4) {
            mixed = (Bytes.u32(bytes, at) << 32 | Bytes.u32(bytes, at + size - 4)) * MIX;
        } else {
            mixed = 0;
            for (int i = 0; i < size; i++) mixed = mixed << 8 | bytes[at + i] & 0xff;
            mixed *= MIX;
        }
        int hash = (int) (mixed ^ mixed >>> 32);
        return (hash ^ hash >>> 15) & SLOTS - 1;
    }
}
