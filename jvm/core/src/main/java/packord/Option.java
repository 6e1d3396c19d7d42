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
    /** Containers that may be open at once. */
    MAX_DEPTH(1024L),
    /** Stands for those of the five lengths after it that are not set, before or after it. */
    MAX_LEN(Long.MAX_VALUE),
    /** The longest str that is read, in bytes. */
    MAX_STR_LEN(Long.MAX_VALUE),
    /** The longest bin that is read, in bytes. */
    MAX_BIN_LEN(Long.MAX_VALUE),
    /** The longest ext that is read, in bytes. */
    MAX_EXT_LEN(Long.MAX_VALUE),
    /** The most elements of an array that is read. */
    MAX_ARRAY_LEN(Long.MAX_VALUE),
    /** The most entries of a map that is read. */
    MAX_MAP_LEN(Long.MAX_VALUE),
    /** The most values of a message that is read. */
    MAX_NODES(Long.MAX_VALUE),
    /** The most bytes that are kept of one message of a stream. */
    MAX_BUFFER(64L << 20),
    /** What to do with ill-formed text. */
    UTF8(Options.Utf8.ERROR),
    /** What to do with bytes after the message. */
    TRAILING(Options.Trailing.ERROR),
    /** What to do with a key that is twice in a map. */
    DUPLICATE_KEY(Options.DuplicateKey.LAST),
    /** What to do with an ext type without an extension. */
    UNKNOWN_EXT(Options.UnknownExt.KEEP),
    /** Whether one encoding is written for equal values, and others are refused. */
    CANONICAL(false),
    /** Whether map entries are written in canonical order. */
    SORT_KEYS(false),
    /** Whether entries that are nil are left out. */
    SKIP_NIL(false),
    /** Whether a double is written as float 32 if it loses nothing. */
    FLOAT32(false),
    /** Whether integers beyond 64 bits are an ext. */
    BIGINT(false),
    /** Whether more types come back as what they were. */
    RICH(false),
    /** What timestamps are read as. */
    TIMESTAMPS(Options.Timestamps.NATIVE),
    /** Whether maps with the same keys write them once. */
    RECORDS(false),
    /** Whether definitions of records last for a stream. */
    SEQUENTIAL(false),
    /** What a one-byte id without a definition is. */
    UNDEFINED_RECORD(Options.UndefinedRecord.INTEGER),
    /** The lists of keys that both sides share. */
    STRUCTURES(null),
    /** The most lists of keys that both sides share; the default depends on {@link #STRUCTURES}, as the next one's. */
    MAX_SHARED_STRUCTURES(-1L),
    /** The most lists of keys of a message. */
    MAX_OWN_STRUCTURES(-1L),
    /** The most keys of a record. */
    MAX_RECORD_KEYS(1024L),
    /** Whether similar values are stored by column. */
    COLUMNS(false),
    /** The largest size of such a value without columns, in sizes of its payload. */
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
