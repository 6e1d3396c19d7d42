package packord.container;

import java.util.Arrays;
import packord.wire.PackedBytes;

/**
 * The chunks of a block: how many bytes of the body each is, how many of the data, and their CRC-32C. The first ones of
 * both follow each other without gaps.
 */
final class Chunks {
    /** What no array can have, so that the sums of a block say that it is too large. */
    private static final int TOO_MANY = Integer.MAX_VALUE;

    /** For each chunk where it ends in the body and in the data, and its checksum. */
    private int[] numbers = new int[3];

    int count;
    private long bodySize;
    private long dataSize;

    /** Adds a chunk. */
    void add(long size, long sizeInData, long crc) {
        if (3 * count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * numbers.length);
        bodySize = Math.min(TOO_MANY, bodySize + Math.min(TOO_MANY, size));
        dataSize = Math.min(TOO_MANY, dataSize + Math.min(TOO_MANY, sizeInData));
        numbers[3 * count] = (int) bodySize;
        numbers[3 * count + 1] = (int) dataSize;
        numbers[3 * count++ + 2] = (int) crc;
    }

    /** Returns the bytes of all chunks together, at most 2^31 - 1. */
    int bodySize() {
        return (int) bodySize;
    }

    int dataSize() {
        return (int) dataSize;
    }

    /** Returns where a chunk begins in the body; of the number of chunks where the body ends. */
    int start(int chunk) {
        return chunk == 0 ? 0 : numbers[3 * chunk - 3];
    }

    /** Returns where a chunk begins in the data; of the number of chunks where the data end. */
    int dataStart(int chunk) {
        return chunk == 0 ? 0 : numbers[3 * chunk - 2];
    }

    int size(int chunk) {
        return start(chunk + 1) - start(chunk);
    }

    int sizeInData(int chunk) {
        return dataStart(chunk + 1) - dataStart(chunk);
    }

    long crc(int chunk) {
        return numbers[3 * chunk + 2] & 0xffffffffL;
    }

    /** Whether a chunk is in the data as it is. */
    boolean isStored(int chunk) {
        return size(chunk) == sizeInData(chunk);
    }

    /** Returns the chunk that has the byte at an index of the body. */
    int at(int index) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (start(middle + 1) > index) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    /** Writes the list as it is in a block. */
    void write(PackedBytes out) {
        out.arrayHeader(3 * count);
        for (int i = 0; i < count; i++) {
            out.integer(size(i));
            out.integer(sizeInData(i));
            out.integer(crc(i));
        }
    }
}
