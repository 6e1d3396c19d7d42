package packord;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import packord.decode.Decoder;
import packord.decode.Host;
import packord.decode.JavaHost;
import packord.decode.StepReader;
import packord.decode.Targets;
import packord.decode.TypedReader;

/**
 * Unpacks MessagePack. Immutable and safe to share between threads; make one and keep it.
 *
 * <p>An unpacker made here returns null, Boolean, Long, BigInteger above a long, Double, String, byte[], List, Map (in
 * the order of the message), Instant, {@link Timestamp}, {@link Ext}. Bytes that are not a message, and values that are
 * not of the type that is read into, are a {@link PackordException}.
 *
 * <pre>{@code
 * Object value = Unpacker.standard().unpack(bytes);
 * }</pre>
 */
public final class Unpacker {
    private static final Unpacker STANDARD = of(Options.builder().build());

    private final Options options;
    private final Supplier<? extends Host> hosts;
    private final Pool<Decoder> pool;
    private final Pool<Decoder> typed;
    private final boolean lenient;
    private final Targets targets;

    private Unpacker(Options options, Supplier<? extends Host> hosts, boolean lenient) {
        this.options = options;
        this.lenient = lenient;
        targets = new Targets(options, lenient);
        this.hosts = hosts;
        this.pool = new Pool<>(this::decoder);
        this.typed = new Pool<>(() -> new TypedReader(options));
    }

    /** Returns the unpacker with the default options. */
    public static Unpacker standard() {
        return STANDARD;
    }

    /** Makes an unpacker that returns Java's own types. */
    public static Unpacker of(Options options) {
        return new Unpacker(options, JavaHost::new, false);
    }

    /** Makes an unpacker of what the hosts make of values. */
    static Unpacker of(Options options, Supplier<? extends Host> hosts) {
        return new Unpacker(options, hosts, false);
    }

    private Decoder decoder() {
        return new Decoder(options, hosts.get());
    }

    /** Returns an unpacker that returns the same types as this one. */
    public Unpacker with(Options other) {
        return new Unpacker(other, hosts, lenient);
    }

    /**
     * Returns an unpacker that reads into types of the program what programs of other languages write for them: nil and
     * missing entries as the zero or false of a primitive type; a str as the number, bool or point in time that it
     * spells, an integer up to 1000 digits; numbers and bools as strings. The same holds for keys of maps.
     */
    public Unpacker lenient() {
        return new Unpacker(options, hosts, true);
    }

    /** Returns an error of the class that this unpacker throws, for what reads a format around messages. */
    public RuntimeException error(ErrorKind kind, long offset, String detail, Throwable cause) {
        return decoder().fault(kind, offset, detail, cause);
    }

    /** Returns the options of this unpacker. */
    public Options options() {
        return options;
    }

    /** Unpacks one message. Nothing may follow it unless the option {@code trailing} allows that. */
    public Object unpack(byte[] bytes) {
        return unpack(bytes, 0, bytes.length);
    }

    /** Unpacks one message. Offsets of errors count from {@code offset}. */
    public Object unpack(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        Decoder decoder = pool.acquire();
        try {
            return decoder.message(bytes, offset, length);
        } finally {
            decoder.release();
            pool.release(decoder);
        }
    }

    /**
     * Unpacks one message from the buffer's position on, and moves the position to its end. Nothing may follow it up to
     * the limit unless the option {@code trailing} allows that.
     *
     * @throws PackordException when the bytes are not one message; the position stays
     */
    public Object unpack(ByteBuffer buffer) {
        return read(null, decoder -> fromBuffer(decoder, buffer));
    }

    private static Object fromBuffer(Decoder decoder, ByteBuffer buffer) {
        int position = buffer.position();
        Object value = buffer.hasArray()
                ? decoder.message(buffer.array(), buffer.arrayOffset() + position, buffer.remaining())
                : decoder.message(buffer);
        buffer.position(position + decoder.consumed());
        return value;
    }

    /**
     * Unpacks one message from a stream and reads no byte after it. Does not close the stream. The stream is read in
     * small pieces: wrap files and sockets in a BufferedInputStream.
     */
    public Object unpack(InputStream in) throws IOException {
        return fromStream(null, decoder -> oneOf(decoder, in));
    }

    /**
     * Unpacks a stream that holds one message and, unless the option allows it, nothing else. Does not close the
     * stream. More than {@code maxBuffer} bytes are not read.
     */
    public Object unpackAll(InputStream in) throws IOException {
        return fromStream(null, decoder -> decoder.onlyMessage(in));
    }

    /**
     * Unpacks one message into a type of the program: a record, a class with properties, an enum (by name), a number, a
     * string, bytes, an array, any collection or map, Optional, or a class of java.time. Entries that the type does not
     * have are skipped. Nil becomes null, and an empty Optional; so does a parameter of a constructor that is missing,
     * unless its type is primitive. {@link #lenient} takes more. Nothing may follow the message unless the option
     * {@code trailing} allows that.
     *
     * <p>A class is made by the constructor or static method that {@link Packed} chooses; without arguments; or by a
     * constructor whose parameters are its properties, by their names (compiled with {@code -parameters}) or by the
     * types of its fields, all of them in their order. Other properties are set by setters or fields.
     *
     * <pre>{@code
     * record User(int id, String name, Optional<Instant> seen) {}
     *
     * User user = Unpacker.standard().unpack(bytes, User.class);
     * }</pre>
     *
     * <p>Classes in a module must be open to this library, as its reflection needs.
     *
     * @throws PackordException when the bytes are not one message, {@link ErrorKind#TYPE_MISMATCH} or
     *     {@link ErrorKind#OUT_OF_RANGE} when a value is not of the type, with offset and path
     * @throws IllegalArgumentException when nothing can be read into the type
     */
    public <T> T unpack(byte[] bytes, Class<T> type) {
        return read(type, decoder -> decoder.message(bytes, 0, bytes.length));
    }

    /**
     * Unpacks one message into a type with arguments, as {@link #unpack(byte[], Class)} does. Nothing may follow it
     * unless the option {@code trailing} allows that.
     *
     * <pre>{@code
     * Map<String, List<User>> users =
     *     Unpacker.standard().unpack(bytes, new TypeRef<Map<String, List<User>>>() {});
     * }</pre>
     */
    public <T> T unpack(byte[] bytes, TypeRef<T> type) {
        return read(type.type(), decoder -> decoder.message(bytes, 0, bytes.length));
    }

    /**
     * Unpacks one message from the buffer's position on into a type, as {@link #unpack(byte[], Class)} does, and moves
     * the position to its end. Nothing may follow it up to the limit unless the option {@code trailing} allows that.
     *
     * @throws PackordException when the bytes are not one message of the type; the position stays
     */
    public <T> T unpack(ByteBuffer buffer, Class<T> type) {
        return read(type, decoder -> fromBuffer(decoder, buffer));
    }

    /**
     * Unpacks one message from the buffer's position on into a type with arguments, and moves the position to its end.
     * Nothing may follow it up to the limit unless the option {@code trailing} allows that.
     *
     * @throws PackordException when the bytes are not one message of the type; the position stays
     */
    public <T> T unpack(ByteBuffer buffer, TypeRef<T> type) {
        return read(type.type(), decoder -> fromBuffer(decoder, buffer));
    }

    /**
     * Unpacks one message from a stream into a type, as {@link #unpack(byte[], Class)} does, and reads no byte after
     * it.
     */
    public <T> T unpack(InputStream in, Class<T> type) throws IOException {
        return fromStream(type, decoder -> oneOf(decoder, in));
    }

    /** Unpacks one message from a stream into a type with arguments. */
    public <T> T unpack(InputStream in, TypeRef<T> type) throws IOException {
        return fromStream(type.type(), decoder -> oneOf(decoder, in));
    }

    private static Object oneOf(Decoder decoder, InputStream in) {
        decoder.from(in);
        decoder.nextMessage();
        return decoder.message();
    }

    private <T> T fromStream(Type type, Function<Decoder, Object> read) throws IOException {
        try {
            return read(type, read);
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        }
    }

    /** Reads into a type, or values as they are if it is null. */
    @SuppressWarnings("unchecked") // A target returns values of its type alone.
    private <T> T read(Type type, Function<Decoder, Object> read) {
        Pool<Decoder> from = type == null ? pool : typed;
        Decoder decoder = from.acquire();
        if (type != null) ((TypedReader) decoder).into(targets.of(type));
        try {
            return (T) read.apply(decoder);
        } finally {
            decoder.release();
            from.release(decoder);
        }
    }

    /**
     * Returns a reader of all messages of a stream. With the option {@code sequential}, record definitions last from
     * one to the next. No byte of the stream is read before it is needed.
     */
    public MessageReader<Object> reader(InputStream in) {
        return new MessageReader<>(decoder(), in);
    }

    /**
     * Returns a reader of all messages of a stream into a type, as {@link #unpack(byte[], Class)} reads one. No byte of
     * the stream is read before it is needed.
     */
    public <T> MessageReader<T> reader(InputStream in, Class<T> type) {
        return reader(in, TypeRef.of(type));
    }

    /**
     * Returns a reader of all messages of a stream into a type with arguments. No byte of the stream is read before it
     * is needed.
     */
    public <T> MessageReader<T> reader(InputStream in, TypeRef<T> type) {
        return new MessageReader<>(new TypedReader(options).into(targets.of(type.type())), in);
    }

    /**
     * Returns a reader of all messages in a part of an array. With the option {@code sequential}, record definitions
     * last from one to the next. Offsets of errors count from {@code offset}.
     */
    public MessageReader<Object> reader(byte[] bytes, int offset, int length) {
        return reader(decoder(), bytes, offset, length);
    }

    private static <T> MessageReader<T> reader(Decoder decoder, byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        decoder.from(bytes, offset, length);
        return new MessageReader<>(decoder);
    }

    /**
     * Returns a reader of all messages in a part of an array into a type, as {@link #unpack(byte[], TypeRef)} reads
     * one. Offsets of errors count from {@code offset}.
     */
    public <T> MessageReader<T> reader(byte[] bytes, int offset, int length, TypeRef<T> type) {
        return reader(new TypedReader(options).into(targets.of(type.type())), bytes, offset, length);
    }

    /**
     * Returns a walker through the messages of an array, token by token.
     *
     * @throws IllegalArgumentException with the options canonical, duplicateKey and maxNodes, which a walker does not
     *     check
     */
    public Walker walker(byte[] bytes) {
        requireWalkable();
        return new Walker(StepReader.of(decoder(), bytes, 0, bytes.length));
    }

    /** Returns a walker through the messages of a buffer, from its position on. The position stays. */
    public Walker walker(ByteBuffer buffer) {
        requireWalkable();
        return new Walker(StepReader.of(decoder(), buffer));
    }

    /**
     * Returns a walker through the messages of a stream. Of a message, what was passed is kept until the next message,
     * {@code maxBuffer} bytes at most; no byte is read before it is needed.
     */
    public Walker walker(InputStream in) {
        requireWalkable();
        Decoder decoder = decoder();
        decoder.from(in);
        return new Walker(new StepReader(decoder, true));
    }

    private void requireWalkable() {
        if (StepReader.isAboutAll(options)) {
            throw new IllegalArgumentException("a walker does not check canonical, duplicateKey and maxNodes");
        }
    }

    /**
     * Returns a view of a message, which reads the parts of it that are asked for. The bytes are kept, and should not
     * change.
     */
    public View view(byte[] bytes) {
        return View.of(decoder(), options, bytes);
    }

    /**
     * Returns a view of the message that begins at the buffer's position, which stays. A mapped file is read as far as
     * it is needed. The buffer is kept, and should not change.
     */
    public View view(ByteBuffer buffer) {
        return View.of(decoder(), options, buffer);
    }

    /**
     * Returns a view of the columns of a message that is one value stored by column. The bytes are kept, and should not
     * change.
     *
     * @throws PackordException of kind {@code type_mismatch} when the message is another value, and as when it is
     *     unpacked with the option {@code columns}
     */
    public ColumnsView columns(byte[] bytes) {
        return columns(bytes, 0, bytes.length);
    }

    /**
     * Returns a view of the columns of a message in a part of an array. Offsets of errors count from {@code offset}.
     * The array is kept, and should not change.
     */
    public ColumnsView columns(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return new ColumnsView(this::decoder, bytes, offset, length);
    }

    /**
     * Returns a view of the columns of an ext, which is what a value stored by column is read as without the option
     * {@code columns}.
     */
    public ColumnsView columns(Ext ext) {
        return columns(Packer.standard().pack(ext));
    }
}
