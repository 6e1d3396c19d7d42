package packord.container;

/** The codecs by their names. */
final class Codecs {
  /** A class of its own, which is loaded with the first use. */
  private static final class Zstd {
    static final boolean IS_THERE = isThere();
  }

  private Codecs() {}

  private static boolean isThere() {
    try {
      return ZstdCodec.isLoaded();
    } catch (LinkageError missing) {
      return false;
    }
  }

  /** Returns the codec of files that are written without a choice. */
  static String preferred() {
    return Zstd.IS_THERE ? "zstd" : "deflate";
  }

  /** Returns what keeps a codec from being used here, or null if nothing does. */
  static String obstacle(String name) {
    switch (name) {
      case "none":
      case "deflate": return null;
      case "zstd":
        return Zstd.IS_THERE ? null : "the codec zstd needs com.github.luben:zstd-jni on the class path";
      default: return "the codec " + name + " is not known";
    }
  }

  /** Makes a codec of which {@link #obstacle} says nothing; {@code level} is null for the codec's own. */
  static Codec of(String name, Integer level) {
    switch (name) {
      case "none": return new None();
      case "deflate": return new DeflateCodec(level);
      default: return new ZstdCodec(level);
    }
  }

  /** What is stored as it is, is no business of a codec. */
  private static final class None extends Codec {
    @Override
    byte[] compress(byte[] body, int from, int size) {
      return null;
    }

    @Override
    long most(int size) {
      return size;
    }

    @Override
    void unpack(byte[] data, int from, int count, byte[] body, int at, int size) throws CodecException {
      throw new CodecException("the codec none has " + count + " bytes for " + size, null);
    }
  }
}
