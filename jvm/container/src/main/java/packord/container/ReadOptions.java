package packord.container;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import packord.Unpacker;

/**
 * How to read a container file. Immutable.
 *
 * <pre>{@code
 * ReadOptions options = ReadOptions.builder()
 *     .where(Predicate.of("status", ">=", 500))
 *     .skipDamaged(true)
 *     .build();
 * }</pre>
 */
public final class ReadOptions {
  static final int MAX_BLOCK = 64 << 20;

  /** How rows and messages, and {@code meta}, are unpacked. Records are always off, and columns on. */
  public final Unpacker unpacker;

  /** The largest body, and the largest data, of a block that is read, in bytes. Default 64 MiB. */
  public final int maxBlock;

  /**
   * Whether what is damaged is passed over and noted in {@link ContainerReader#damaged()}. Default: no, it
   * is an error that ends the reading.
   */
  public final boolean skipDamaged;

  /** The predicate of the rows and messages that are returned, or null for all. */
  public final Predicate where;

  /**
   * A predicate by which blocks are left out and nothing else, or null: for programs that compare the rows
   * by themselves.
   */
  public final Predicate prune;

  /**
   * The keys that rows and messages have which are maps, or null for all. Where the rows are stored by column, only
   * the chunks with these keys are read and unpacked, and with those of {@link #where}; what is at fault in others is
   * not found.
   */
  public final Set<String> select;

  /** The range of the file whose blocks are read, or null for all. */
  public final Split split;

  /** Whether the index is used where it can be. Default: yes. */
  public final boolean useIndex;

  /**
   * How long to wait for more at the end of a growing file before an iteration ends for now; null, the
   * default, for a file that does not grow. {@link #FOREVER} ends it only when the reader is closed.
   */
  public final Duration follow;

  /** For {@link Builder#follow}: wait until the reader is closed. */
  public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private static final ReadOptions DEFAULTS = builder().build();

  private ReadOptions(Builder builder) {
    unpacker = builder.unpacker;
    maxBlock = builder.maxBlock;
    skipDamaged = builder.skipDamaged;
    where = builder.where;
    prune = builder.prune;
    select = builder.select;
    split = builder.split;
    useIndex = builder.useIndex;
    follow = builder.follow;
  }

  /** Returns the options of a reader that is not told otherwise. */
  public static ReadOptions standard() {
    return DEFAULTS;
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets options; each method is named after the option that it sets and returns the builder. */
  public static final class Builder {
    private Unpacker unpacker = Unpacker.standard();
    private int maxBlock = MAX_BLOCK;
    private boolean skipDamaged;
    private Predicate where;
    private Predicate prune;
    private Set<String> select;
    private Split split;
    private boolean useIndex = true;
    private Duration follow;

    private Builder() {}

    /** Sets {@link ReadOptions#unpacker}. */
    public Builder unpacker(Unpacker value) {
      unpacker = Objects.requireNonNull(value, "unpacker");
      return this;
    }

    /** Sets {@link ReadOptions#maxBlock}, at most 1 GiB. */
    public Builder maxBlock(int value) {
      if (value < 0 || value > 1 << 30) throw new IllegalArgumentException("maxBlock " + value);
      maxBlock = value;
      return this;
    }

    /** Sets {@link ReadOptions#skipDamaged}. */
    public Builder skipDamaged(boolean value) {
      skipDamaged = value;
      return this;
    }

    /** Sets {@link ReadOptions#where}. */
    public Builder where(Predicate value) {
      where = value;
      return this;
    }

    /** Sets {@link ReadOptions#prune}. */
    public Builder prune(Predicate value) {
      prune = value;
      return this;
    }

    /** Sets {@link ReadOptions#select}. */
    public Builder select(Collection<String> value) {
      select = value == null ? null : Set.copyOf(value);
      return this;
    }

    /** Sets {@link ReadOptions#split}. */
    public Builder split(Split value) {
      split = value;
      return this;
    }

    /** Sets {@link ReadOptions#useIndex}. */
    public Builder useIndex(boolean value) {
      useIndex = value;
      return this;
    }

    /** Sets {@link ReadOptions#follow}. */
    public Builder follow(Duration value) {
      follow = value;
      return this;
    }

    /** Makes the options. */
    public ReadOptions build() {
      return new ReadOptions(this);
    }
  }
}
