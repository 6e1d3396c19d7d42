package packord.container;

import java.util.Arrays;
import packord.ErrorKind;
import packord.wire.Marker;
import packord.wire.Timestamps;
import packord.wire.Type;
import packord.wire.Utf8;

/**
 * Passes MessagePack values in a file, with all checks of a reader but without their memory. The checks are in the
 * order of {@code spec/format.md} section 5.2.
 */
final class ValueScan {
    private static final int MAX_DEPTH = 1024;
    private static final int PIECE = 1 << 15;
    private static final int LONGEST_TIMESTAMP = 12;

    private final FileInput in;

    /** The offset of the next value. */
    long pos;

    /** The most bytes that a value may have, counted from where it begins. */
    long limit = Long.MAX_VALUE;

    /** The offset that nothing is to go beyond, as if the file ended there. */
    long end = Long.MAX_VALUE;

    /** The payload, elements or entries that the last header has announced. */
    private long size;

    private long[] left = new long[16];
    private int open;
    private int maxDepth;
    private long first;
    private long pending;

    ValueScan(FileInput in) {
        this.in = in;
    }

    /** Thrown where something goes beyond {@link #end}. */
    static final class Beyond extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final Beyond INSTANCE = new Beyond();

        private Beyond() {
            super("beyond the end", null, false, false);
        }
    }

    /** Passes the value at {@link #pos}. */
    void value() {
        value(0);
    }

    /** Passes the value at {@link #pos}, which is in a number of containers. */
    void value(int depth) {
        maxDepth = MAX_DEPTH - depth;
        first = pos;
        pending = 0;
        open = 0;
        do {
            if (open > 0) {
                left[open - 1]--;
                pending--;
            }
            step();
            while (open > 0 && left[open - 1] == 0) open--;
        } while (open > 0);
    }

    private void step() {
        long start = pos;
        int marker = marker();
        header(marker);
        if (Marker.type(marker) == Type.ARRAY || Marker.type(marker) == Type.MAP) {
            if (open >= maxDepth) {
                throw in.fault(ErrorKind.DEPTH_LIMIT, start, "max_depth is " + MAX_DEPTH, null);
            }
            long inside = Marker.type(marker) == Type.MAP ? 2 * size : size;
            pending += inside;
            checkLimit(pos + pending);
            reach(pos + in.kept(pending));
            if (open == left.length) left = Arrays.copyOf(left, 2 * open);
            if (inside > 0) left[open++] = inside;
            return;
        }
        checkLimit(pos + size);
        reach(pos + size);
        // A longer one is within an index that nobody reads.
        if (Marker.type(marker) == Type.STR && in.keeps(size)) utf8(pos, pos + size);
        else if (Marker.isExt(marker) && (byte) in.at(pos - 1) == Timestamps.TYPE) timestamp(start);
        pos += size;
    }

    /** Requires that the file has all bytes before an offset. */
    void reach(long offset) {
        if (offset > end) throw Beyond.INSTANCE;
        if (!in.reaches(offset)) throw eof();
    }

    private void checkLimit(long to) {
        if (to - first > limit) throw in.fault(ErrorKind.LENGTH_LIMIT, first, "max_block is " + limit, null);
    }

    /** Returns the marker at {@link #pos}. */
    int marker() {
        if (pos >= end) throw Beyond.INSTANCE;
        int marker = in.at(pos);
        if (marker < 0) throw eof();
        return marker;
    }

    /**
     * Passes the header of the value at {@link #pos}: of a number all of it. Returns the bytes of its payload, or its
     * elements or entries; 0 if it has none.
     */
    long header() {
        first = pos;
        header(marker());
        return size;
    }

    private void header(int marker) {
        if (Marker.type(marker) == Type.RESERVED) throw in.fault(ErrorKind.RESERVED_MARKER, pos, null, null);
        int after = Marker.bytesAfter(marker);
        if (pos + 1 + after > end) throw Beyond.INSTANCE;
        if (in.fill(pos, 1 + after) < 1 + after) {
            checkLimit(pos + 1 + after);
            throw eof();
        }
        size = Marker.announced(in.buf, in.index(pos));
        pos += 1 + after;
    }

    private void utf8(long from, long to) {
        while (from < to) {
            int count = in.fill(from, (int) Math.min(to - from, PIECE));
            if (count == 0) throw eof(); // It was cut after its size was asked.
            int start = in.index(from);
            int invalid = Utf8.firstInvalid(in.buf, start, start + count);
            if (invalid < 0) {
                from += count;
            } else if (from + count < to && invalid > start && start + count - invalid < 4) {
                // The last character of the piece goes on in the next one.
                from += invalid - start;
            } else {
                throw in.fault(ErrorKind.INVALID_UTF8, from + invalid - start, null, null);
            }
        }
    }

    private void timestamp(long start) {
        int count = (int) Math.min(size, LONGEST_TIMESTAMP + 1);
        in.fill(pos, count);
        if (!Timestamps.isValid(in.buf, in.index(pos), count))
            throw in.fault(ErrorKind.INVALID_TIMESTAMP, start, null, null);
    }

    /** Returns the error for a file that ends within a value. */
    RuntimeException eof() {
        return in.fault(ErrorKind.EOF, in.end(), null, null);
    }

    /**
     * Returns the integer from 0 up at an offset, whose value has been passed; -1 for another value. One of 2^63 and
     * more is as large as a long can be.
     */
    long uint(long offset) {
        int marker = in.at(offset);
        if (Marker.type(marker) != Type.INT) return -1;
        in.fill(offset, 1 + Marker.bytesAfter(marker));
        int at = in.index(offset);
        return Marker.isLarge(in.buf, at) ? Long.MAX_VALUE : Math.max(-1, Marker.integer(in.buf, at));
    }
}
