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
public final class ReadOptions implements Cloneable {
    /** The default of {@link Builder#maxBlock}. */
    public static final int MAX_BLOCK = 64 << 20;

    /** For {@link Builder#follow}: wait until the reader is closed. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    Unpacker unpacker = Unpacker.standard();
    int maxBlock = MAX_BLOCK;
    boolean skipDamaged;
    Predicate where;
    Predicate prune;
    Set<String> select;
    Split split;
    boolean useIndex = true;
    Duration follow;

    private ReadOptions() {}

    /** Returns the options of a reader that is not told otherwise. */
    public static ReadOptions standard() {
        return builder().build();
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Sets options; each method is named after the option that it sets and returns the builder. */
    public static final class Builder {
        private final ReadOptions made = new ReadOptions();

        private Builder() {}

        /** How rows and messages, and {@code meta}, are unpacked. Records are always off, and columns on. */
        public Builder unpacker(Unpacker value) {
            made.unpacker = Objects.requireNonNull(value, "unpacker");
            return this;
        }

        /** The largest body, and the largest data, of a block that is read, in bytes. Default 64 MiB. At most 1 GiB. */
        public Builder maxBlock(int value) {
            if (value < 0 || value > 1 << 30) throw new IllegalArgumentException("maxBlock " + value);
            made.maxBlock = value;
            return this;
        }

        /**
         * Whether what is damaged is passed over and noted in {@link ContainerReader#damaged()}. Default: no, it is an
         * error that ends the reading.
         */
        public Builder skipDamaged(boolean value) {
            made.skipDamaged = value;
            return this;
        }

        /** The predicate of the rows and messages that are returned, or null for all. */
        public Builder where(Predicate value) {
            made.where = value;
            return this;
        }

        /**
         * A predicate by which blocks are left out and nothing else, or null: for programs that compare the rows by
         * themselves.
         */
        public Builder prune(Predicate value) {
            made.prune = value;
            return this;
        }

        /**
         * The keys that rows and messages have which are maps, or null for all. Where the rows are stored by column,
         * only the chunks with these keys are read and unpacked, and with those of {@link #where}; what is at fault in
         * others is not found.
         */
        public Builder select(Collection<String> value) {
            made.select = value == null ? null : Set.copyOf(value);
            return this;
        }

        /** The range of the file whose blocks are read, or null for all. */
        public Builder split(Split value) {
            made.split = value;
            return this;
        }

        /** Whether the index is used where it can be. Default: yes. */
        public Builder useIndex(boolean value) {
            made.useIndex = value;
            return this;
        }

        /**
         * How long to wait for more at the end of a growing file before an iteration ends for now; null, the default,
         * for a file that does not grow. {@link #FOREVER} ends it only when the reader is closed.
         */
        public Builder follow(Duration value) {
            made.follow = value;
            return this;
        }

        /** Makes the options. */
        public ReadOptions build() {
            try {
                return (ReadOptions) made.clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
