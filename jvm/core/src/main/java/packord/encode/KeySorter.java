package packord.encode;

import java.util.Arrays;
import packord.wire.CanonicalForm;

/** The entries of a map in canonical order ({@code spec/format.md} section 4.2). */
final class KeySorter {
    private static final class Entry implements Comparable<Entry> {
        final byte[] bytes;
        final Object key;
        final Object value;

        Entry(byte[] bytes, Object key, Object value) {
            this.bytes = bytes;
            this.key = key;
            this.value = value;
        }

        @Override
        public int compareTo(Entry other) {
            return CanonicalForm.compareKeys(bytes, 0, bytes.length, other.bytes, 0, other.bytes.length);
        }
    }

    private final Entry[] entries;
    private int size;

    KeySorter(int size) {
        entries = new Entry[size];
    }

    void add(byte[] keyBytes, Object key, Object value) {
        entries[size++] = new Entry(keyBytes, key, value);
    }

    /** Sorts the packed keys alone. False if two are the same. */
    boolean sort() {
        Arrays.sort(entries);
        boolean distinct = true;
        for (int i = 1; i < size; i++) distinct &= entries[i - 1].compareTo(entries[i]) != 0;
        return distinct;
    }

    /** Sorts, and puts keys and values into {@code kv} in order. False if two keys are the same. */
    boolean sortInto(Object[] kv) {
        boolean distinct = sort();
        for (int i = 0; i < size; i++) {
            kv[2 * i] = entries[i].key;
            kv[2 * i + 1] = entries[i].value;
        }
        return distinct;
    }

    /** Returns the packed keys in order. */
    byte[][] packedKeys() {
        byte[][] packed = new byte[size][];
        for (int i = 0; i < size; i++) packed[i] = entries[i].bytes;
        return packed;
    }
}
