package packord;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The table of all options but extensions: their names, types and defaults. Builders, configurations, namespaces of
 * Clojure and errors take them from here; the method of its name in {@link Options.Builder} says what each means.
 */
public enum Option {
    MAX_DEPTH(1024L),
    /** Stands for those of the five lengths after it that are not set. */
    MAX_LEN(Long.MAX_VALUE),
    MAX_STR_LEN(Long.MAX_VALUE),
    MAX_BIN_LEN(Long.MAX_VALUE),
    MAX_EXT_LEN(Long.MAX_VALUE),
    MAX_ARRAY_LEN(Long.MAX_VALUE),
    MAX_MAP_LEN(Long.MAX_VALUE),
    MAX_NODES(Long.MAX_VALUE),
    MAX_BUFFER(64L << 20),
    UTF8(Options.Utf8.ERROR),
    TRAILING(Options.Trailing.ERROR),
    DUPLICATE_KEY(Options.DuplicateKey.LAST),
    UNKNOWN_EXT(Options.UnknownExt.KEEP),
    CANONICAL(false),
    SORT_KEYS(false),
    SKIP_NIL(false),
    FLOAT32(false),
    BIGINT(false),
    RICH(false),
    TIMESTAMPS(Options.Timestamps.NATIVE),
    RECORDS(false),
    SEQUENTIAL(false),
    UNDEFINED_RECORD(Options.UndefinedRecord.INTEGER),
    STRUCTURES(null),
    // The default of these two depends on whether there are shared structures.
    MAX_SHARED_STRUCTURES(-1L),
    MAX_OWN_STRUCTURES(-1L),
    MAX_RECORD_KEYS(1024L),
    COLUMNS(false),
    MAX_EXPANSION(16L);

    private static final Map<String, Option> BY_ID = new HashMap<>();

    static {
        for (Option option : values()) BY_ID.put(option.id(), option);
    }

    /** The default; null if there is none. */
    final Object usual;

    private final Class<?> type;

    Option(Object usual) {
        this.usual = usual;
        type = usual == null ? StructureStore.class : usual.getClass();
    }

    /** Returns the option of this name, its words joined by hyphens; null if there is none. */
    public static Option of(String name) {
        return BY_ID.get(name);
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isLength() {
        return ordinal() > MAX_LEN.ordinal() && ordinal() <= MAX_MAP_LEN.ordinal();
    }

    /** Whether this is a value of the option. */
    public boolean accepts(Object value) {
        return type.isInstance(value) && !(value instanceof Long && (Long) value < 0);
    }

    /** Returns what values of the option are, for errors. */
    public String expected() {
        if (type == Boolean.class) return "true or false";
        if (type == Long.class) return "an integer from 0 to 2^63 - 1";
        if (!type.isEnum()) return "a StructureStore";
        String[] names =
                Arrays.stream(type.getEnumConstants()).map(Option::word).toArray(String[]::new);
        return "one of " + String.join(", ", names);
    }

    private static String word(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT);
    }

    /** Returns the value that a text stands for; null if it is not one of the option. */
    public Object parsed(String text) {
        if (type == Boolean.class) return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : null;
        if (type == Long.class) return size(text);
        return choice(text.toLowerCase(Locale.ROOT));
    }

    private static Long size(String text) {
        try {
            long size = Long.parseLong(text);
            return size < 0 ? null : size;
        } catch (NumberFormatException exception) {
            return null;
        }
    }

    /** Returns the value of this name; null if the option has no such choice. */
    public Object choice(String name) {
        if (!type.isEnum()) return null;
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> word(each).equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns a value as it is kept, and an error that names the option for any other. */
    Object checked(Object value) {
        Objects.requireNonNull(value, toString());
        Object kept = value instanceof Integer ? Long.valueOf((Integer) value) : value;
        if (accepts(kept)) return kept;
        throw new IllegalArgumentException(this + " must be " + expected() + ", not " + value);
    }

    /** Returns the name in Java. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(id());
        for (int at = text.indexOf("-"); at >= 0; at = text.indexOf("-")) {
            text.replace(at, at + 2, text.substring(at + 1, at + 2).toUpperCase(Locale.ROOT));
        }
        return text.toString();
    }
}
