package packord.encode;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Values that hold another or none, and entries that are left out when they are. */
final class Optionals {
    private Optionals() {}

    /** Whether a value only holds another one, or none. */
    static boolean isOptional(Object value) {
        return value instanceof Optional
                || value instanceof OptionalInt
                || value instanceof OptionalLong
                || value instanceof OptionalDouble
                || value instanceof AtomicReference
                || value instanceof AtomicBoolean;
    }

    /** Returns what is held, or null. */
    static Object valueOf(Object optional) {
        if (optional instanceof Optional) return ((Optional<?>) optional).orElse(null);
        if (optional instanceof AtomicReference) return ((AtomicReference<?>) optional).get();
        if (optional instanceof AtomicBoolean) return ((AtomicBoolean) optional).get();
        if (optional instanceof OptionalInt) {
            OptionalInt value = (OptionalInt) optional;
            return value.isPresent() ? value.getAsInt() : null;
        }
        if (optional instanceof OptionalLong) {
            OptionalLong value = (OptionalLong) optional;
            return value.isPresent() ? value.getAsLong() : null;
        }
        OptionalDouble value = (OptionalDouble) optional;
        return value.isPresent() ? value.getAsDouble() : null;
    }

    /** Takes the entries that are nil out of {@code kv}, and returns how much of it is left. */
    static int withoutNil(Object[] kv, int count) {
        int left = 0;
        for (int i = 0; i < count; i += 2) {
            Object value = kv[i + 1];
            if (value == null || isOptional(value) && valueOf(value) == null) continue;
            kv[left] = kv[i];
            kv[left + 1] = value;
            left += 2;
        }
        Arrays.fill(kv, left, count, null);
        return left;
    }
}
