package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import packord.Packer;
import packord.columns.Tape;
import packord.wire.PackedBytes;
import packord.wire.Timestamps;

/** Collects the statistics of a block: {@code spec/container.md} section 4. */
final class StatisticsBuilder {
    private static final int MOST_PATHS = 32;
    private static final int LONGEST_PATH = 256;
    private static final int LONGEST_STR = 64;
    private static final int MAX_CODE_POINT = 0x10ffff;

    /** What is known of one path in the block. */
    private static final class Column {
        final RowPath path;
        final CellValue min = new CellValue();
        final CellValue max = new CellValue();
        long nulls;
        boolean isMixed;

        Column(RowPath path) {
            this.path = path;
        }

        void add(CellValue value) {
            if (value.type == CellValue.Type.NULL) {
                nulls++;
            } else if (isMixed || !value.isBound()) {
                isMixed = true;
            } else if (min.type == CellValue.Type.NULL) {
                min.set(value);
                max.set(value);
            } else {
                int toMin = value.compare(min);
                isMixed = toMin == CellValue.UNORDERED;
                if (toMin < 0) min.set(value);
                else if (!isMixed && value.compare(max) > 0) max.set(value);
            }
        }

        void clear() {
            nulls = 0;
            isMixed = false;
            min.clear();
            max.clear();
        }
    }

    private final CellValue value = new CellValue();
    private List<Column> columns;

    /** Makes a builder for these paths; null for those of the first row. */
    StatisticsBuilder(List<String> paths) {
        if (paths == null) return;
        columns = new ArrayList<>();
        for (String path : new LinkedHashSet<>(paths)) columns.add(new Column(RowPath.of(path)));
    }

    void add(Tape tape, int row) {
        if (columns == null) columns = columnsOf(tape, row);
        for (Column column : columns) {
            value.set(tape, column.path.find(tape, row));
            column.add(value);
        }
    }

    private static List<Column> columnsOf(Tape tape, int row) {
        LinkedHashSet<RowPath> paths = new LinkedHashSet<>();
        if (tape.type(row) == Tape.MAP) {
            int end = tape.next(row);
            for (int key = row + 1; key < end && paths.size() < MOST_PATHS; ) {
                int value = tape.next(key);
                if (isNamed(tape, key) && isScalar(tape, value)) {
                    int from = tape.payload(key);
                    String name = new String(tape.bytes, from, tape.end(key) - from, StandardCharsets.UTF_8);
                    paths.add(RowPath.of(name));
                }
                key = tape.next(value);
            }
        }
        List<Column> columns = new ArrayList<>();
        for (RowPath path : paths) columns.add(new Column(path));
        return columns;
    }

    private static boolean isNamed(Tape tape, int key) {
        if (tape.type(key) != Tape.STR) return false;
        int from = tape.payload(key);
        int to = tape.end(key);
        return to - from <= LONGEST_PATH && RowPath.canName(tape.bytes, from, to);
    }

    private static boolean isScalar(Tape tape, int place) {
        int type = tape.type(place);
        return type <= Tape.STR || type == Tape.EXT && tape.bytes[tape.payload(place) - 1] == Timestamps.TYPE;
    }

    /** Writes the statistics of the rows since the last call. */
    void take(PackedBytes out) {
        if (columns == null || columns.isEmpty()) {
            out.nil();
            return;
        }
        out.mapHeader(columns.size());
        for (Column column : columns) {
            out.str(column.path.toString());
            out.arrayHeader(3);
            out.integer(column.nulls);
            boolean isKnown = !column.isMixed && column.min.type != CellValue.Type.NULL;
            if (isKnown && column.min.type == CellValue.Type.STR) {
                out.str(beginning(column.min.utf8()));
                String above = above(column.max.utf8());
                if (above == null) out.nil();
                else out.str(above);
            } else {
                out.raw(Packer.standard().pack(isKnown ? column.min.toObject() : null));
                out.raw(Packer.standard().pack(isKnown ? column.max.toObject() : null));
            }
            column.clear();
        }
    }

    /** Returns the first 64 bytes of a string, cut at the end of a character. */
    static String beginning(byte[] utf8) {
        int count = Math.min(utf8.length, LONGEST_STR);
        while (count < utf8.length && count > 0 && (utf8[count] & 0xc0) == 0x80) count--;
        return new String(utf8, 0, count, StandardCharsets.UTF_8);
    }

    /** Returns a string of at most 64 bytes that is not below another, or null if there is none. */
    static String above(byte[] utf8) {
        String text = beginning(utf8);
        if (utf8.length <= LONGEST_STR) return text;
        while (!text.isEmpty()) {
            int last = text.codePointBefore(text.length());
            text = text.substring(0, text.length() - Character.charCount(last));
            if (last == MAX_CODE_POINT) continue;
            int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
            String larger = text + new String(Character.toChars(next));
            if (larger.getBytes(StandardCharsets.UTF_8).length <= LONGEST_STR) return larger;
        }
        return null;
    }
}
