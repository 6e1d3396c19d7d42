package packord.container;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import packord.Options;
import packord.columns.Tape;
import packord.decode.PlainMessages;
import packord.wire.PackedBytes;

/** The rows or messages of a body as plain MessagePack, without columns. Each is found by its place on a tape. */
final class BodyRows {
    private final byte[] bytes;

    /** Has all rows. */
    final Tape tape = new Tape();

    private final int[] places;

    private BodyRows(ByteBuffer plain, boolean isTable) {
        bytes = plain.array();
        int size = plain.limit();
        tape.scan(bytes, 0, size);
        if (size == 0 || isTable && tape.type(0) != Tape.ARRAY) {
            places = size == 0 ? new int[0] : null;
            return;
        }
        int[] found = new int[64];
        int count = 0;
        for (int row = isTable ? 1 : 0; tape.at(row) < size; row = tape.next(row)) {
            if (count == found.length) found = Arrays.copyOf(found, 2 * count);
            found[count++] = row;
        }
        places = Arrays.copyOf(found, count);
    }

    /**
     * Returns the rows of a body of rows, or the messages of one of messages; null if the body should be an array and
     * is not. They may take {@code limit} bytes. Throws PackordException when the body is malformed, with the offset in
     * it.
     */
    static BodyRows of(Options options, byte[] body, boolean isTable, long limit) {
        BodyRows rows = new BodyRows(PlainMessages.of(options, body, isTable, limit), isTable);
        return rows.places == null ? null : rows;
    }

    /** Returns the number of rows. */
    int size() {
        return places.length;
    }

    /** Returns the place of a row on the tape. */
    int place(int row) {
        return places[row];
    }

    /** Returns the rows or messages as a column; of those that are maps only some keys. */
    BlockColumn rows(Set<String> keys) {
        KeyNumbers known = new KeyNumbers(tape, bytes, keys.stream().collect(Collectors.toMap(key -> key, key -> 0)));
        PackedBytes some = new PackedBytes();
        PackedBytes entries = new PackedBytes();
        int[] starts = new int[places.length];
        int[] ends = new int[places.length];
        for (int row = 0; row < places.length; row++) {
            int place = places[row];
            starts[row] = some.pos;
            if (tape.type(place) != Tape.MAP) {
                some.raw(bytes, tape.at(place), tape.size(place));
            } else {
                entries.pos = 0;
                some.mapHeader(entries(place, known, entries));
                some.raw(entries.buf, 0, entries.pos);
            }
            ends[row] = some.pos;
        }
        return BlockColumn.packed(null, some.buf, starts, ends);
    }

    /** Adds the entries of a map whose keys have a number, and returns how many these are. */
    private int entries(int map, KeyNumbers known, PackedBytes out) {
        int count = 0;
        int entry = 0;
        int end = tape.next(map);
        for (int key = map + 1; key < end; ) {
            int value = tape.next(key);
            if (known.of(key, entry++) >= 0) {
                out.raw(bytes, tape.at(key), tape.end(value) - tape.at(key));
                count++;
            }
            key = tape.next(value);
        }
        return count;
    }

    /** Returns the rows as a column. */
    BlockColumn rows() {
        int[] starts = new int[places.length];
        int[] ends = new int[places.length];
        for (int row = 0; row < places.length; row++) {
            starts[row] = tape.at(places[row]);
            ends[row] = tape.end(places[row]);
        }
        return BlockColumn.packed(null, bytes, starts, ends);
    }

    /** Returns the values of keys in those rows that are maps; of a key that a row has twice the last one. */
    List<BlockColumn> columns(List<String> keys) {
        Map<String, Integer> numbers = new HashMap<>();
        BlockColumn.Values[] found = new BlockColumn.Values[keys.size()];
        for (int i = 0; i < found.length; i++) {
            numbers.put(keys.get(i), i);
            found[i] = new BlockColumn.Values(16);
        }
        KeyNumbers known = new KeyNumbers(tape, bytes, numbers);
        for (int row = 0; row < places.length; row++) {
            int map = places[row];
            if (tape.type(map) != Tape.MAP) continue;
            int end = tape.next(map);
            int entry = 0;
            for (int key = map + 1; key < end; ) {
                int value = tape.next(key);
                int number = known.of(key, entry++);
                if (number >= 0) found[number].add(row, tape.at(value), tape.end(value));
                key = tape.next(value);
            }
        }
        List<BlockColumn> columns = new ArrayList<>();
        for (BlockColumn.Values each : found) columns.add(each.column(bytes, places.length));
        return columns;
    }

    /** The numbers of keys. A map mostly has the key that the one before has at the same place. */
    private static final class KeyNumbers {
        private final Tape tape;
        private final byte[] bytes;
        private final Map<String, Integer> numbers;
        private int[] last = new int[0];
        private int[] numberOfLast = new int[0];

        KeyNumbers(Tape tape, byte[] bytes, Map<String, Integer> numbers) {
            this.tape = tape;
            this.bytes = bytes;
            this.numbers = numbers;
        }

        /** Returns the number of a key, which is that of an entry of a map; -1 for other keys. */
        int of(int key, int entry) {
            if (tape.type(key) != Tape.STR) return -1;
            if (entry >= last.length) {
                last = Arrays.copyOf(last, 2 * entry + 8);
                numberOfLast = Arrays.copyOf(numberOfLast, last.length);
            }
            int before = last[entry];
            boolean isKnown = before > 0
                    && Arrays.equals(bytes, tape.at(key), tape.end(key), bytes, tape.at(before), tape.end(before));
            if (isKnown) return numberOfLast[entry];
            int from = tape.payload(key);
            String name = new String(bytes, from, tape.end(key) - from, StandardCharsets.UTF_8);
            last[entry] = key;
            numberOfLast[entry] = numbers.getOrDefault(name, -1);
            return numberOfLast[entry];
        }
    }
}
