package packord.decode;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Makes bin keys of the same bytes one object, because arrays are equal by identity only. */
final class BinKeys {
    private BinKeys() {}

    /** Replaces each repeated bin among the keys of {@code kv} by the first. */
    static void unify(Object[] kv) {
        Map<ByteBuffer, Object> firsts = null;
        for (int i = 0; i < kv.length; i += 2) {
            if (kv[i] instanceof byte[]) {
                if (firsts == null) firsts = new HashMap<>();
                Object first = firsts.putIfAbsent(ByteBuffer.wrap((byte[]) kv[i]), kv[i]);
                if (first != null) kv[i] = first;
            }
        }
    }
}
