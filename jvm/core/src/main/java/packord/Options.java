package packord;

import java.util.ArrayList;
import java.util.List;
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

  /** Containers that may be open at once, reading and writing. Default 1024. */
  public final int maxDepth;

  /** Longest str that is read, in bytes. Default: none. */
  public final long maxStrLen;

  /** Longest bin that is read, in bytes. Default: none. */
  public final long maxBinLen;

  /** Longest ext that is read, in bytes. Default: none, or what its extension has ({@link Extension#maxLength}). */
  public final long maxExtLen;

  /** Most elements of an array that is read. Default: none. */
  public final long maxArrayLen;

  /** Most entries of a map or record that is read. Default: none. */
  public final long maxMapLen;

  /** Most values of one message that is read, keys included. Default: none. */
  public final long maxNodes;

  /** Most bytes that a stream reader keeps of one message. Default 64 MiB. */
  public final long maxBuffer;

  /** What to do with ill-formed text. Default: error. */
  public final Utf8 utf8;

  /** What to do with bytes after the message in a one-shot call. Default: error. */
  public final Trailing trailing;

  /** What to do with a key that is twice in a map. Default: the last value wins. */
  public final DuplicateKey duplicateKey;

  /** What to do with an ext type without a handler. Default: it is kept as Ext. */
  public final UnknownExt unknownExt;

  /** Write canonically, and refuse to read anything else. Default: no. */
  public final boolean canonical;

  /** Write map entries in canonical order. Default: no. */
  public final boolean sortKeys;

  /** Write maps without the entries that are nil. Default: no. */
  public final boolean skipNil;

  /** Write a double as float 32 when it loses nothing by it. Default: no. */
  public final boolean float32;

  /** Read and write integers beyond 64 bits as ext 0x42. Default: no, they are an error; with rich, yes. */
  public final boolean bigint;

  /**
   * Read and write characters, decimals, UUIDs, sets, dates, times, durations and arrays of numbers as
   * ext, so that they come back as what they were ({@code spec/defaults.md} section 3.1). The handlers of
   * {@link #extensions} come first. Default: no, they are text and arrays.
   */
  public final boolean rich;

  /** What timestamps are read as. Default: Instant. */
  public final Timestamps timestamps;

  /** Read and write records. Default: no. */
  public final boolean records;

  /** Whether record definitions last for a whole stream. Default: for one message. */
  public final boolean sequential;

  /** What a one-byte record id without a definition is. Default: an integer. */
  public final UndefinedRecord undefinedRecord;

  /** The shared structures, or null. */
  public final StructureStore structures;

  /** Indexes kept for shared structures. Default 32 with a shared list, else 0. */
  public final int maxSharedStructures;

  /** Indexes for the structures of a message. Default 32 with a shared list, else 64. */
  public final int maxOwnStructures;

  /** Most keys of a structure that a message defines or a writer makes. Default 1024. */
  public final int maxRecordKeys;

  /**
   * Read and write columns: ext type 92, which stores an array or map of many alike values by column
   * ({@code spec/columns.md}). Written are those that are smaller for it. Default: no, and what is
   * read is kept as Ext.
   */
  public final boolean columns;

  /** Largest size of such a value as plain MessagePack, in sizes of its payload. Default 16. */
  public final long maxExpansion;

  /** Handlers of ext types and host types, the first that wants a value has it. */
  public final List<Extension> extensions;

  private static final Options DEFAULTS = builder().build();

  /** What was set, which other options may have changed, for {@link #toBuilder}. */
  private final Builder asked;

  private Options(Builder builder) {
    asked = builder.copy();
    maxDepth = builder.maxDepth;
    maxStrLen = builder.maxStrLen;
    maxBinLen = builder.maxBinLen;
    maxExtLen = builder.maxExtLen;
    maxArrayLen = builder.maxArrayLen;
    maxMapLen = builder.maxMapLen;
    maxNodes = builder.maxNodes;
    maxBuffer = builder.maxBuffer;
    utf8 = builder.utf8;
    trailing = builder.trailing;
    duplicateKey = builder.duplicateKey;
    unknownExt = builder.unknownExt;
    canonical = builder.canonical;
    sortKeys = builder.sortKeys;
    skipNil = builder.skipNil;
    float32 = builder.float32 && !builder.canonical;
    bigint = builder.bigint || builder.rich;
    rich = builder.rich;
    timestamps = builder.timestamps;
    records = builder.records && !builder.canonical;
    sequential = builder.sequential;
    undefinedRecord = builder.undefinedRecord;
    structures = builder.structures;
    maxSharedStructures = builder.maxShared < 0 ? (structures == null ? 0 : 32) : builder.maxShared;
    maxOwnStructures = builder.maxOwn < 0 ? (structures == null ? 64 : 32) : builder.maxOwn;
    maxRecordKeys = builder.maxRecordKeys;
    columns = builder.columns;
    maxExpansion = builder.maxExpansion;
    extensions = List.copyOf(builder.extensions);
    if (maxSharedStructures > 8160 || maxSharedStructures + maxOwnStructures > MAX_STRUCTURES) {
      throw new IllegalArgumentException(
          "at most 8160 shared structures, and 8192 together with the own ones");
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

  /** Returns the options that differ from the defaults, for example {@code Options[records=true, maxDepth=64]}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "Options[", "]");
    Options other = DEFAULTS;
    add(text, "maxDepth", maxDepth, other.maxDepth);
    add(text, "maxStrLen", maxStrLen, other.maxStrLen);
    add(text, "maxBinLen", maxBinLen, other.maxBinLen);
    add(text, "maxExtLen", maxExtLen, other.maxExtLen);
    add(text, "maxArrayLen", maxArrayLen, other.maxArrayLen);
    add(text, "maxMapLen", maxMapLen, other.maxMapLen);
    add(text, "maxNodes", maxNodes, other.maxNodes);
    add(text, "maxBuffer", maxBuffer, other.maxBuffer);
    add(text, "utf8", utf8, other.utf8);
    add(text, "trailing", trailing, other.trailing);
    add(text, "duplicateKey", duplicateKey, other.duplicateKey);
    add(text, "unknownExt", unknownExt, other.unknownExt);
    add(text, "canonical", canonical, other.canonical);
    add(text, "sortKeys", sortKeys, other.sortKeys);
    add(text, "skipNil", skipNil, other.skipNil);
    add(text, "float32", float32, other.float32);
    add(text, "bigint", asked.bigint, other.bigint);
    add(text, "rich", rich, other.rich);
    add(text, "timestamps", timestamps, other.timestamps);
    add(text, "records", records, other.records);
    add(text, "sequential", sequential, other.sequential);
    add(text, "undefinedRecord", undefinedRecord, other.undefinedRecord);
    if (structures != null) text.add("structures");
    add(text, "maxSharedStructures", maxSharedStructures, other.maxSharedStructures);
    add(text, "maxOwnStructures", maxOwnStructures, other.maxOwnStructures);
    add(text, "maxRecordKeys", maxRecordKeys, other.maxRecordKeys);
    add(text, "columns", columns, other.columns);
    add(text, "maxExpansion", maxExpansion, other.maxExpansion);
    if (!extensions.isEmpty()) text.add("extensions=" + extensions.size());
    return text.toString();
  }

  private static void add(StringJoiner text, String option, Object value, Object ordinary) {
    if (!value.equals(ordinary)) text.add(option + "=" + value);
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets options; each method is named after the option that it sets and returns the builder. */
  public static final class Builder implements Cloneable {
    private int maxDepth = 1024;
    private long maxStrLen = Long.MAX_VALUE;
    private long maxBinLen = Long.MAX_VALUE;
    private long maxExtLen = Long.MAX_VALUE;
    private long maxArrayLen = Long.MAX_VALUE;
    private long maxMapLen = Long.MAX_VALUE;
    private long maxNodes = Long.MAX_VALUE;
    private long maxBuffer = 64 << 20;
    private Utf8 utf8 = Utf8.ERROR;
    private Trailing trailing = Trailing.ERROR;
    private DuplicateKey duplicateKey = DuplicateKey.LAST;
    private UnknownExt unknownExt = UnknownExt.KEEP;
    private boolean canonical;
    private boolean sortKeys;
    private boolean skipNil;
    private boolean float32;
    private boolean bigint;
    private boolean rich;
    private Timestamps timestamps = Timestamps.NATIVE;
    private boolean records;
    private boolean sequential;
    private UndefinedRecord undefinedRecord = UndefinedRecord.INTEGER;
    private StructureStore structures;
    private int maxShared = -1;
    private int maxOwn = -1;
    private int maxRecordKeys = 1024;
    private boolean columns;
    private long maxExpansion = 16;
    private List<Extension> extensions = new ArrayList<>();

    private Builder() {}

    private Builder copy() {
      try {
        Builder copy = (Builder) clone();
        copy.extensions = new ArrayList<>(extensions);
        return copy;
      } catch (CloneNotSupportedException impossible) {
        throw new AssertionError(impossible);
      }
    }

    private static int natural(String option, int value) {
      return (int) natural(option, (long) value);
    }

    private static long natural(String option, long value) {
      if (value < 0) throw new IllegalArgumentException(option + " must not be negative: " + value);
      return value;
    }

    /** Sets {@link Options#maxDepth}. */
    public Builder maxDepth(int value) {
      maxDepth = natural("maxDepth", value);
      return this;
    }

    /** Sets {@link Options#maxStrLen}. */
    public Builder maxStrLen(long value) {
      maxStrLen = natural("maxStrLen", value);
      return this;
    }

    /** Sets {@link Options#maxBinLen}. */
    public Builder maxBinLen(long value) {
      maxBinLen = natural("maxBinLen", value);
      return this;
    }

    /** Sets {@link Options#maxExtLen}. */
    public Builder maxExtLen(long value) {
      maxExtLen = natural("maxExtLen", value);
      return this;
    }

    /** Sets {@link Options#maxArrayLen}. */
    public Builder maxArrayLen(long value) {
      maxArrayLen = natural("maxArrayLen", value);
      return this;
    }

    /** Sets {@link Options#maxMapLen}. */
    public Builder maxMapLen(long value) {
      maxMapLen = natural("maxMapLen", value);
      return this;
    }

    /** Sets all five lengths. */
    public Builder maxLen(long value) {
      return maxStrLen(value).maxBinLen(value).maxExtLen(value).maxArrayLen(value).maxMapLen(value);
    }

    /** Sets {@link Options#maxNodes}. */
    public Builder maxNodes(long value) {
      maxNodes = natural("maxNodes", value);
      return this;
    }

    /** Sets {@link Options#maxBuffer}. A message beyond 2 GiB is a {@code length_limit} anyway. */
    public Builder maxBuffer(long value) {
      maxBuffer = natural("maxBuffer", value);
      return this;
    }

    /** Sets {@link Options#utf8}. */
    public Builder utf8(Utf8 value) {
      utf8 = Objects.requireNonNull(value, "utf8");
      return this;
    }

    /** Sets {@link Options#trailing}. */
    public Builder trailing(Trailing value) {
      trailing = Objects.requireNonNull(value, "trailing");
      return this;
    }

    /** Sets {@link Options#duplicateKey}. */
    public Builder duplicateKey(DuplicateKey value) {
      duplicateKey = Objects.requireNonNull(value, "duplicateKey");
      return this;
    }

    /** Sets {@link Options#unknownExt}. */
    public Builder unknownExt(UnknownExt value) {
      unknownExt = Objects.requireNonNull(value, "unknownExt");
      return this;
    }

    /** Sets {@link Options#canonical}. */
    public Builder canonical(boolean value) {
      canonical = value;
      return this;
    }

    /** Sets {@link Options#sortKeys}. */
    public Builder sortKeys(boolean value) {
      sortKeys = value;
      return this;
    }

    /** Sets {@link Options#skipNil}. */
    public Builder skipNil(boolean value) {
      skipNil = value;
      return this;
    }

    /** Sets {@link Options#float32}. */
    public Builder float32(boolean value) {
      float32 = value;
      return this;
    }

    /** Sets {@link Options#bigint}. */
    public Builder bigint(boolean value) {
      bigint = value;
      return this;
    }

    /** Sets {@link Options#rich}. */
    public Builder rich(boolean value) {
      rich = value;
      return this;
    }

    /** Sets {@link Options#timestamps}. */
    public Builder timestamps(Timestamps value) {
      timestamps = Objects.requireNonNull(value, "timestamps");
      return this;
    }

    /** Sets {@link Options#records}. */
    public Builder records(boolean value) {
      records = value;
      return this;
    }

    /** Sets {@link Options#sequential}. */
    public Builder sequential(boolean value) {
      sequential = value;
      return this;
    }

    /** Sets {@link Options#undefinedRecord}. */
    public Builder undefinedRecord(UndefinedRecord value) {
      undefinedRecord = Objects.requireNonNull(value, "undefinedRecord");
      return this;
    }

    /** Sets {@link Options#structures}; null for none. */
    public Builder structures(StructureStore value) {
      structures = value;
      return this;
    }

    /** Sets {@link Options#maxSharedStructures}. */
    public Builder maxSharedStructures(int value) {
      maxShared = natural("maxSharedStructures", value);
      return this;
    }

    /** Sets {@link Options#maxOwnStructures}. */
    public Builder maxOwnStructures(int value) {
      maxOwn = natural("maxOwnStructures", value);
      return this;
    }

    /** Sets {@link Options#columns}. */
    public Builder columns(boolean value) {
      columns = value;
      return this;
    }

    /** Sets {@link Options#maxExpansion}. */
    public Builder maxExpansion(long value) {
      maxExpansion = natural("maxExpansion", value);
      return this;
    }

    /** Sets {@link Options#maxRecordKeys}. */
    public Builder maxRecordKeys(int value) {
      maxRecordKeys = natural("maxRecordKeys", value);
      return this;
    }

    /** Adds a handler after the existing ones. */
    public Builder extension(Extension value) {
      extensions.add(Objects.requireNonNull(value, "extension"));
      return this;
    }

    /**
     * Makes the options.
     *
     * @throws IllegalArgumentException when the numbers of structures are out of range
     */
    public Options build() {
      return new Options(this);
    }
  }
}
