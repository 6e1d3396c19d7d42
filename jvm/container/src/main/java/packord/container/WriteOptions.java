package packord.container;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import packord.Packer;
import packord.Unpacker;

/**
 * How to write a container file: {@code spec/container.md} section 7. Immutable.
 *
 * <pre>{@code
 * WriteOptions options = WriteOptions.builder()
 *     .codec("deflate")
 *     .stats(List.of("at", "user.id"))
 *     .build();
 * }</pre>
 */
public final class WriteOptions {
  private static final WriteOptions DEFAULTS = builder().build();

  /** How rows and messages are packed. Its options for records and columns are without meaning here. */
  public final Packer packer;

  /** How {@code meta} is unpacked of a file that is appended to. */
  public final Unpacker unpacker;

  /** {@code none}, {@code deflate} or {@code zstd}. Default null: that of the file, {@code zstd} for a new one. */
  public final String codec;

  /** The level of the codec, or null for its own: zstd 3, deflate 6. */
  public final Integer level;

  /** Largest plain body of a block, in bytes; a row that is larger has a block of its own. Default 4 MiB. */
  public final int blockSize;

  /** Most rows or messages of a block. Default 65,536. */
  public final int blockRows;

  /** Whether rows are written with columns on. Default: yes. */
  public final boolean columns;

  /** Whether blocks hold messages and not rows of a table. Default: no. */
  public final boolean messages;

  /** The paths whose statistics are kept; null, the default, for those of the first row. */
  public final List<String> stats;

  /** What the header notes for the program, or null. */
  public final Map<?, ?> meta;

  private final byte[] sync;

  private WriteOptions(Builder builder) {
    packer = builder.packer;
    unpacker = builder.unpacker;
    codec = builder.codec;
    level = builder.level;
    blockSize = builder.blockSize;
    blockRows = builder.blockRows;
    columns = builder.columns;
    messages = builder.messages;
    stats = builder.stats;
    meta = builder.meta;
    sync = builder.sync;
  }

  /** Returns the sync bytes of the file; null for random ones. */
  public byte[] sync() {
    return sync == null ? null : sync.clone();
  }

  /** Returns the options of a writer that is not told otherwise. */
  public static WriteOptions standard() {
    return DEFAULTS;
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets options; each method is named after the option that it sets and returns the builder. */
  public static final class Builder {
    private Packer packer = Packer.standard();
    private Unpacker unpacker = Unpacker.standard();
    private String codec;
    private Integer level;
    private int blockSize = 4 << 20;
    private int blockRows = 1 << 16;
    private boolean columns = true;
    private boolean messages;
    private List<String> stats;
    private Map<?, ?> meta;
    private byte[] sync;

    private Builder() {}

    private static int within(String option, int value, int most) {
      if (value < 1 || value > most) {
        throw new IllegalArgumentException(option + " must be from 1 to " + most + ": " + value);
      }
      return value;
    }

    /** Sets {@link WriteOptions#packer}. */
    public Builder packer(Packer value) {
      packer = Objects.requireNonNull(value, "packer");
      return this;
    }

    /** Sets {@link WriteOptions#unpacker}. */
    public Builder unpacker(Unpacker value) {
      unpacker = Objects.requireNonNull(value, "unpacker");
      return this;
    }

    /** Sets {@link WriteOptions#codec}. */
    public Builder codec(String value) {
      String obstacle = value == null ? null : Codecs.obstacle(value);
      if (obstacle != null) throw new IllegalArgumentException(obstacle);
      codec = value;
      return this;
    }

    /** Sets {@link WriteOptions#level}: for deflate 0 to 9, for zstd up to 22. */
    public Builder level(Integer value) {
      level = value;
      return this;
    }

    /** Sets {@link WriteOptions#blockSize}, at most 64 MiB. */
    public Builder blockSize(int value) {
      blockSize = within("blockSize", value, ReadOptions.MAX_BLOCK);
      return this;
    }

    /** Sets {@link WriteOptions#blockRows}. */
    public Builder blockRows(int value) {
      blockRows = within("blockRows", value, Integer.MAX_VALUE);
      return this;
    }

    /** Sets {@link WriteOptions#columns}. */
    public Builder columns(boolean value) {
      columns = value;
      return this;
    }

    /** Sets {@link WriteOptions#messages}. */
    public Builder messages(boolean value) {
      messages = value;
      return this;
    }

    /** Sets {@link WriteOptions#stats}. */
    public Builder stats(List<String> value) {
      stats = value == null ? null : List.copyOf(value);
      return this;
    }

    /** Sets {@link WriteOptions#meta}. */
    public Builder meta(Map<?, ?> value) {
      meta = value;
      return this;
    }

    /** Sets {@link WriteOptions#sync()}, 16 bytes. */
    public Builder sync(byte[] value) {
      if (value != null && value.length != HeaderReader.SYNC_SIZE) {
        throw new IllegalArgumentException("sync must have 16 bytes");
      }
      sync = value == null ? null : value.clone();
      return this;
    }

    /** Makes the options. */
    public WriteOptions build() {
      return new WriteOptions(this);
    }
  }
}
