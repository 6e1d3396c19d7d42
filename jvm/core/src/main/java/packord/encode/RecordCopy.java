package packord.encode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.columns.ByteRanges;
import packord.columns.Tape;
import packord.record.EncoderStructures;
import packord.record.Structure;

/**
 * Writes values of a plain message again, their maps as records if there are structures. What stays as it is, is copied
 * in pieces as large as possible. Needs no stack for depth.
 */
class RecordCopy {
    /** A container that is being written. */
    private static final class Level {
        /** The place after its last value. */
        int end;

        boolean isMap;
        boolean isRecord;
        boolean isAtKey;

        /** The refused containers around what is in it, this one included. */
        int refused;
    }

    /** The strings of the keys of a message, which are equal only if they are the same. */
    static final class Keys {
        private final ByteRanges ranges = new ByteRanges();
        private String[] strings = new String[16];

        String get(byte[] bytes, int at, int payload, int end) {
            int known = ranges.size();
            int place = ranges.place(bytes, at, end);
            if (place == known) {
                if (place == strings.length) strings = Arrays.copyOf(strings, 2 * place);
                strings[place] = new String(bytes, payload, end - payload, StandardCharsets.UTF_8);
            }
            return strings[place];
        }

        void clear() {
            Arrays.fill(strings, 0, ranges.size(), null);
            ranges.clear();
        }
    }

    /** Where the values are written. */
    final ScalarEncoder out;

    /** The values of the plain message. */
    final Tape tape;

    private final Keys keys;
    private final EncoderStructures records;
    private final int maxRecordKeys;
    private Level[] levels = new Level[8];
    private int open;

    /** The plain bytes from here on are to be copied. */
    private int copied;

    /** Writes a plain message at {@code at}, its maps as records. */
    static void withRecords(ScalarEncoder out, EncoderStructures records, byte[] message, int size, int at) {
        out.pos = at;
        Tape tape = new Tape();
        tape.scan(message, 0, size);
        new RecordCopy(out, tape, new Keys(), records).value(0);
    }

    /** Makes a copier; {@code records} is null without records. */
    RecordCopy(ScalarEncoder out, Tape tape, Keys keys, EncoderStructures records) {
        this.out = out;
        this.tape = tape;
        this.keys = keys;
        this.records = records;
        maxRecordKeys = out.options.maxRecordKeys;
    }

    final void value(int first) {
        open = 0;
        copied = tape.at(first);
        int stop = tape.next(first);
        for (int place = first; place < stop; ) {
            while (open > 0 && levels[open - 1].end == place) open--;
            place = step(place);
        }
        copy(tape.end(first));
    }

    /** Writes a value, or the header of a container. Returns the place that is next. */
    private int step(int place) {
        int refused = 0;
        if (open > 0) {
            Level outer = levels[open - 1];
            refused = outer.refused;
            if (outer.isMap) {
                boolean isKey = outer.isAtKey;
                outer.isAtKey = !isKey;
                if (isKey && outer.isRecord) {
                    copy(tape.at(place));
                    copied = tape.end(place);
                    return place + 1;
                }
                if (isKey) refused = Integer.MAX_VALUE;
            }
        }
        int type = tape.type(place);
        if (type == Tape.ARRAY || type == Tape.MAP) return container(place, type == Tape.MAP, refused);
        // In one byte it would be the id of a record.
        if (records != null && tape.marker(place) >>> 6 == 1) {
            copy(tape.at(place));
            copied = tape.end(place);
            out.wide(tape.marker(place));
        }
        return place + 1;
    }

    private int container(int place, boolean isMap, int refused) {
        int inside = refused;
        if (isCandidate(place, refused)) {
            copy(tape.at(place));
            if (isReplaced(place)) {
                copied = tape.end(place);
                return tape.next(place);
            }
            inside++;
        }
        boolean isRecord = isMap && records != null && isRecord(place);
        if (open == levels.length) levels = Arrays.copyOf(levels, 2 * open);
        if (levels[open] == null) levels[open] = new Level();
        Level level = levels[open++];
        level.end = tape.next(place);
        level.isMap = isMap;
        level.isRecord = isRecord;
        level.isAtKey = isMap;
        level.refused = inside;
        return place + 1;
    }

    /** Writes the id of a record; false if the map cannot be one. */
    private boolean isRecord(int place) {
        Structure structure = structure(place);
        if (structure == null) return false;
        copy(tape.at(place));
        if (!out.recordHeader(records, structure)) return false;
        copied = tape.at(place + 1);
        return true;
    }

    private Structure structure(int map) {
        if (tape.count(map) > maxRecordKeys) return null;
        EncoderStructures.KeyNode node = records.root;
        int end = tape.next(map);
        for (int key = map + 1; key < end && node != null; key = tape.next(key + 1)) {
            if (tape.type(key) != Tape.STR) return null;
            String name = keys.get(tape.bytes, tape.at(key), tape.payload(key), tape.end(key));
            EncoderStructures.KeyNode known = node.known(name);
            node = known != null ? known : records.add(node, name, name);
        }
        return records.structure(node);
    }

    /** Copies the plain bytes up to an index. */
    private void copy(int to) {
        if (to > copied) out.raw(tape.bytes, copied, to - copied);
        copied = to;
    }

    /** Whether something else may be written for a container, around which some were refused. */
    boolean isCandidate(int place, int refused) {
        return false;
    }

    /** Writes something else for a candidate, or nothing and returns false. */
    boolean isReplaced(int place) {
        return false;
    }
}
