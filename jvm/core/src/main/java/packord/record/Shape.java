package packord.record;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;

/** The keys that maps have in common, as a decoder puts them into maps. */
public class Shape {
    private static final int FEW = 8;

    /** The keys, each followed by null. */
    private final Object[] blank;

    /** Whether a key occurs twice. */
    public final boolean repeatsKeys;

    /** Makes a shape of these keys. */
    public Shape(Object[] keys) {
        blank = new Object[2 * keys.length];
        for (int i = 0; i < keys.length; i++) blank[2 * i] = keys[i];
        repeatsKeys = repeats(keys);
    }

    private static boolean repeats(Object[] keys) {
        if (keys.length > FEW) return new HashSet<>(Arrays.asList(keys)).size() != keys.length;
        for (int i = 1; i < keys.length; i++) {
            for (int j = 0; j < i; j++) if (Objects.equals(keys[i], keys[j])) return true;
        }
        return false;
    }

    /** Whether these are its keys, by identity. */
    public final boolean hasKeys(Object[] others) {
        if (2 * others.length != blank.length) return false;
        for (int i = 0; i < others.length; i++) if (others[i] != blank[2 * i]) return false;
        return true;
    }

    /** Returns the number of keys. */
    public final int size() {
        return blank.length / 2;
    }

    public final Object key(int index) {
        return blank[2 * index];
    }

    /** Returns a new array of the keys, each followed by null in place of its value. */
    public final Object[] entries() {
        return blank.clone();
    }
}
