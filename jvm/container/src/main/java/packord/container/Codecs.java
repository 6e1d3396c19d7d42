package packord.container;

/** The codecs by their names. */
final class Codecs {
    /** The codec of files that are written without a choice. */
    static final String DEFAULT = "zstd";

    private Codecs() {}

    /** Returns what keeps a codec from being used here, or null if nothing does. */
    static String obstacle(String name) {
        switch (name) {
            case "none":
            case "deflate":
            case "zstd":
                return null;
            default:
                return "the codec " + name + " is not known";
        }
    }

    /** Makes a codec of which {@link #obstacle} says nothing; {@code level} is null for the codec's own. */
    static Codec of(String name, Integer level) {
        switch (name) {
            case "none":
                return new None();
            case "deflate":
                return new DeflateCodec(level);
            default:
                return new ZstdCodec(level);
        }
    }

    /** Chunks that are stored as they are do not come here. */
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
