package packord.container;

import packord.Options;
import packord.wire.PackedBytes;

/** Makes the header of a file: {@code spec/container.md} sections 1 and 7.1. */
final class HeaderWriter {
    private final PackedBytes bytes = new PackedBytes();
    private final ContainerHeader header;

    HeaderWriter(WriteOptions options) {
        byte[] sync = options.sync == null ? ContainerWriter.randomSync() : options.sync;
        String codec = options.codec == null ? Codecs.DEFAULT : options.codec;
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
        header = new ContainerHeader(sync, codec, options.meta, options.stats, bytes.pos);
    }

    PackedBytes bytes() {
        return bytes;
    }

    ContainerHeader header() {
        return header;
    }
}
