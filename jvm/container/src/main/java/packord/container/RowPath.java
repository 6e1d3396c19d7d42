package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.columns.Tape;

/** A path within a row: {@code spec/container.md} section 4. Immutable. */
final class RowPath {
    private static final int MOST_DIGITS = 10;

    private final String text;
    private final byte[][] keys;

    /** The position that each part names in an array, or -1. */
    private final int[] positions;

    private RowPath(String text, byte[][] keys, int[] positions) {
        this.text = text;
        this.keys = keys;
        this.positions = positions;
    }

    /** Returns the path of a string. */
    static RowPath of(String text) {
        String[] parts = text.isEmpty() ? new String[0] : text.split("\\.", -1);
        byte[][] keys = new byte[parts.length][];
        int[] positions = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            keys[i] = parts[i].getBytes(StandardCharsets.UTF_8);
            positions[i] = position(parts[i]);
        }
        return new RowPath(text, keys, positions);
    }

    private static int position(String part) {
        boolean isNumber =
                !part.isEmpty() && part.length() <= MOST_DIGITS && part.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber || part.length() > 1 && part.charAt(0) == '0') return -1;
        long position = Long.parseLong(part);
        return position < Integer.MAX_VALUE ? (int) position : -1;
    }

    /** Returns the key that the path names in a row that is a map, or null if it is the row itself. */
    String firstKey() {
        return keys.length == 0 ? null : new String(keys[0], StandardCharsets.UTF_8);
    }

    /** Whether a key can be named by a part of a path. */
    static boolean canName(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) if (bytes[i] == '.') return false;
        return from < to;
    }

    /** Returns the place of the value in a row, or -1 if it is missing. */
    int find(Tape tape, int row) {
        int place = row;
        for (int i = 0; i < keys.length && place >= 0; i++) {
            int type = tape.type(place);
            if (type == Tape.MAP) place = entry(tape, place, keys[i]);
            else if (type == Tape.ARRAY) place = element(tape, place, positions[i]);
            else return -1;
        }
        return place;
    }

    /** Returns the place of the value of a key, the last one if there are several. */
    private static int entry(Tape tape, int map, byte[] key) {
        int found = -1;
        if (key.length == 0) return -1;
        int end = tape.next(map);
        byte[] bytes = tape.bytes;
        for (int at = map + 1; at < end; ) {
            int value = tape.next(at);
            if (tape.type(at) == Tape.STR) {
                int from = tape.payload(at);
                int to = tape.end(at);
                if (to - from == key.length && Arrays.equals(bytes, from, to, key, 0, key.length)) found = value;
            }
            at = tape.next(value);
        }
        return found;
    }

    private static int element(Tape tape, int array, int position) {
        if (position < 0 || position >= tape.count(array)) return -1;
        int place = array + 1;
        for (int i = 0; i < position; i++) place = tape.next(place);
        return place;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowPath && text.equals(((RowPath) other).text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
