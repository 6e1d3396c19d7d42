package packord.container;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import packord.Options;
import packord.wire.PackedBytes;

/**
 * The options at the beginning of a container file: {@code spec/container.md} section 1.
 * {@link ContainerReader#header()} returns those of a file.
 */
public final class ContainerHeader {
    final byte[] sync;
    private final String codec;
    private final Map<?, ?> meta;
    private final List<String> stats;
    private final long size;

    ContainerHeader(byte[] sync, String codec, Map<?, ?> meta, List<String> stats, long size) {
        this.sync = sync;
        this.codec = codec;
        this.meta = meta;
        this.stats = stats == null ? null : Collections.unmodifiableList(stats);
        this.size = size;
    }

    /** Returns the 16 bytes that are in each mark of the file. */
    public byte[] sync() {
        return sync.clone();
    }

    /**
     * Returns the codec of blocks that name none: its name, for example {@code zstd}; {@code none} if the header has
     * none.
     */
    public String codec() {
        return codec;
    }

    /** Returns what the program that wrote the file has noted; null if there is none. */
    public Map<?, ?> meta() {
        return meta;
    }

    /** Returns the paths whose statistics are kept; null if the header names none. */
    public List<String> stats() {
        return stats;
    }

    /** Returns the size of the header, which is the offset of the first mark, in bytes. */
    public long size() {
        return size;
    }

    /** Writes the header of a new file, and returns what it says: {@code spec/container.md} sections 1 and 7.1. */
    static ContainerHeader write(WriteOptions options, PackedBytes bytes) {
        byte[] sync = options.sync;
        if (sync == null) {
            sync = new byte[HeaderReader.SYNC_SIZE];
            new SecureRandom().nextBytes(sync);
        }
        String codec = options.codec == null ? Codec.DEFAULT : options.codec;
        bytes.raw(HeaderReader.MAGIC);
        bytes.mapHeader(2 + (options.meta == null ? 0 : 1) + (options.stats == null ? 0 : 1));
        bytes.str("sync");
        bytes.binHeader(sync.length);
        bytes.raw(sync);
        bytes.str("codec");
        bytes.str(codec);
        if (options.meta != null) {
            bytes.str("meta");
            Options plain = options.packer.options().toBuilder()
                    .records(false)
                    .columns(false)
                    .structures(null)
                    .build();
            bytes.raw(options.packer.with(plain).pack(options.meta));
        }
        if (options.stats != null) {
            bytes.str("stats");
            bytes.arrayHeader(options.stats.size());
            for (String path : options.stats) bytes.str(path);
        }
        bytes.integer(Mark.crc(bytes.buf, 0, bytes.pos));
        return new ContainerHeader(sync, codec, options.meta, options.stats, bytes.pos);
    }
}
