package packord.encode;

import java.util.Arrays;
import packord.Options;
import packord.columns.ColumnsPayload;
import packord.columns.ColumnsWriter;
import packord.columns.Tape;
import packord.record.EncoderStructures;

/** Writes a message with columns, where {@code spec/columns.md} section 6.2 wants them. */
final class ColumnsEncoder extends RecordCopy {
    private static final int FEWEST = 8;
    private static final int SMALLEST = 512;
    private static final int MOST_REFUSED = 1;
    private static final int HEADER = 6;

    private final Keys keys;
    private final ColumnsWriter columns = new ColumnsWriter();
    private final EncoderStructures structures;
    private final RecordCopy withoutColumns;

    private ColumnsEncoder(
            ScalarEncoder out, Tape tape, Keys keys, EncoderStructures records, EncoderStructures alone) {
        super(out, tape, keys, records);
        this.keys = keys;
        structures = alone;
        withoutColumns = alone == null ? null : new RecordCopy(out, tape, keys, alone);
    }

    /** Makes an encoder of what {@code out} has written; {@code records} is null without records. */
    static ColumnsEncoder of(ScalarEncoder out, EncoderStructures records) {
        Options options = out.options;
        EncoderStructures alone = null;
        if (records != null) {
            Options.Builder own = options.toBuilder().structures(null).sequential(false);
            own.maxSharedStructures(0).maxOwnStructures(options.maxOwnStructures);
            alone = new EncoderStructures(own.build());
        }
        return new ColumnsEncoder(out, new Tape(), new Keys(), records, alone);
    }

    /** Writes the plain message at the end of the output, from {@code from} on, with columns. */
    void rewrite(int from, boolean hasRecords) {
        int size = out.pos - from;
        if (size < SMALLEST && !hasRecords) return;
        byte[] message = Arrays.copyOfRange(out.buf, from, from + size);
        out.pos = from;
        tape.scan(message, 0, size);
        try {
            value(0);
        } finally {
            tape.clear();
            keys.clear();
        }
    }

    @Override
    boolean isCandidate(int place, int refused) {
        return refused <= MOST_REFUSED
                && tape.size(place) >= SMALLEST
                && tape.count(place) >= FEWEST
                && (tape.type(place) == Tape.ARRAY || isCollection(place))
                && !tape.hasColumns(place);
    }

    /** Whether a map looks like a table with a key for each row, or has nothing but strings. */
    private boolean isCollection(int map) {
        int strings = 0;
        int containers = 0;
        int end = tape.next(map);
        for (int key = map + 1; key < end; ) {
            int value = tape.next(key);
            int type = tape.type(value);
            if (type == Tape.STR) strings++;
            else if (type == Tape.ARRAY || type == Tape.MAP) containers++;
            key = tape.next(value);
        }
        long count = tape.count(map);
        return strings == count || 8L * containers >= 7 * count;
    }

    @Override
    boolean isReplaced(int place) {
        if (!columns.make(tape, place, out.options.maxExpansion)) return false;
        if (columns.payload.pos + HEADER >= sizeWithout(place)) return false;
        out.extHeader(ColumnsPayload.TYPE, columns.payload.pos);
        out.raw(columns.payload.buf, 0, columns.payload.pos);
        return true;
    }

    /** Returns the size of a value without columns, as a message of its own. */
    private int sizeWithout(int place) {
        if (structures == null) return tape.size(place);
        int from = out.pos;
        structures.begin();
        withoutColumns.value(place);
        structures.rollback();
        int size = out.pos - from;
        out.pos = from;
        return size;
    }
}
