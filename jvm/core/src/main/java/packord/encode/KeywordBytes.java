package packord.encode;

import clojure.lang.Keyword;
import packord.wire.Bytes;

/**
 * The packed names of keywords that were written lately: a table of fixed size, shared by all encoders, with two slots
 * for each keyword, as those that share one would replace each other. Its entries are immutable, so that threads may
 * race for a slot without harm.
 */
final class KeywordBytes {
    private static final int SLOTS = 4096;
    private static final int MAX_BYTES = 128;
    private static final KeywordBytes[] TABLE = new KeywordBytes[SLOTS];

    /** The number of bytes. */
    final int size;

    /** The first bytes, eight in a word, with zeros after the last. */
    final long first, second;

    /** All bytes, with zeros up to a multiple of eight. */
    final byte[] bytes;

    private final Keyword keyword;

    private KeywordBytes(Keyword keyword, byte[] buf, int from, int to) {
        this.keyword = keyword;
        size = to - from;
        bytes = new byte[Math.max(16, size + 7 & -8)];
        System.arraycopy(buf, from, bytes, 0, size);
        first = Bytes.i64(bytes, 0);
        second = Bytes.i64(bytes, 8);
    }

    static KeywordBytes get(Keyword keyword) {
        int slot = keyword.hasheq() & SLOTS - 1;
        KeywordBytes entry = TABLE[slot];
        if (entry != null && entry.keyword == keyword) return entry;
        entry = TABLE[slot ^ 1];
        return entry != null && entry.keyword == keyword ? entry : null;
    }

    static void put(Keyword keyword, byte[] buf, int from, int to) {
        if (to - from > MAX_BYTES) return;
        int slot = keyword.hasheq() & SLOTS - 1;
        if (TABLE[slot] != null && TABLE[slot ^ 1] == null) slot ^= 1;
        TABLE[slot] = new KeywordBytes(keyword, buf, from, to);
    }

    /** Returns {@code name} or {@code namespace/name}. */
    static String name(Keyword keyword) {
        String ns = keyword.getNamespace();
        return ns == null ? keyword.getName() : ns + "/" + keyword.getName();
    }
}
