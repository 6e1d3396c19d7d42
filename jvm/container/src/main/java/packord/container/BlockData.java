package packord.container;

/** The data of a block: in memory, or in a file of which parts are read when they are needed. */
final class BlockData {
    private final FileInput in;
    private final long offset;
    private final int size;

    /** All bytes, or null if they were not read. */
    private byte[] bytes;

    private BlockData(FileInput in, long offset, int size, byte[] bytes) {
        this.in = in;
        this.offset = offset;
        this.size = size;
        this.bytes = bytes;
    }

    static BlockData of(byte[] bytes) {
        return new BlockData(null, 0, bytes.length, bytes);
    }

    /** Returns data that are in a file, which can be read at any offset. */
    static BlockData in(FileInput in, long offset, int size) {
        return new BlockData(in, offset, size, null);
    }

    byte[] all() {
        if (bytes == null) bytes = in.copy(offset, size);
        return bytes;
    }

    /** Returns some bytes, in an array of their own if the others were not read. */
    Part part(int from, int to) {
        return bytes != null ? new Part(bytes, 0) : new Part(in.copy(offset + from, to - from), from);
    }

    /** An array that has the data from an index on. */
    static final class Part {
        final byte[] bytes;
        private final int from;

        private Part(byte[] bytes, int from) {
            this.bytes = bytes;
            this.from = from;
        }

        /** Returns where in the array an index of the data is. */
        int index(int inData) {
            return inData - from;
        }
    }
}
