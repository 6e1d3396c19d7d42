package packord.decode;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import packord.Options;
import packord.PackordException;
import packord.encode.Encoder;

/**
 * An order of all keys, for maps whose keys collide in a hash table: strings first, in their own order, then keys by
 * their canonical encodings, then keys that have no encoding.
 */
final class KeyOrder implements Comparator<Object>, Serializable {
    private static final long serialVersionUID = 1L;

    /** Makes encoders of keys. */
    interface Encoders extends Supplier<Encoder>, Serializable {}

    /** Options of the encoders that the order uses. */
    static final Options OPTIONS =
            Options.builder().canonical(true).bigint(true).maxDepth(1 << 20).build();

    private final Encoders encoders;

    KeyOrder(Encoders encoders) {
        this.encoders = encoders;
    }

    @Override
    public int compare(Object first, Object second) {
        if (first == second) return 0;
        if (first instanceof String && second instanceof String) {
            return ((String) first).compareTo((String) second);
        }
        if (first instanceof String) return -1;
        if (second instanceof String) return 1;
        if (first instanceof Long && second instanceof Long) {
            return Long.compare((Long) first, (Long) second);
        }
        byte[] firstBytes = bytes(first);
        byte[] secondBytes = bytes(second);
        if (firstBytes != null && secondBytes != null) {
            return Arrays.compareUnsigned(firstBytes, secondBytes);
        }
        if (firstBytes != null) return -1;
        if (secondBytes != null) return 1;
        int byClass = first.getClass().getName().compareTo(second.getClass().getName());
        return byClass != 0
                ? byClass
                : Integer.compare(System.identityHashCode(first), System.identityHashCode(second));
    }

    private byte[] bytes(Object value) {
        try {
            Encoder encoder = encoders.get();
            encoder.message(value);
            return encoder.toBytes();
        } catch (RuntimeException error) {
            PackordException.of(error);
            return null;
        }
    }
}
