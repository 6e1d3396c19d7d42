package packord.ext;

import java.util.ArrayList;
import java.util.List;
import packord.Extension;
import packord.Options;

/** Finds the handler for a value or an ext type. For one thread. */
public final class ExtensionTable {
    private static final int SLOTS = 256;

    private final Extension[] all;

    /** Whether extensions are asked about each value, and not about its class alone. */
    public final boolean asksValues;

    private final Class<?>[] classes = new Class<?>[SLOTS];
    private final Extension[] ofClasses = new Extension[SLOTS];
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
        asksValues = extensions.stream().anyMatch(e -> e.classes() == null);
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

    /** The handler that packs the value, or null. */
    public Extension forValue(Object value, Class<?> type) {
        if (asksValues) return search(value, type);
        int slot = System.identityHashCode(type) & SLOTS - 1;
        if (classes[slot] != type) {
            ofClasses[slot] = search(value, type);
            classes[slot] = type;
        }
        return ofClasses[slot];
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
