package packord.spark.columns;

import java.util.Arrays;

/** Finds the number of a field by its name, most often by guessing it. */
final class FieldNames {
    private final byte[][] names;
    private final int[] table;

    FieldNames(byte[][] names) {
        this.names = names;
        table = new int[Integer.highestOneBit(Math.max(1, names.length)) * 4];
        Arrays.fill(table, -1);
        for (int i = 0; i < names.length; i++) {
            int slot = slot(names[i], 0, names[i].length);
            while (table[slot] >= 0) slot = slot + 1 & table.length - 1;
            table[slot] = i;
        }
    }

    /** Returns the number of the field with a name, first tried {@code guess}; -1 if there is none. */
    int find(byte[] bytes, int from, int to, int guess) {
        if (guess < names.length && isAt(names[guess], bytes, from, to)) return guess;
        for (int slot = slot(bytes, from, to); table[slot] >= 0; slot = slot + 1 & table.length - 1) {
            if (isAt(names[table[slot]], bytes, from, to)) return table[slot];
        }
        return -1;
    }

    private static boolean isAt(byte[] name, byte[] bytes, int from, int to) {
        return Arrays.equals(name, 0, name.length, bytes, from, to);
    }

    private int slot(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) hash = hash * 31 + bytes[i];
        return (hash ^ hash >>> 15) & table.length - 1;
    }
}
