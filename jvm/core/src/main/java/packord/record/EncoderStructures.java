package packord.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import packord.Options;
import packord.StructureStore;

/**
 * The structures of an encoder, and the indexes that they have now ({@code spec/records.md} section 6). The structure
 * of a map is found by walking a tree of keys. The tree outlives messages; the indexes do not, unless the stream is
 * sequential.
 */
public final class EncoderStructures {
    /** How a map is to be written. */
    public enum Use {
        /** The id alone. */
        KNOWN,
        /** A definition, and the id. */
        DEFINE,
        /** As a map. */
        PLAIN
    }

    /** A node of the tree: a key, whose parent is the key before it. */
    public static final class KeyNode {
        private final KeyNode parent;
        private final String name;
        private final int depth;
        private Object lastKey;
        private KeyNode lastChild;
        private Map<Object, KeyNode> children;
        private Structure structure;

        private KeyNode(KeyNode parent, String name) {
            this.parent = parent;
            this.name = name;
            this.depth = parent == null ? 0 : parent.depth + 1;
        }

        /** Returns the node of the next key, or null if it was not seen here before. */
        public KeyNode known(Object key) {
            if (key == lastKey && key != null) return lastChild;
            KeyNode child = children == null ? null : children.get(key);
            if (child != null) {
                lastKey = key;
                lastChild = child;
            }
            return child;
        }

        private boolean contains(String key) {
            for (KeyNode node = this; node.parent != null; node = node.parent) {
                if (node.name.equals(key)) return true;
            }
            return false;
        }

        private String[] path() {
            String[] keys = new String[depth];
            for (KeyNode node = this; node.parent != null; node = node.parent) {
                keys[node.depth - 1] = node.name;
            }
            return keys;
        }
    }

    private static final int MAX_NODES = 1 << 14;

    private final int maxShared;
    private final int maxOwn;
    private final int maxKeys;
    private final boolean twoByteIds;
    private final boolean sequential;
    private final StructureStore store;

    /** The root of the tree of keys. */
    public KeyNode root = new KeyNode(null, null);

    private int nodes;
    private final Map<List<String>, Structure> byKeys = new HashMap<>();
    private final Structure[] byIndex;

    /** What puts back the structures that had an index, if a message fails. */
    private final List<Runnable> undo = new ArrayList<>();

    private List<? extends List<String>> snapshot;
    private int shared;
    private int sharedBefore;
    private int nextOwn;
    private int nextOwnBefore;
    private int ownUsed;

    /** Makes the structures of an encoder with these options. */
    public EncoderStructures(Options options) {
        maxShared = options.maxSharedStructures;
        maxOwn = options.maxOwnStructures;
        maxKeys = options.maxRecordKeys;
        twoByteIds = maxShared > 32 || maxShared + maxOwn > 64;
        sequential = options.sequential;
        store = options.structures;
        byIndex = new Structure[maxShared + maxOwn];
    }

    /** Begins a message. */
    public void begin() {
        if (store != null) loadShared(store.get());
        sharedBefore = shared;
        nextOwnBefore = nextOwn;
        if (nodes > MAX_NODES) forgetShapes();
    }

    private void forgetShapes() {
        root = new KeyNode(null, null);
        nodes = 0;
        byKeys.values().removeIf(s -> s.index < 0);
    }

    private void loadShared(List<? extends List<String>> list) {
        if (list == snapshot) return;
        int limit = Math.min(list.size(), maxShared);
        boolean longer = snapshot != null && limit >= shared && isPrefix(list);
        if (!longer) {
            for (int i = 0; i < shared; i++) free(i);
            shared = 0;
        }
        for (int i = shared; i < limit; i++) {
            Structure structure = intern(list.get(i).toArray(new String[0]));
            if (structure.index < 0 || structure.index >= maxShared) {
                if (structure.index >= 0) free(structure.index);
                set(i, structure);
            }
        }
        shared = limit;
        snapshot = list;
    }

    private boolean isPrefix(List<? extends List<String>> list) {
        for (int i = 0; i < shared; i++) {
            if (byIndex[i] != null && !byIndex[i].keys.equals(list.get(i))) return false;
        }
        return true;
    }

    /** Ends a message. Returns false if another encoder changed the shared list meanwhile. */
    public boolean commit() {
        if (shared > sharedBefore) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> keys : snapshot) longer.add(List.copyOf(keys));
            for (int i = sharedBefore; i < shared; i++) longer.add(List.copyOf(byIndex[i].keys));
            if (!store.compareAndSet(snapshot, longer)) return false;
            snapshot = longer;
            // The store may have its own form of the list, and more from another encoder already.
            loadShared(store.get());
        }
        if (!sequential) forgetOwn();
        undo.clear();
        return true;
    }

    private void forgetOwn() {
        for (int i = 0; i < ownUsed; i++) free(maxShared + i);
        ownUsed = 0;
        nextOwn = 0;
    }

    /** Forgets what the message defined. */
    public void rollback() {
        for (int i = undo.size() - 1; i >= 0; i--) undo.get(i).run();
        undo.clear();
        shared = sharedBefore;
        nextOwn = nextOwnBefore;
        if (!sequential) forgetOwn();
    }

    /** Forgets the structures of a sequential stream, at its end. */
    public void forget() {
        if (sequential) forgetOwn();
    }

    private void free(int index) {
        Structure structure = byIndex[index];
        if (structure != null) {
            structure.index = -1;
            byIndex[index] = null;
        }
    }

    private void set(int index, Structure structure) {
        structure.index = index;
        byIndex[index] = structure;
    }

    private Structure intern(String[] keys) {
        return byKeys.computeIfAbsent(Arrays.asList(keys), Structure::new);
    }

    /**
     * Adds a key that {@link KeyNode#known} does not know, and returns its node; null if the keys cannot be a
     * structure: not a str, a key twice, too many.
     */
    public KeyNode add(KeyNode node, Object key, String name) {
        if (name == null || node.depth == maxKeys || node.contains(name)) return null;
        KeyNode child = new KeyNode(node, name);
        if (node.children == null) node.children = new HashMap<>();
        node.children.put(key, child);
        nodes++;
        return child;
    }

    /** Returns the structure of the keys down to a node; null for null. */
    public Structure structure(KeyNode leaf) {
        if (leaf == null) return null;
        if (leaf.structure == null) leaf.structure = intern(leaf.path());
        return leaf.structure;
    }

    /** Decides how a map of this structure is written, and gives the structure an index. */
    public Use use(Structure structure) {
        if (structure.index >= 0) return Use.KNOWN;
        if (store != null && shared < maxShared) {
            define(shared++, structure);
            return Use.KNOWN;
        }
        if (maxOwn == 0) return Use.PLAIN;
        define(maxShared + nextOwn, structure);
        if (nextOwn >= ownUsed) ownUsed = nextOwn + 1;
        nextOwn = (nextOwn + 1) % maxOwn;
        return Use.DEFINE;
    }

    private void define(int index, Structure structure) {
        if (sequential || index < maxShared) {
            Structure before = byIndex[index];
            undo.add(() -> {
                free(index);
                if (before != null) set(index, before);
            });
        }
        free(index);
        set(index, structure);
    }

    /** Returns the length of a structure's id: 1 or 2 bytes. */
    public int idLength(Structure structure) {
        return twoByteIds && structure.index >= 32 ? 2 : 1;
    }

    /** Returns the id: its first byte in the low 8 bits, the second above. */
    public int id(Structure structure) {
        int index = structure.index;
        return idLength(structure) == 1 ? 0x40 + index : 0x60 + index % 32 | (index - 32) / 32 << 8;
    }
}
