package packord;

/** Writes the segments of a path: {@code .name}, {@code ["any str"]} or {@code [key 5]}. */
final class PathText {
    /** The longest path in bytes of UTF-8. */
    static final int MAX_BYTES = 256;

    private PathText() {}

    /** Returns a path, cut if it is longer than {@link #MAX_BYTES}. */
    static String cut(String path) {
        int size = 0;
        int i = 0;
        while (i < path.length()) {
            int codePoint = path.codePointAt(i);
            size += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
            if (size > MAX_BYTES) return path.substring(0, i) + "…";
            i += Character.charCount(codePoint);
        }
        return path;
    }

    /** Returns the segment of a key. Of a long key it has only the beginning, as the path is cut. */
    static String segment(Object key) {
        if (!(key instanceof String)) return "[key " + Notation.of(key, MAX_BYTES) + "]";
        String name = (String) key;
        if (!isName(name)) return "[" + Notation.of(name, MAX_BYTES) + "]";
        return "." + name.substring(0, Math.min(name.length(), MAX_BYTES));
    }

    private static boolean isName(String string) {
        if (string.isEmpty() || string.charAt(0) >= '0' && string.charAt(0) <= '9') return false;
        return string.chars()
                .allMatch(c -> c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
    }
}
