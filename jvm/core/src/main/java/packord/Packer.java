package packord;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.function.Supplier;
import packord.encode.Encoder;
import packord.encode.TypedEncoder;

/**
 * Packs values to MessagePack. Immutable and safe to share between threads; make one and keep it.
 *
 * <p>A packer takes null, Boolean, all integer types, BigInteger within 64 bits, Float, Double, String, byte[],
 * ByteBuffer, other arrays, Collection, Iterable, Iterator, Stream, Map with any keys, {@link Ext} and
 * {@link Timestamp}. Records and classes with getters or public fields become maps, an Optional its value or nil.
 * Points in time with any offset or none (Instant, OffsetDateTime, ZonedDateTime, Date) become timestamps, all other
 * classes of java.time text of ISO 8601. Text too are Character, enums (their names), BigDecimal, UUID, URI, URL, Path,
 * File, InetAddress, Locale and Currency. {@link Unpacker#unpack(byte[], Class)} reads all of it, and the option
 * {@link Options#rich} keeps types.
 *
 * <pre>{@code
 * byte[] bytes = Packer.standard().pack(Map.of("a", List.of(1, 2, 3)));
 * }</pre>
 */
public final class Packer {
    private static final Packer STANDARD = of(Options.builder().build());

    private final Options options;
    private final Function<Options, ? extends Encoder> maker;
    private final Supplier<? extends Encoder> factory;
    private final Pool<Encoder> pool;

    /** Makes a packer whose encoders are made by {@code maker}. */
    Packer(Options options, Function<Options, ? extends Encoder> maker) {
        this.options = options;
        this.maker = maker;
        this.factory = () -> maker.apply(options);
        this.pool = new Pool<>(factory);
    }

    /** Returns the packer with the default options. */
    public static Packer standard() {
        return STANDARD;
    }

    /** Makes a packer for Java's own types. */
    public static Packer of(Options options) {
        return new Packer(options, TypedEncoder::new);
    }

    /** Returns a packer that takes the same types as this one. */
    public Packer with(Options other) {
        return new Packer(other, maker);
    }

    /** Returns an error of the class that this packer throws, for what writes a format around messages. */
    public RuntimeException error(ErrorKind kind, String detail) {
        return factory.get().error(kind, detail);
    }

    /** Returns the options of this packer. */
    public Options options() {
        return options;
    }

    /** Packs a value. */
    public byte[] pack(Object value) {
        Encoder encoder = pool.acquire();
        try {
            encoder.message(value);
            return encoder.toBytes();
        } finally {
            encoder.release();
            pool.release(encoder);
        }
    }

    /**
     * Packs a value to a stream and flushes it; does not close it. A message of more than 64 KiB is written as it
     * grows, so that it is never in memory as a whole; when a value in it cannot be packed, the part before it may have
     * been written. Of a smaller message nothing is written then, nor of any with the option {@code columns}, which
     * needs the whole message.
     */
    public void pack(Object value, OutputStream out) throws IOException {
        Encoder encoder = pool.acquire();
        try {
            encoder.messageTo(value, out);
            out.flush();
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        } finally {
            encoder.release();
            pool.release(encoder);
        }
    }

    /**
     * Returns a writer of messages piece by piece, for those that are too large to be one value. It writes no columns,
     * which need the whole message. A BufferedOutputStream is not needed.
     *
     * @throws IllegalArgumentException with the options canonical, sortKeys, skipNil and structures, which need the
     *     whole message
     */
    public TokenWriter tokens(OutputStream out) {
        return new TokenWriter(factory.get(), out);
    }

    /**
     * Returns a writer of many messages to one stream. With the option {@code sequential}, record definitions last from
     * one to the next.
     */
    public MessageWriter writer(OutputStream out) {
        return new MessageWriter(factory.get(), out);
    }
}
