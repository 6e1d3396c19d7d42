package packord.container;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** One stream of raw deflate, RFC 1951. */
final class DeflateCodec extends Codec {
    private static final int DEFAULT = 6;
    private static final int MOST_PER_BYTE = 1032;

    private final int level;
    private Deflater deflater;
    private Inflater inflater;

    DeflateCodec(Integer level) {
        this.level = level == null ? DEFAULT : level;
        if (this.level < 0 || this.level > Deflater.BEST_COMPRESSION) {
            throw new IllegalArgumentException("level of deflate: " + level);
        }
    }

    @Override
    byte[] compress(byte[] body, int from, int size) {
        if (deflater == null) deflater = new Deflater(level, true);
        deflater.reset();
        deflater.setInput(body, from, size);
        deflater.finish();
        byte[] data = new byte[size];
        int count = 0;
        while (count < size && !deflater.finished()) count += deflater.deflate(data, count, size - count);
        return deflater.finished() && count < size ? Arrays.copyOf(data, count) : null;
    }

    @Override
    long most(int size) {
        return (long) MOST_PER_BYTE * size;
    }

    @Override
    void unpack(byte[] data, int from, int count, byte[] body, int at, int size) throws CodecException {
        if (inflater == null) inflater = new Inflater(true);
        inflater.reset();
        inflater.setInput(data, from, count);
        try {
            int there = 0;
            while (there < size && !inflater.finished()) {
                int got = inflater.inflate(body, at + there, size - there);
                if (got == 0) break;
                there += got;
            }
            if (!inflater.finished() && there == size) there += inflater.inflate(new byte[1]);
            if (there != size || !inflater.finished()) {
                throw new CodecException("the data do not unpack to " + size + " bytes", null);
            }
            if (inflater.getRemaining() > 0) throw new CodecException("bytes follow the deflate stream", null);
        } catch (DataFormatException exception) {
            throw new CodecException("deflate: " + exception.getMessage(), exception);
        }
    }

    @Override
    public void close() {
        if (deflater != null) deflater.end();
        if (inflater != null) inflater.end();
        deflater = null;
        inflater = null;
    }
}
