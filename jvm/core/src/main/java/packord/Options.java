package packord;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * How to pack and unpack. Immutable; the names are those of the specification.
 *
 * <pre>{@code
 * Options options = Options.builder().records(true).maxDepth(64).build();
 * byte[] bytes = Packer.of(options).pack(List.of(Map.of("a", 1), Map.of("a", 2)));
 * Object back = Unpacker.of(options).unpack(bytes);
 * }</pre>
 */
public final class Options {
    /** What to do with a str that is not UTF-8, and with text that is not Unicode when writing. */
    public enum Utf8 {
        /** It is an error. */
        ERROR,
        /** Each ill-formed sequence becomes U+FFFD. */
        REPLACE,
        /** Reading: the value is the bytes. Writing: as ERROR. */
        RAW
    }

    /** What a timestamp is read as. */
    public enum Timestamps {
        /** {@link java.time.Instant}; {@link Timestamp} beyond its range. */
        NATIVE,
        /** {@link java.util.Date}, cut to milliseconds; {@link Timestamp} beyond its range. */
        DATE,
        /** {@link Timestamp}. */
        TIMESTAMP
    }

    /** What to do with a key that is twice in a map. */
    public enum DuplicateKey {
        /** The last value wins, in the place of the first. */
        LAST,
        /** It is an error. */
        ERROR
    }

    /** What to do with an ext type without a handler, but for JavaScript's undefined, {@code d4 00 00}. */
    public enum UnknownExt {
        /** It is an {@link Ext}, which is written as it was. */
        KEEP,
        /** It is an error. */
        ERROR
    }

    /** What to do with bytes after the message in a one-shot call. */
    public enum Trailing {
        /** They are an error. */
        ERROR,
        /** They are not read. */
        ALLOW
    }

    /** What a one-byte record id without a definition is. */
    public enum UndefinedRecord {
        /** The integer that it is without records. */
        INTEGER,
        /** An error. */
        ERROR
    }

    /** The most structures that ids can name. */
    public static final int MAX_STRUCTURES = 8192;

    /** What the method of this name in {@link Builder} has set, or the default. */
    public final int maxDepth, maxSharedStructures, maxOwnStructures, maxRecordKeys;

    /** What the method of this name in {@link Builder} has set, or the default; no limit is 2^63 - 1. */
    public final long maxStrLen, maxBinLen, maxExtLen, maxArrayLen, maxMapLen, maxNodes, maxBuffer, maxExpansion;
    /** What to do with ill-formed text. */
    public final Utf8 utf8;

    /** What to do with bytes after the message. */
    public final Trailing trailing;

    /** What to do with a key that is twice in a map. */
    public final DuplicateKey duplicateKey;

    /** What to do with an ext type without an extension. */
    public final UnknownExt unknownExt;

    /** Whether the option of this name holds: what was set, or what another option brings with it. */
    public final boolean canonical, sortKeys, skipNil, float32, bigint, rich, records, sequential, columns;

    /** What timestamps are read as. */
    public final Timestamps timestamps;

    /** What a one-byte record id without a definition is. */
    public final UndefinedRecord undefinedRecord;

    /** The shared structures, or null. */
    public final StructureStore structures;

    /** The handlers, in the order in which they are asked. */
    public final List<Extension> extensions;

    /** What was set, which other options may have changed, for {@link #toBuilder}. */
    private final Builder asked;

    private Options(Builder builder) {
        asked = builder.copy();
        maxDepth = builder.count(Option.MAX_DEPTH);
        maxStrLen = builder.number(Option.MAX_STR_LEN);
        maxBinLen = builder.number(Option.MAX_BIN_LEN);
        maxExtLen = builder.number(Option.MAX_EXT_LEN);
        maxArrayLen = builder.number(Option.MAX_ARRAY_LEN);
        maxMapLen = builder.number(Option.MAX_MAP_LEN);
        maxNodes = builder.number(Option.MAX_NODES);
        maxBuffer = builder.number(Option.MAX_BUFFER);
        utf8 = (Utf8) builder.value(Option.UTF8);
        trailing = (Trailing) builder.value(Option.TRAILING);
        duplicateKey = (DuplicateKey) builder.value(Option.DUPLICATE_KEY);
        unknownExt = (UnknownExt) builder.value(Option.UNKNOWN_EXT);
        canonical = builder.is(Option.CANONICAL);
        sortKeys = builder.is(Option.SORT_KEYS);
        skipNil = builder.is(Option.SKIP_NIL);
        float32 = builder.is(Option.FLOAT32) && !canonical;
        rich = builder.is(Option.RICH);
        bigint = builder.is(Option.BIGINT) || rich;
        timestamps = (Timestamps) builder.value(Option.TIMESTAMPS);
        records = builder.is(Option.RECORDS) && !canonical;
        sequential = builder.is(Option.SEQUENTIAL);
        undefinedRecord = (UndefinedRecord) builder.value(Option.UNDEFINED_RECORD);
        structures = (StructureStore) builder.value(Option.STRUCTURES);
        int shared = builder.count(Option.MAX_SHARED_STRUCTURES);
        maxSharedStructures = shared >= 0 ? shared : structures == null ? 0 : 32;
        int own = builder.count(Option.MAX_OWN_STRUCTURES);
        maxOwnStructures = own >= 0 ? own : structures == null ? 64 : 32;
        maxRecordKeys = builder.count(Option.MAX_RECORD_KEYS);
        columns = builder.is(Option.COLUMNS);
        maxExpansion = builder.number(Option.MAX_EXPANSION);
        extensions = List.copyOf(builder.extensions);
        if (maxSharedStructures > 8160 || maxOwnStructures > MAX_STRUCTURES - maxSharedStructures) {
            throw new IllegalArgumentException("at most 8160 shared structures, and 8192 together with the own ones");
        }
    }

    /**
     * A builder with these options, for others that differ from them in a few.
     *
     * <pre>{@code
     * Options strict = Options.builder().maxDepth(64).build();
     * Options withRecords = strict.toBuilder().records(true).build();
     * }</pre>
     */
    public Builder toBuilder() {
        return asked.copy();
    }

    /** Returns the options that were set, for example {@code Options[records=true, maxDepth=64]}. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "Options[", "]");
        asked.values.forEach((option, value) -> text.add(option + (option == Option.STRUCTURES ? "" : "=" + value)));
        if (!extensions.isEmpty()) text.add("extensions=" + extensions.size());
        return text.toString();
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sets options; each method is named after the option that it sets and returns the builder. */
    public static final class Builder {
        private final Map<Option, Object> values = new EnumMap<>(Option.class);
        private final List<Extension> extensions = new ArrayList<>();

        private Builder() {}

        private Builder copy() {
            Builder copy = new Builder();
            copy.values.putAll(values);
            copy.extensions.addAll(extensions);
            return copy;
        }

        private Object value(Option option) {
            Object value = values.get(option);
            if (value == null && option.isLength()) value = values.get(Option.MAX_LEN);
            return value == null ? option.usual : value;
        }

        private boolean is(Option option) {
            return (Boolean) value(option);
        }

        private long number(Option option) {
            return (Long) value(option);
        }

        private int count(Option option) {
            return (int) Math.min(Integer.MAX_VALUE, number(option));
        }

        /** Sets an option by its entry in the table, for programs that read options from elsewhere. */
        public Builder set(Option option, Object value) {
            if (value == null && option == Option.STRUCTURES) values.remove(option);
            else values.put(option, option.checked(value));
            return this;
        }

        /** Containers that may be open at once, reading and writing. Default 1024. */
        public Builder maxDepth(int value) {
            return set(Option.MAX_DEPTH, value);
        }

        /** Longest str that is read, in bytes. Default: none. */
        public Builder maxStrLen(long value) {
            return set(Option.MAX_STR_LEN, value);
        }

        /** Longest bin that is read, in bytes. Default: none. */
        public Builder maxBinLen(long value) {
            return set(Option.MAX_BIN_LEN, value);
        }

        /**
         * Longest ext that is read, in bytes. Default: none, or what its extension has ({@link Extension#maxLength}).
         */
        public Builder maxExtLen(long value) {
            return set(Option.MAX_EXT_LEN, value);
        }

        /** Most elements of an array that is read. Default: none. */
        public Builder maxArrayLen(long value) {
            return set(Option.MAX_ARRAY_LEN, value);
        }

        /** Most entries of a map or record that is read. Default: none. */
        public Builder maxMapLen(long value) {
            return set(Option.MAX_MAP_LEN, value);
        }

        /** Sets those of the five lengths that are not set on their own, whether before this or after it. */
        public Builder maxLen(long value) {
            return set(Option.MAX_LEN, value);
        }

        /** Most values of one message that is read, keys included. Default: none. */
        public Builder maxNodes(long value) {
            return set(Option.MAX_NODES, value);
        }

        /**
         * Most bytes that a stream reader keeps of one message. Default 64 MiB. A message beyond 2 GiB is a
         * {@code length_limit} anyway.
         */
        public Builder maxBuffer(long value) {
            return set(Option.MAX_BUFFER, value);
        }

        /** What to do with ill-formed text. Default: error. */
        public Builder utf8(Utf8 value) {
            return set(Option.UTF8, value);
        }

        /** What to do with bytes after the message in a one-shot call. Default: error. */
        public Builder trailing(Trailing value) {
            return set(Option.TRAILING, value);
        }

        /**
         * What to do with a key that is twice in a map, or that becomes the same as another in the type that is read,
         * as 3 and 3.0 do in a {@code Map<Double, V>}. Default: the last value wins.
         */
        public Builder duplicateKey(DuplicateKey value) {
            return set(Option.DUPLICATE_KEY, value);
        }

        /** What to do with an ext type without a handler. Default: it is kept as Ext. */
        public Builder unknownExt(UnknownExt value) {
            return set(Option.UNKNOWN_EXT, value);
        }

        /** Write canonically, and refuse to read anything else. Default: no. */
        public Builder canonical(boolean value) {
            return set(Option.CANONICAL, value);
        }

        /** Write map entries in canonical order. Default: no. */
        public Builder sortKeys(boolean value) {
            return set(Option.SORT_KEYS, value);
        }

        /** Write maps without the entries that are nil. Default: no. */
        public Builder skipNil(boolean value) {
            return set(Option.SKIP_NIL, value);
        }

        /** Write a double as float 32 when it loses nothing by it. Default: no. */
        public Builder float32(boolean value) {
            return set(Option.FLOAT32, value);
        }

        /** Read and write integers beyond 64 bits as ext 0x42. Default: no, they are an error; with rich, yes. */
        public Builder bigint(boolean value) {
            return set(Option.BIGINT, value);
        }

        /**
         * Read and write characters, decimals, UUIDs, sets, dates, times, durations and arrays of numbers as ext, so
         * that they come back as what they were ({@code spec/defaults.md} section 3.1). The handlers of
         * {@link #extension} come first. Default: no, they are text and arrays.
         */
        public Builder rich(boolean value) {
            return set(Option.RICH, value);
        }

        /** What timestamps are read as. Default: Instant. */
        public Builder timestamps(Timestamps value) {
            return set(Option.TIMESTAMPS, value);
        }

        /** Read and write records. Default: no. */
        public Builder records(boolean value) {
            return set(Option.RECORDS, value);
        }

        /** Whether record definitions last for a whole stream. Default: for one message. */
        public Builder sequential(boolean value) {
            return set(Option.SEQUENTIAL, value);
        }

        /** What a one-byte record id without a definition is. Default: an integer. */
        public Builder undefinedRecord(UndefinedRecord value) {
            return set(Option.UNDEFINED_RECORD, value);
        }

        /** The shared structures, or null. */
        public Builder structures(StructureStore value) {
            return set(Option.STRUCTURES, value);
        }

        /** Indexes kept for shared structures. Default 32 with a shared list, else 0. */
        public Builder maxSharedStructures(int value) {
            return set(Option.MAX_SHARED_STRUCTURES, value);
        }

        /** Indexes for the structures of a message. Default 32 with a shared list, else 64. */
        public Builder maxOwnStructures(int value) {
            return set(Option.MAX_OWN_STRUCTURES, value);
        }

        /**
         * Read and write columns: ext type 92, which stores an array or map of many similar values by column
         * ({@code spec/columns.md}). Written are those that are smaller for it. Default: no, and what is read is kept
         * as Ext.
         */
        public Builder columns(boolean value) {
            return set(Option.COLUMNS, value);
        }

        /** Largest size of such a value as plain MessagePack, in sizes of its payload. Default 16. */
        public Builder maxExpansion(long value) {
            return set(Option.MAX_EXPANSION, value);
        }

        /** Most keys of a structure that a message defines or a writer makes. Default 1024. */
        public Builder maxRecordKeys(int value) {
            return set(Option.MAX_RECORD_KEYS, value);
        }

        /** Adds a handler of ext types and host types after the existing ones; the first that wants a value has it. */
        public Builder extension(Extension value) {
            extensions.add(Objects.requireNonNull(value, "extension"));
            return this;
        }

        /** Makes the options. Numbers of structures that are out of range are an IllegalArgumentException. */
        public Options build() {
            return new Options(this);
        }
    }
}
