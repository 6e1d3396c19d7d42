package packord.decode;

import java.util.Arrays;
import java.util.function.Function;
import packord.record.Shape;
import packord.wire.Bytes;

/**
 * Predicts the shape of a map from the number of its keys and the bytes of the first, because most maps look like one
 * that was read before. A guess that holds for every key also proves that the keys are distinct. For one decoder; of a
 * fixed size.
 */
final class ShapeGuess {
    /** The keys of a map that was read. */
    static final class Keys {
        final Shape shape;
        private final KeyCache.Entry[] entries;

        private Keys(Shape shape, KeyCache.Entry[] entries) {
            this.shape = shape;
            this.entries = entries;
        }

        KeyCache.Entry entry(int index) {
            return entries[index];
        }

        /** Returns an array of the same length with the first {@code count} entries. */
        KeyCache.Entry[] beginning(int count) {
            KeyCache.Entry[] copy = new KeyCache.Entry[entries.length];
            System.arraycopy(entries, 0, copy, 0, count);
            return copy;
        }

        private boolean beginsLike(Keys other, int count) {
            return entries.length == other.entries.length && Arrays.equals(entries, 0, count, other.entries, 0, count);
        }
    }

    /** Maps of more keys are not guessed. */
    static final int MAX_KEYS = 64;

    private static final int PAIRS = 128;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** Two guesses for each place: maps that begin with the same keys may differ in a later key. */
    private final Keys[] table = new Keys[2 * PAIRS];

    private final int[] seen = new int[PAIRS];
    private final Function<Object[], Shape> newShape;

    ShapeGuess(Function<Object[], Shape> newShape) {
        this.newShape = newShape;
    }

    /** Returns the place of a map by its number of keys and the first key, or -1 if it has none. */
    static int place(byte[] bytes, int at, int end, int keys) {
        if (keys == 0 || keys > MAX_KEYS || bytes.length - at < 8 || at == end) return -1;
        int size = KeyCache.size(bytes, at, end);
        if (size == 0) return -1;
        long first = Bytes.i64(bytes, at);
        if (size < 8) first &= -1L << 64 - 8 * size;
        return (int) ((first + keys) * MIX >>> 57) << 1;
    }

    /** Returns the guess of {@code size} keys at a place, or null. */
    Keys get(int place, int size) {
        Keys keys = table[place];
        return keys != null && keys.entries.length == size ? keys : null;
    }

    /**
     * Returns the other guess at a place if it has the first {@code index} keys in common with {@code wrong}, and its
     * next key is at {@code bytes[at]}. Else null.
     */
    Keys instead(int place, Keys wrong, int index, byte[] bytes, int at, int end) {
        Keys other = table[place] == wrong ? table[place + 1] : table[place];
        if (other == null || other == wrong || !other.beginsLike(wrong, index)) return null;
        if (!other.entry(index).isAt(bytes, at, end)) return null;
        table[place] = other;
        table[place + 1] = wrong;
        return other;
    }

    /** Remembers the keys of a map that was not guessed, if they were the last ones here before. */
    void learn(int place, KeyCache.Entry[] entries) {
        int hash = 0;
        for (KeyCache.Entry entry : entries) hash = hash * 31 + entry.hash();
        if (seen[place >> 1] != hash) {
            seen[place >> 1] = hash;
            return;
        }
        Object[] keys = new Object[entries.length];
        for (int i = 0; i < keys.length; i++) keys[i] = entries[i].key;
        Shape shape = newShape.apply(keys);
        if (shape.repeatsKeys) return;
        table[place + 1] = table[place];
        table[place] = new Keys(shape, entries);
    }
}
