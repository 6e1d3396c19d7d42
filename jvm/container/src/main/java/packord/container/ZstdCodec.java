package packord.container;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;

/** Frames of zstd, RFC 8878, by the library zstd-jni. */
final class ZstdCodec extends Codec {
    private static final int DEFAULT = 3;

    /** The most that one block of a frame stands for, and the least bytes that it takes. */
    private static final long MOST_PER_BLOCK = 1 << 17;

    private static final int LEAST_BLOCK = 4;

    private final int level;
    private ZstdCompressCtx compressor;
    private ZstdDecompressCtx decompressor;

    ZstdCodec(Integer level) {
        this.level = level == null ? DEFAULT : level;
        if (this.level < Zstd.minCompressionLevel() || this.level > Zstd.maxCompressionLevel()) {
            throw new IllegalArgumentException("level of zstd: " + level);
        }
    }

    @Override
    byte[] compress(byte[] body, int from, int size) {
        if (compressor == null) compressor = new ZstdCompressCtx().setLevel(level);
        byte[] data = new byte[(int) Math.min(Zstd.compressBound(size), Integer.MAX_VALUE - 16)];
        int count = compressor.compressByteArray(data, 0, data.length, body, from, size);
        return count < size ? Arrays.copyOf(data, count) : null;
    }

    @Override
    long most(int size) {
        return (size / LEAST_BLOCK + 1) * MOST_PER_BLOCK;
    }

    @Override
    void unpack(byte[] data, int from, int count, byte[] body, int at, int size) throws CodecException {
        if (decompressor == null) decompressor = new ZstdDecompressCtx();
        try {
            int there = decompressor.decompressByteArray(body, at, size, data, from, count);
            if (there != size) throw new CodecException("the data unpack to " + there + " bytes", null);
        } catch (ZstdException exception) {
            throw new CodecException("zstd: " + exception.getMessage(), exception);
        }
    }

    @Override
    public void close() {
        if (compressor != null) compressor.close();
        if (decompressor != null) decompressor.close();
        compressor = null;
        decompressor = null;
    }
}
