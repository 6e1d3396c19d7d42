package packord.connect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The values that were made last, at most a given number. Threads may share it. */
final class SchemaCache<K, V> {
    private final Map<K, V> entries;

    SchemaCache(int capacity) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    /** Returns the value of a key, which is made if it is not there. */
    V get(K key, Function<K, V> make) {
        synchronized (entries) {
            V known = entries.get(key);
            if (known != null) return known;
        }
        V made = make.apply(key);
        synchronized (entries) {
            entries.put(key, made);
        }
        return made;
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }
}
