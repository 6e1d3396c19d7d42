package packord.container;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the schemas of two parts of a table together: {@code spec/container.md} section 7.1. */
final class Schemas {
    private static final int MOST_PATHS = 1000;
    private static final String ELEMENTS = "[]";
    private static final Pattern PART = Pattern.compile("\\[\\]|(?:(?!\\[\\])[^.])+");

    private Schemas() {}

    /** Returns the schema of both, or null if it has too many paths. */
    static Map<String, PathType> together(Map<String, PathType> one, Map<String, PathType> other) {
        Set<String> paths = new LinkedHashSet<>(one.keySet());
        paths.addAll(other.keySet());
        Map<String, PathType> both = new LinkedHashMap<>();
        for (String path : inOrder(paths)) {
            both.put(path, together(path, one, other));
        }
        return both.size() > MOST_PATHS ? null : both;
    }

    private static PathType together(String path, Map<String, PathType> one, Map<String, PathType> other) {
        PathType left = one.get(path);
        PathType right = other.get(path);
        boolean isNullable = left != null && left.isNullable() || right != null && right.isNullable();
        if (left == null || right == null) {
            int last = path.lastIndexOf(ELEMENTS);
            Map<String, PathType> lacking = left == null ? one : other;
            isNullable |= last < 0 || lacking.containsKey(path.substring(0, last + ELEMENTS.length()));
        }
        List<String> types = new ArrayList<>();
        for (String name : PathType.NAMES) {
            if (left != null && left.types().contains(name)
                    || right != null && right.types().contains(name)) {
                types.add(name);
            }
        }
        return new PathType(types, isNullable);
    }

    /** A part of paths, with those that follow it. */
    private static final class Node {
        final Map<String, Node> inner = new LinkedHashMap<>();

        void list(String path, List<String> found) {
            Node elements = inner.get(ELEMENTS);
            if (elements != null) {
                found.add(path + ELEMENTS);
                elements.list(path + ELEMENTS, found);
            }
            for (Map.Entry<String, Node> entry : inner.entrySet()) {
                if (entry.getKey().equals(ELEMENTS)) continue;
                String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                found.add(name);
                entry.getValue().list(name, found);
            }
        }
    }

    /** Returns the paths, each after what it is in, elements first, else as they come. */
    private static List<String> inOrder(Set<String> paths) {
        Node root = new Node();
        for (String path : paths) {
            Node node = root;
            Matcher part = PART.matcher(path);
            while (part.find()) node = node.inner.computeIfAbsent(part.group(), name -> new Node());
        }
        List<String> found = new ArrayList<>();
        root.list("", found);
        return found;
    }
}
