package packord.decode;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.function.IntFunction;
import packord.ErrorKind;

/** Fills collections with what was read. */
final class CollectionFiller {
    /** A sorted collection holds neither nil nor what cannot be compared; a deque no nil. */
    private static final String UNFIT = "elements cannot be kept so";

    private CollectionFiller() {}

    @SuppressWarnings("unchecked") // Elements were read into the types of the collection.
    static Object filled(TypedReader in, int markerOffset, IntFunction<Object> maker, Object[] elements) {
        try {
            Collection<Object> all = (Collection<Object>) maker.apply(elements.length);
            all.addAll(Arrays.asList(elements));
            return all;
        } catch (RuntimeException exception) {
            throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, UNFIT, exception);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<Object, Object> filledMap(TypedReader in, int markerOffset, IntFunction<Object> maker, Object[] kv) {
        try {
            Map<Object, Object> map = (Map<Object, Object>) maker.apply(kv.length);
            for (int i = 0; i < kv.length; i += 2) map.put(kv[i], kv[i + 1]);
            return map;
        } catch (RuntimeException exception) {
            throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, UNFIT, exception);
        }
    }
}
