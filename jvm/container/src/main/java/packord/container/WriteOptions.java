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
public final class WriteOptions implements Cloneable {
    Packer packer = Packer.standard();
    Unpacker unpacker = Unpacker.standard();
    String codec;
    Integer level;
    int blockSize = 4 << 20;
    int blockRows = 1 << 16;
    boolean columns = true;
    boolean messages;
    List<String> stats;
    Map<?, ?> meta;
    byte[] sync;

    private WriteOptions() {}

    /** Returns the options of a writer that is not told otherwise. */
    public static WriteOptions standard() {
        return builder().build();
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sets options; each method is named after the option that it sets and returns the builder. */
    public static final class Builder {
        private final WriteOptions made = new WriteOptions();

        private Builder() {}

        private static int within(String option, int value, int most) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(option + " must be from 1 to " + most + ": " + value);
            }
            return value;
        }

        /** How rows and messages are packed. Its options for records and columns have no meaning here. */
        public Builder packer(Packer value) {
            made.packer = Objects.requireNonNull(value, "packer");
            return this;
        }

        /** How {@code meta} is unpacked of a file that is appended to. */
        public Builder unpacker(Unpacker value) {
            made.unpacker = Objects.requireNonNull(value, "unpacker");
            return this;
        }

        /**
         * {@code none}, {@code deflate} or {@code zstd}. Default null: that of the file, {@code zstd} for a new one.
         */
        public Builder codec(String value) {
            String obstacle = value == null ? null : Codec.obstacle(value);
            if (obstacle != null) throw new IllegalArgumentException(obstacle);
            made.codec = value;
            return this;
        }

        /** The level of the codec, or null for its own: zstd 3, deflate 6. For deflate 0 to 9, for zstd up to 22. */
        public Builder level(Integer value) {
            made.level = value;
            return this;
        }

        /**
         * Largest plain body of a block, in bytes; a row that is larger has a block of its own. Default 4 MiB. At most
         * 64 MiB.
         */
        public Builder blockSize(int value) {
            made.blockSize = within("blockSize", value, ReadOptions.MAX_BLOCK);
            return this;
        }

        /** Most rows or messages of a block. Default 65,536. */
        public Builder blockRows(int value) {
            made.blockRows = within("blockRows", value, Integer.MAX_VALUE);
            return this;
        }

        /** Whether rows are written with columns on. Default: yes. */
        public Builder columns(boolean value) {
            made.columns = value;
            return this;
        }

        /** Whether blocks hold messages and not rows of a table. Default: no. */
        public Builder messages(boolean value) {
            made.messages = value;
            return this;
        }

        /** The paths whose statistics are kept; null, the default, for those of the first row. */
        public Builder stats(List<String> value) {
            made.stats = value == null ? null : List.copyOf(value);
            return this;
        }

        /** What the header notes for the program, or null. */
        public Builder meta(Map<?, ?> value) {
            made.meta = value;
            return this;
        }

        /** The 16 sync bytes of the file; null, the default, for random ones. */
        public Builder sync(byte[] value) {
            if (value != null && value.length != HeaderReader.SYNC_SIZE) {
                throw new IllegalArgumentException("sync must have 16 bytes");
            }
            made.sync = value == null ? null : value.clone();
            return this;
        }

        /** Makes the options. */
        public WriteOptions build() {
            try {
                return (WriteOptions) made.clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
