package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import packord.columns.PackedColumn;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * Finds the values of keys in maps that are stored as one column of keys and one of values, without the maps
 * themselves. Rows that have few of many keys are stored so.
 */
final class KeyedValues {
    private final byte[][] wanted;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** The key that followed each key last time, as a guess; the last entry is for the start of a row. */
    private final int[] after;

    private int before;

    KeyedValues(List<String> keys) {
        wanted = new byte[keys.size()][];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = keys.get(i).getBytes(StandardCharsets.UTF_8);
            numbers.put(keys.get(i), i);
        }
        after = new int[wanted.length + 1];
        before = wanted.length;
    }

    /**
     * Returns the values of the keys; of a key that a map has twice the last one. The lengths are those of each map;
     * {@code isShared} says whether equal keys are mostly at one place.
     */
    List<BlockColumn> columns(int[] lengths, PackedColumn keys, PackedColumn values, boolean isShared) {
        int[] found = new int[keys.starts.length];
        int[] counts = new int[wanted.length];
        int[] known = isShared ? new int[keys.bytes.length] : null;
        for (int i = 0; i < found.length; i++) {
            int start = keys.starts[i];
            int number =
                    known == null || known[start] == 0 ? number(keys.bytes, start, keys.ends[i]) : known[start] - 2;
            // From -1 up: 0 is for what is not known yet.
            if (known != null) known[start] = number + 2;
            found[i] = number;
            if (number >= 0) counts[number]++;
        }
        BlockColumn.Values[] columns = new BlockColumn.Values[wanted.length];
        for (int i = 0; i < columns.length; i++) columns[i] = new BlockColumn.Values(counts[i]);
        int next = 0;
        for (int row = 0; row < lengths.length; row++) {
            for (int left = lengths[row]; left > 0; left--, next++) {
                if (found[next] >= 0) columns[found[next]].add(row, values.starts[next], values.ends[next]);
            }
        }
        List<BlockColumn> all = new ArrayList<>(columns.length);
        for (BlockColumn.Values each : columns) all.add(each.column(values.bytes, lengths.length));
        return all;
    }

    /** Returns the number of a key, or -1 for one that is not wanted. */
    private int number(byte[] bytes, int start, int end) {
        if (Marker.type(bytes[start] & 0xff) != Type.STR) return -1;
        int from = Marker.strPayload(bytes, start);
        int guess = after[before];
        boolean isNext =
                guess < wanted.length && Arrays.equals(bytes, from, end, wanted[guess], 0, wanted[guess].length);
        if (!isNext) {
            guess = numbers.getOrDefault(new String(bytes, from, end - from, StandardCharsets.UTF_8), -1);
            if (guess < 0) return -1;
            after[before] = guess;
        }
        before = guess;
        return guess;
    }
}
