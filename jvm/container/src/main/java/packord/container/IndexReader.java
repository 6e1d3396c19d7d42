package packord.container;

import java.util.Arrays;
import java.util.Map;
import packord.Options;
import packord.PackordException;
import packord.Token;
import packord.Unpacker;
import packord.decode.Decoder;
import packord.decode.StepReader;
import packord.wire.Bytes;

/** Finds and reads the index of a file with random access: {@code spec/container.md} section 3. */
final class IndexReader {
    private static final Unpacker PARTS =
            Unpacker.of(Options.builder().trailing(Options.Trailing.ALLOW).build());

    private static final byte[] NAME = {'i', 'n', 'd', 'e', 'x'};

    /** The smallest mark and block together. */
    private static final int LEAST_BLOCK = 25;

    private static final long MOST_ROWS = 1L << 53;

    private final long offset;
    private final long headerSize;
    private final byte[] bytes;
    private long[] offsets = new long[16];
    private long[] sizes = new long[16];
    private long[] counts = new long[16];

    /** Of each block where its statistics begin, or -1, and where they end. */
    private int[] statistics = new int[32];

    private IndexReader(long offset, long headerSize, byte[] bytes) {
        this.offset = offset;
        this.headerSize = headerSize;
        this.bytes = bytes;
    }

    /** Returns the index, or null if there is none that can be used. */
    static ContainerIndex read(FileInput in, Faults faults, ContainerHeader header, Mark mark, int maxBlock) {
        long end = in.size() - Mark.TRAILER_SIZE;
        if (end < header.size() + Mark.SIZE) return null;
        if (in.fill(end, Mark.TRAILER_SIZE) < Mark.TRAILER_SIZE) return null;
        long offset = Mark.offsetIn(in.buf, in.index(end));
        long start = offset + Mark.SIZE;
        if (offset < header.size() || offset > end - Mark.SIZE || end - start > maxBlock) return null;
        byte[] whole = in.copy(offset, (int) (in.size() - offset));
        int crcAt = whole.length - Mark.CRC_SIZE;
        if (Mark.crc(whole, 0, crcAt) != Bytes.u32(whole, crcAt) || !mark.isAt(in, offset)) return null;
        try {
            ValueScan scan = new ValueScan(in, faults);
            scan.pos = start;
            scan.limit = end - start;
            scan.value();
            if (scan.pos != end) return null;
            byte[] array = Arrays.copyOfRange(whole, Mark.SIZE, (int) (end - offset));
            return new IndexReader(offset, header.size(), array).index();
        } catch (RuntimeException malformed) {
            PackordException.of(malformed);
            return null;
        }
    }

    private ContainerIndex index() {
        StepReader steps = StepReader.of(new Decoder(Options.builder().build()), bytes, 0, bytes.length);
        steps.nextMessage();
        if (steps.next() != Token.ARRAY || steps.size() < 4) return null;
        if (steps.next() != Token.STR || !Arrays.equals(steps.payload(), NAME)) return null;
        if (natural(steps) != 1 || steps.next() != Token.ARRAY) return null;
        int size = (int) steps.size();
        long free = headerSize;
        for (int i = 0; i < size; i++) {
            if (!entry(steps, i)) return null;
            boolean fits = offsets[i] >= free && sizes[i] >= LEAST_BLOCK && sizes[i] <= offset - offsets[i];
            if (!fits) return null;
            free = offsets[i] + sizes[i];
        }
        steps.next();
        if (steps.next() != Token.MAP) return null;
        Map<?, ?> totals = (Map<?, ?>) PARTS.unpack(bytes, steps.markerOffset, bytes.length - steps.markerOffset);
        long sum = 0;
        for (int i = 0; i < size && sum < MOST_ROWS; i++) sum += Math.min(counts[i], MOST_ROWS);
        if (sum >= MOST_ROWS || !Long.valueOf(sum).equals(totals.get("count"))) return null;
        return new ContainerIndex(
                offset,
                bytes,
                Arrays.copyOf(offsets, size),
                Arrays.copyOf(sizes, size),
                Arrays.copyOf(counts, size),
                Arrays.copyOf(statistics, 2 * size),
                totals);
    }

    /** Reads an entry. Returns false if it is none. */
    private boolean entry(StepReader steps, int index) {
        if (index == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * index);
            sizes = Arrays.copyOf(sizes, 2 * index);
            counts = Arrays.copyOf(counts, 2 * index);
            statistics = Arrays.copyOf(statistics, 4 * index);
        }
        if (steps.next() != Token.ARRAY) return false;
        long left = steps.size() - 4;
        if (left < 0) return false;
        offsets[index] = natural(steps);
        sizes[index] = natural(steps);
        counts[index] = natural(steps);
        if (offsets[index] < 0 || sizes[index] < 0 || counts[index] < 0) return false;
        Token token = steps.next();
        statistics[2 * index] = token == Token.MAP ? steps.markerOffset : -1;
        steps.skip();
        statistics[2 * index + 1] = steps.index();
        for (; left > 0; left--) {
            steps.next();
            steps.skip();
        }
        steps.next();
        return token == Token.MAP || token == Token.NIL;
    }

    /** Reads an integer from 0 up; returns -1 for another value, and for one of 2^63 and more. */
    private static long natural(StepReader steps) {
        return steps.next() == Token.INTEGER ? Math.max(-1, steps.number) : -1;
    }
}
