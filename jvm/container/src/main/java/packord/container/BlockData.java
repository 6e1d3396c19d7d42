package packord.container;

/** The data of a block, or some of them: in memory, or in a file of which parts are read when they are needed. */
final class BlockData {
    private final FileInput in;
    private final long offset;
    private final int size;

    /** The bytes from an index of the data on, or null if they were not read. */
    byte[] bytes;

    private final int first;

    private BlockData(FileInput in, long offset, int size, byte[] bytes, int first) {
        this.in = in;
        this.offset = offset;
        this.size = size;
        this.bytes = bytes;
        this.first = first;
    }

    static BlockData of(byte[] bytes) {
        return new BlockData(null, 0, bytes.length, bytes, 0);
    }

    /** Returns data that are in a file, which can be read at any offset. */
    static BlockData in(FileInput in, long offset, int size) {
        return new BlockData(in, offset, size, null, 0);
    }

    byte[] all() {
        if (bytes == null) bytes = in.copy(offset, size);
        return bytes;
    }

    /** Returns data with some bytes, in an array of their own if the others were not read. */
    BlockData part(int from, int to) {
        return bytes != null ? this : new BlockData(null, 0, to - from, in.copy(offset + from, to - from), from);
    }

    /** Returns where in the array an index of the data is. */
    int index(int inData) {
        return inData - first;
    }
}
