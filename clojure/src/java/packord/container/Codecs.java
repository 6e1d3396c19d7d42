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
      case "deflate":
      case "lz4": return null;
      case "zstd":
        return Zstd.IS_THERE ? null : "the codec zstd needs com.github.luben:zstd-jni on the class path";
      default: return "the codec " + name + " is not known";
    }
  }

  /** Makes a codec of which {@link #obstacle} says nothing; {@code dictionary} is null or for zstd. */
  static Codec of(String name, int level, byte[] dictionary) {
    switch (name) {
      case "none": return new None();
      case "deflate": return new DeflateCodec(level);
      case "lz4": return new Lz4Codec();
      default: return new ZstdCodec(level, dictionary);
    }
  }

  private static final class None extends Codec {
    @Override
    byte[] compress(byte[] body, int size) {
      return null;
    }

    @Override
    long most(int size) {
      return size;
    }

    @Override
    void unpack(byte[] data, byte[] body) throws CodecException {
      if (data.length != body.length) {
        throw new CodecException("the data have " + data.length + " bytes", null);
      }
      System.arraycopy(data, 0, body, 0, data.length);
    }
  }
}
