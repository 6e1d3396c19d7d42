package packord.decode;

import java.nio.ByteBuffer;
import packord.Options;
import packord.PackordException;
import packord.encode.Encoder;
import packord.wire.Marker;

/** Tells keys apart: two are the same if the values that are read are equal ({@code spec/format.md} section 5.1). */
final class KeyIdentity {
    /** Reads a message. */
    interface Reader {
        Object read(byte[] bytes, int from, int length);
    }

    private static final Object NIL = new Object();

    private final Options writing;
    private final Reader reader;

    /** Makes the identity of keys that are read with these options, by a reader that has {@link #reading}. */
    KeyIdentity(Options options, Reader reader) {
        writing = options.toBuilder().canonical(true).bigint(true).build();
        this.reader = reader;
    }

    /** Returns the options of a reader of keys alone, without checks that were made. */
    static Options reading(Options options) {
        return options.toBuilder()
                .records(false)
                .canonical(false)
                .duplicateKey(Options.DuplicateKey.LAST)
                .maxNodes(Long.MAX_VALUE)
                .build();
    }

    /** Returns an object that is equal for the same keys. A str stands for itself. */
    Object of(byte[] bytes, int from, int to, Object key) {
        if (Marker.strPayload(bytes, from) >= 0) return key;
        try {
            Object plain = reader.read(bytes, from, to - from);
            Encoder encoder = new Encoder(writing).keepingFloats();
            encoder.message(plain);
            return ByteBuffer.wrap(encoder.toBytes());
        } catch (RuntimeException error) {
            PackordException.of(error);
            return key == null ? NIL : key;
        }
    }
}
