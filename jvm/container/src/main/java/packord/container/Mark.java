package packord.container;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import packord.ErrorKind;
import packord.wire.Bytes;
import packord.wire.PackedBytes;

/** Marks and trailers: the bytes that a file has before blocks and indexes, and after indexes. */
final class Mark {
    /** What begins at an offset. */
    enum Found {
        MARK,
        TRAILER,
        /** The end of the file. */
        END
    }

    /** The bytes of a mark. */
    static final int SIZE = 18;

    /** The bytes of a trailer, and those after the offset in it: the checksum. */
    static final int TRAILER_SIZE = 15, CRC_SIZE = 4;

    private static final int TYPE = 0x5d;
    private static final byte[] BEGINNING = header(HeaderReader.SYNC_SIZE), TRAILER = header(Long.BYTES + CRC_SIZE);

    /** The mark itself. */
    final byte[] bytes;

    Mark(byte[] sync) {
        bytes = Arrays.copyOf(BEGINNING, SIZE);
        System.arraycopy(sync, 0, bytes, BEGINNING.length, sync.length);
    }

    private static byte[] header(int size) {
        PackedBytes header = new PackedBytes();
        header.extHeader(TYPE, size);
        return header.toBytes();
    }

    /** Adds the trailer to an index with its mark, which is to be at an offset. */
    static void trailer(PackedBytes index, long offset) {
        byte[] number = new byte[Long.BYTES];
        Bytes.put64(number, 0, offset);
        index.raw(TRAILER);
        index.raw(number);
        byte[] crc = new byte[CRC_SIZE];
        Bytes.put32(crc, 0, (int) crc(index.buf, 0, index.pos));
        index.raw(crc);
    }

    /** Returns the offset in a trailer at an index of an array, or -1 if there is none. */
    static long offsetIn(byte[] buf, int at) {
        boolean isTrailer = Arrays.equals(buf, at, at + TRAILER.length, TRAILER, 0, TRAILER.length);
        return isTrailer ? Bytes.i64(buf, at + TRAILER.length) : -1;
    }

    /** Returns the CRC-32C of bytes. */
    static long crc(byte[] bytes, int from, int count) {
        return crc(ByteBuffer.wrap(bytes, from, count));
    }

    static long crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return crc.getValue();
    }

    /** Whether the first two bytes of a mark are at an offset, those of any file. */
    static boolean begins(FileInput in, long offset) {
        return (byte) in.at(offset) == BEGINNING[0] && in.at(offset + 1) == TYPE;
    }

    /** Whether the mark begins at an offset. */
    boolean isAt(FileInput in, long offset) {
        return in.fill(offset, SIZE) == SIZE && isAt(in.buf, in.index(offset));
    }

    private boolean isAt(byte[] buf, int at) {
        return Arrays.equals(buf, at, at + SIZE, bytes, 0, SIZE);
    }

    /**
     * Returns what begins at an offset, where a file goes on or ends. Throws PackordException if it is something else,
     * or cut.
     */
    Found find(FileInput in, long offset) {
        if (in.fill(offset, 1) == 0) return Found.END;
        if (begins(in, offset, bytes, SIZE)) return Found.MARK;
        if (begins(in, offset, TRAILER, TRAILER_SIZE)) return Found.TRAILER;
        throw in.fault(ErrorKind.INVALID_CONTAINER, offset, "neither a mark nor a trailer", null);
    }

    /**
     * Whether something of a size is at an offset that begins with some bytes; an error if the end of the file cuts it.
     */
    private static boolean begins(FileInput in, long offset, byte[] beginning, int size) {
        int there = in.fill(offset, size);
        int from = in.index(offset);
        int compared = Math.min(there, beginning.length);
        if (!Arrays.equals(in.buf, from, from + compared, beginning, 0, compared)) return false;
        if (there < size) throw in.fault(ErrorKind.EOF, in.end(), null, null);
        return true;
    }

    /**
     * Returns the offset of the first mark from {@code from} on, or -1 if there is none. A stream is still needed from
     * {@code keep} on.
     */
    long search(FileInput in, long from, long keep) {
        long at = from;
        while (true) {
            in.keepFrom(Math.min(at, keep));
            int there = in.fill(at, SIZE);
            if (there < SIZE) return -1;
            there = in.available(at);
            byte[] buf = in.buf;
            int start = in.index(at);
            int last = start + there - SIZE;
            for (int i = start; i <= last; i++) {
                if (buf[i] == bytes[0] && buf[i + 1] == TYPE && isAt(buf, i)) return at + i - start;
            }
            at += there - SIZE + 1;
        }
    }
}
