package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import packord.columns.Tape;
import packord.wire.Timestamps;

/** Collects the schema of a table: {@code spec/container.md} sections 3 and 7.1. */
final class SchemaBuilder {
    private static final int MOST_PATHS = 1000;
    private static final int LONGEST_PATH = 256;

    private static final int UINT = 2, TIME = 6, ARRAY = 7, MAP = 8;

    /** The index in {@link PathType#NAMES} of each type of a tape. */
    private static final int[] NAMED = {-1, 0, 1, 3, 3, 4, 5, ARRAY, MAP, 9};

    /** Thrown where a table has no schema. */
    private static final class Unnamed extends Exception {
        private static final long serialVersionUID = 1L;
        static final Unnamed INSTANCE = new Unnamed();

        private Unnamed() {
            super("no schema", null, false, false);
        }
    }

    /** What there is at a path. */
    private final class Node {
        final int length;
        long rows;
        long there;
        int types;
        Node elements;
        byte[][] names = {};
        Node[] inner = {};
        int count;
        private Map<String, Integer> byName;

        Node(int length) {
            this.length = length;
        }

        void add(Tape tape, int place) throws Unnamed {
            rows++;
            int type = typeOf(tape, place);
            if (type < 0) return;
            there++;
            types |= 1 << type;
            if (type == ARRAY) elements(tape, place);
            else if (type == MAP) entries(tape, place);
        }

        private void elements(Tape tape, int place) throws Unnamed {
            int end = tape.next(place);
            for (int at = place + 1; at < end; at = tape.next(at)) {
                if (elements == null) elements = node(length + 2);
                elements.add(tape, at);
            }
        }

        private void entries(Tape tape, int place) throws Unnamed {
            int end = tape.next(place);
            int guess = 0;
            for (int key = place + 1; key < end; ) {
                int value = tape.next(key);
                guess = child(tape, key, guess);
                inner[guess++].add(tape, value);
                key = tape.next(value);
            }
        }

        /** Returns the index of a key; the key is often the one that is guessed. */
        private int child(Tape tape, int key, int guess) throws Unnamed {
            if (tape.type(key) != Tape.STR) throw Unnamed.INSTANCE;
            byte[] bytes = tape.bytes;
            int from = tape.payload(key);
            int to = tape.end(key);
            if (guess < count) {
                byte[] name = names[guess];
                if (Arrays.equals(name, 0, name.length, bytes, from, to)) return guess;
            }
            String name = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            if (byName == null) byName = new HashMap<>();
            Integer known = byName.get(name);
            if (known != null) return known;
            if (name.isEmpty() || name.indexOf('.') >= 0 || name.contains("[]")) throw Unnamed.INSTANCE;
            byName.put(name, count);
            if (count == names.length) {
                names = Arrays.copyOf(names, Math.max(8, 2 * count));
                inner = Arrays.copyOf(inner, names.length);
            }
            names[count] = Arrays.copyOfRange(bytes, from, to);
            inner[count] = node(length == 0 ? to - from : length + 1 + to - from);
            return count++;
        }
    }

    private Node root;
    private int nodes;

    /** Whether there were rows that are not known. */
    boolean isLost;

    private Node node(int length) throws Unnamed {
        if (length > LONGEST_PATH || ++nodes > MOST_PATHS) throw Unnamed.INSTANCE;
        return new Node(length);
    }

    private static int typeOf(Tape tape, int place) {
        int type = tape.type(place);
        if (type == Tape.INT && tape.isLarge(place)) return UINT;
        boolean isTime = type == Tape.EXT && tape.bytes[tape.payload(place) - 1] == Timestamps.TYPE;
        return isTime ? TIME : NAMED[type];
    }

    /** Notes that there are rows that are not known. */
    void lose() {
        isLost = true;
        root = null;
    }

    void add(Tape tape, int row) {
        if (isLost) return;
        try {
            if (tape.type(row) != Tape.MAP) throw Unnamed.INSTANCE;
            if (root == null) root = new Node(0);
            root.add(tape, row);
        } catch (Unnamed unnamed) {
            lose();
        }
    }

    /** Returns the schema of all rows, or null if there are none or it is not known. */
    Map<String, PathType> schema() {
        if (root == null) return null;
        Map<String, PathType> schema = new LinkedHashMap<>();
        describe(root, "", root.rows, schema);
        return schema;
    }

    private static void describe(Node node, String path, long rows, Map<String, PathType> schema) {
        if (!path.isEmpty()) {
            List<String> types = new ArrayList<>();
            for (int i = 0; i < PathType.NAMES.size(); i++) {
                if ((node.types >> i & 1) == 1) types.add(PathType.NAMES.get(i));
            }
            schema.put(path, new PathType(types, node.there < rows));
        }
        if (node.elements != null) describe(node.elements, path + "[]", node.elements.rows, schema);
        for (int i = 0; i < node.count; i++) {
            String name = new String(node.names[i], StandardCharsets.UTF_8);
            describe(node.inner[i], path.isEmpty() ? name : path + "." + name, rows, schema);
        }
    }
}
