package packord.container;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The options at the beginning of a container file: {@code spec/container.md} section 1.
 * {@link ContainerReader#header()} returns those of a file.
 */
public final class ContainerHeader {
    private final byte[] sync;
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

    /** Returns the sync bytes themselves. */
    byte[] ownSync() {
        return sync;
    }
}
