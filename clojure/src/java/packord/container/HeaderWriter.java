package packord.container;

import java.util.List;
import packord.Packer;

/** Makes the header of a file: {@code spec/container.md} sections 1 and 7.1. */
final class HeaderWriter {
  private final Packed bytes = new Packed();
  private final ContainerHeader header;

  HeaderWriter(WriteOptions options) {
    byte[] sync = options.sync() == null ? ContainerWriter.randomSync() : options.sync();
    byte[] dictionary = options.dictionary();
    String codec = options.codec == null ? Codecs.preferred() : options.codec;
    if (options.views) codec = "none";
    int count = 2;
    if (options.structures != null) count++;
    if (dictionary != null) count++;
    if (options.meta != null) count++;
    if (options.key != null) count++;
    bytes.raw(HeaderReader.MAGIC);
    bytes.map(count);
    bytes.str("sync");
    bytes.bin(sync.length);
    bytes.raw(sync);
    bytes.str("codec");
    bytes.str(codec);
    if (options.structures != null) {
      bytes.str("structures");
      bytes.array(options.structures.size());
      for (List<String> keys : options.structures) strings(keys);
    }
    if (dictionary != null) {
      bytes.str("dictionary");
      bytes.bin(dictionary.length);
      bytes.raw(dictionary);
    }
    if (options.meta != null) {
      bytes.str("meta");
      Packer packer = options.packer;
      bytes.raw(packer.with(packer.options().toBuilder().records(false).columns(false).structures(null).build()).pack(options.meta));
    }
    if (options.key != null) {
      bytes.str("key");
      strings(options.key);
    }
    header =
        new ContainerHeader(
            sync, codec, options.structures, dictionary, options.meta, options.key, bytes.size);
  }

  private void strings(List<String> strings) {
    bytes.array(strings.size());
    for (String string : strings) bytes.str(string);
  }

  Packed bytes() {
    return bytes;
  }

  ContainerHeader header() {
    return header;
  }
}
