package packord.columns;

/** The directory and the sections of a payload as they grow. What a node took can be taken back. */
final class NodeOutput {
    private static final int KEPT = 1 << 20;

    GrowingBytes directory = new GrowingBytes(256);

    /** The sections of the nodes, in their order. */
    GrowingBytes sections = new GrowingBytes(256);

    /** Forgets everything. */
    void clear() {
        if (directory.buf.length > KEPT) directory = new GrowingBytes(256);
        if (sections.buf.length > KEPT) sections = new GrowingBytes(256);
        directory.pos = 0;
        sections.pos = 0;
    }

    /** Begins a node: its entry of the directory. */
    void entry(int kind, int mode) {
        directory.put(kind | mode << 4);
    }

    /** Writes a number of the directory. */
    void uint(long value) {
        directory.unsigned64(value);
    }

    /** Returns the bytes that were written. */
    long size() {
        return (long) directory.pos + sections.pos;
    }

    /** Takes back what was written after the parts had these sizes. */
    void back(int directorySize, int sectionsSize) {
        directory.pos = directorySize;
        sections.pos = sectionsSize;
    }
}
