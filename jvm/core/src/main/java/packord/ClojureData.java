package packord;

import clojure.lang.IFn;
import clojure.lang.Keyword;
import clojure.lang.RT;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import packord.compat.FormatTypedHost;
import packord.compat.OldRaw;
import packord.compat.RawStringHost;
import packord.decode.ClojureHost;
import packord.decode.ClojureMaps;
import packord.decode.Decoder;
import packord.encode.ClojureEncoder;
import packord.ext.BigIntegers;
import packord.ext.RichTypes;
import packord.wire.Utf8;

/**
 * What the Clojure namespaces need of the Java core; {@code packord.core} is for users. A {@code keyFn} maps every key,
 * unless it is null; {@code keywords} says whether str keys become keywords.
 */
public final class ClojureData {
    private ClojureData() {}

    /**
     * Makes a packer that also takes Clojure's data, and writes a key twice, as other packages do, if it
     * {@code repeatsKeys}.
     */
    public static Packer packer(Options options, IFn keyFn, KeywordMode keys, boolean repeatsKeys) {
        return new Packer(options, o -> new ClojureEncoder(o, keyFn, keys, repeatsKeys));
    }

    /** Makes an unpacker that returns vectors, persistent maps and BigInt. */
    public static Unpacker unpacker(Options options, boolean keywords, IFn keyFn) {
        return Unpacker.of(options, () -> new ClojureHost(keywords, keyFn));
    }

    /** Makes an unpacker whose numbers have the types that msgpack-clj returns. */
    public static Unpacker formatTypedUnpacker(Options options, boolean keywords, IFn keyFn) {
        return Unpacker.of(options, () -> new FormatTypedHost(keywords, keyFn));
    }

    /** Makes an unpacker that returns each str as a byte array. */
    public static Unpacker rawStringUnpacker(Options options, IFn keyFn) {
        return Unpacker.of(options, () -> new RawStringHost(keyFn));
    }

    /** Returns a message in the format of before str 8 and bin, with one type for text and bytes. */
    public static byte[] oldRaw(byte[] message) {
        return OldRaw.of(message);
    }

    /** Returns the error for a value that a schema refuses. The steps are the keys and indexes that lead to it. */
    public static RuntimeException mismatch(long offset, Object root, List<?> steps, String detail, Throwable cause) {
        ClojureException error = new ClojureException(ErrorKind.TYPE_MISMATCH, offset, detail, null, cause);
        return in(error.error(), root, steps).thrown();
    }

    /** Returns the path of a value as errors have it, for example {@code $.users[3].name}. */
    public static String path(Object root, List<?> steps) {
        return in(new PackordException(ErrorKind.TYPE_MISMATCH, -1, null, null, null), root, steps)
                .path();
    }

    private static PackordException in(PackordException error, Object root, List<?> steps) {
        if (steps.isEmpty()) return error;
        Object step = steps.get(0);
        in(error, RT.get(root, step), steps.subList(1, steps.size()));
        if (root instanceof List) error.inElement(null, ((Number) step).longValue());
        else error.inEntry(null, step instanceof Keyword ? ((Keyword) step).sym.toString() : step);
        return error;
    }

    /**
     * Reads a whole payload as the name of a keyword, with a namespace or without; null if the payload is empty or not
     * UTF-8. Names that nobody has made a keyword of and that share a hash with many others of the message are refused,
     * as keys are. Names that were read lately are known by their bytes.
     */
    public static Keyword keyword(ExtensionUnpacker unpacker) {
        if (unpacker instanceof Decoder && ((Decoder) unpacker).host() instanceof ClojureHost) {
            Decoder decoder = (Decoder) unpacker;
            Keyword keyword = ((ClojureHost) decoder.host()).payloadKeyword(decoder.payloadMarkerOffset());
            decoder.passPayload();
            return keyword;
        }
        String name = utf8(unpacker.readPayload(unpacker.remaining()));
        return name == null || name.isEmpty() ? null : Keyword.intern(name);
    }

    /** Returns the bytes of a file, which is opened for each step of 64 KiB and closed again. */
    public static InputStream steps(Path path) throws IOException {
        if (!Files.isReadable(path)) throw new NoSuchFileException(path.toString());
        return new StepStream(path);
    }

    /** Makes a set, sorted if hashing its elements would be slow. */
    public static Object set(Object elements) {
        return ClojureMaps.set(elements);
    }

    /** Returns an extension of the option rich. */
    public static Extension richType(int type) {
        return RichTypes.ALL.stream()
                .filter(each -> each.canUnpack(type))
                .findFirst()
                .get();
    }

    /** Returns an extension that packs sets as an ext type. */
    public static Extension sets(int type) {
        return RichTypes.set(type);
    }

    /** Reads a whole payload as UTF-8; null if the bytes are not UTF-8. */
    public static String utf8(byte[] payload) {
        return Utf8.decode(payload, 0, payload.length);
    }

    /** Whether an integer is between -2^63 and 2^64 - 1. */
    public static boolean isWithin64Bits(BigInteger value) {
        return BigIntegers.isWithin64Bits(value);
    }
}
