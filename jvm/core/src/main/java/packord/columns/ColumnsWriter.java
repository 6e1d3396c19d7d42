package packord.columns;

/** Makes payloads of columns, by {@code spec/columns.md} sections 6.3 to 6.7. For one thread. */
public final class ColumnsWriter {
    private static final int VERSION = 1;
    private static final int FREE = 4096;
    private static final int EXPANSION = 16;
    private static final int KEPT = 1 << 20;

    private final NodeOutput nodes = new NodeOutput();
    private final ColumnBuilder builder = new ColumnBuilder(nodes);

    /** The payload that was made last. */
    public GrowingBytes payload = new GrowingBytes(1024);

    /**
     * Makes the payload of a container, {@link #payload}. Returns false if it would be larger than the value, or than
     * an array can be. What is made is within the limit that the same options have for reading.
     */
    public boolean make(Tape tape, int place, long maxExpansion) {
        nodes.clear();
        if (payload.buf.length > KEPT) payload = new GrowingBytes(1024);
        payload.pos = 0;
        try {
            builder.root(tape, place);
            if (nodes.directory.buf[0] == ColumnNode.PLAIN) return false;
            write(tape, place, Math.min(EXPANSION, maxExpansion));
            return true;
        } catch (MalformedColumns tooLarge) {
            return false;
        }
    }

    private void write(Tape tape, int place, long expansion) {
        long plainSize = tape.size(place);
        payload.put(VERSION);
        payload.unsigned64(plainSize);
        payload.unsigned64(tape.next(place) - place);
        payload.unsigned64(tape.depth(place));
        payload.unsigned64(nodes.directory.pos);
        payload.raw(nodes.directory.buf, 0, nodes.directory.pos);
        payload.raw(nodes.sections.buf, 0, nodes.sections.pos);
        long least = expansion == 0 ? plainSize : (plainSize - FREE + expansion - 1) / expansion;
        if (payload.pos < least) payload.zeros((int) least - payload.pos);
    }
}
