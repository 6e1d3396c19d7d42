package packord.ext;

import java.util.ArrayList;
import java.util.List;
import packord.Extension;
import packord.Options;

/** Finds the handler for a value or an ext type. For one thread. */
public final class ExtensionTable {
    private static final int SLOTS = 256;

    private static final class Entry {
        final Class<?> type;
        final Extension extension;

        Entry(Class<?> type, Extension extension) {
            this.type = type;
            this.extension = extension;
        }
    }

    private final Extension[] all;
    private final boolean byClass;
    private final Entry[] classes = new Entry[SLOTS];
    private final Extension[] types = new Extension[256];
    private final boolean[] asked = new boolean[256];

    /** Returns the table of these options, or null if they have no extension. */
    public static ExtensionTable of(Options options) {
        List<Extension> all = new ArrayList<>(options.extensions);
        if (options.rich) all.addAll(RichTypes.ALL);
        return all.isEmpty() ? null : new ExtensionTable(all);
    }

    /** Makes a table; earlier extensions come first. */
    private ExtensionTable(List<Extension> extensions) {
        all = extensions.toArray(new Extension[0]);
        byClass = extensions.stream().allMatch(e -> e.classes() != null);
    }

    /** The handler that unpacks the type, or null. */
    public Extension forType(int type) {
        int slot = type + 128;
        if (!asked[slot]) {
            for (int i = 0; i < all.length && types[slot] == null; i++) {
                if (all[i].canUnpack(type)) types[slot] = all[i];
            }
            asked[slot] = true;
        }
        return types[slot];
    }

    /** Whether extensions are asked about each value, and not about its class alone. */
    public boolean asksValues() {
        return !byClass;
    }

    /** The handler that packs the value, or null. */
    public Extension forValue(Object value, Class<?> type) {
        if (!byClass) return search(value, type);
        int slot = System.identityHashCode(type) & SLOTS - 1;
        Entry entry = classes[slot];
        if (entry == null || entry.type != type) {
            entry = new Entry(type, search(value, type));
            classes[slot] = entry;
        }
        return entry.extension;
    }

    private Extension search(Object value, Class<?> type) {
        for (Extension extension : all) {
            Class<?>[] wanted = extension.classes();
            if (wanted == null) {
                if (extension.canPack(value)) return extension;
            } else {
                for (Class<?> candidate : wanted) {
                    if (candidate.isAssignableFrom(type)) return extension;
                }
            }
        }
        return null;
    }
}
