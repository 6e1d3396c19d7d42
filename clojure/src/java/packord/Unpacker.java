package packord;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import packord.decode.Decoder;

/**
 * Unpacks MessagePack. Immutable and safe to share between threads; make one and keep it.
 *
 * <p>An unpacker made here returns null, Boolean, Long, BigInteger above a long, Double, String,
 * byte[], List, Map (in the order of the message), Instant, {@link Timestamp}, {@link Ext}.
 *
 * <pre>{@code
 * Object value = Unpacker.standard().unpack(bytes);
 * }</pre>
 */
public final class Unpacker {
  private static final Unpacker STANDARD = of(Options.builder().build());

  private final Options options;
  private final Supplier<? extends Decoder> factory;
  private final Pool<Decoder> pool;

  private Unpacker(Options options, Supplier<? extends Decoder> factory) {
    this.options = options;
    this.factory = factory;
    this.pool = new Pool<>(factory);
  }

  /**
   * Returns the unpacker with the default options.
   *
   * @return always the same unpacker
   */
  public static Unpacker standard() {
    return STANDARD;
  }

  /**
   * Makes an unpacker that returns Java's own types.
   *
   * @param options how to unpack
   * @return an unpacker
   */
  public static Unpacker of(Options options) {
    return new Unpacker(options, () -> new Decoder(options));
  }

  /** Makes an unpacker whose decoders the factory makes. */
  static Unpacker of(Options options, Supplier<? extends Decoder> factory) {
    return new Unpacker(options, factory);
  }

  /**
   * Returns the options of this unpacker.
   *
   * @return the options
   */
  public Options options() {
    return options;
  }

  /**
   * Unpacks one message.
   *
   * @param bytes the message, and nothing else unless the option allows it
   * @return the value
   * @throws PackordException when the bytes are not one message
   */
  public Object unpack(byte[] bytes) {
    return unpack(bytes, 0, bytes.length);
  }

  /**
   * Unpacks one message.
   *
   * @param bytes an array
   * @param offset where the message begins; offsets of errors count from here
   * @param length its length
   * @return the value
   * @throws PackordException when the bytes are not one message
   */
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
   * Unpacks one message from the buffer's position on, and moves the position to its end.
   *
   * @param buffer the message, and nothing else up to the limit unless the option allows it
   * @return the value
   * @throws PackordException when the bytes are not one message; the position stays
   */
  public Object unpack(ByteBuffer buffer) {
    int position = buffer.position();
    Decoder decoder = pool.acquire();
    try {
      Object value =
          buffer.hasArray()
              ? decoder.message(buffer.array(), buffer.arrayOffset() + position, buffer.remaining())
              : decoder.message(buffer);
      buffer.position(position + decoder.consumed());
      return value;
    } finally {
      decoder.release();
      pool.release(decoder);
    }
  }

  /**
   * Unpacks one message from a stream and reads no byte after it. Does not close the stream. The
   * stream is read in small pieces: wrap files and sockets in a BufferedInputStream.
   *
   * @param in the stream
   * @return the value
   * @throws PackordException when the stream does not begin with a message
   * @throws IOException of the stream
   */
  public Object unpack(InputStream in) throws IOException {
    Decoder decoder = pool.acquire();
    try {
      decoder.stream(in);
      decoder.hasMessage();
      return decoder.message();
    } catch (UncheckedIOException exception) {
      throw exception.getCause();
    } finally {
      decoder.release();
      pool.release(decoder);
    }
  }

  /**
   * Unpacks a stream that holds one message and, unless the option allows it, nothing else. Does not
   * close the stream. More than {@code maxBuffer} bytes are not read.
   *
   * @param in the stream
   * @return the value
   * @throws PackordException when the stream is not one message
   * @throws IOException of the stream
   */
  public Object unpackAll(InputStream in) throws IOException {
    Decoder decoder = pool.acquire();
    try {
      return decoder.onlyMessage(in);
    } catch (UncheckedIOException exception) {
      throw exception.getCause();
    } finally {
      decoder.release();
      pool.release(decoder);
    }
  }

  /**
   * Returns a reader of all messages of a stream. With the option {@code sequential}, record
   * definitions last from one to the next.
   *
   * @param in the stream; no byte is read before it is needed
   * @return a reader, for one thread
   */
  public MessageReader reader(InputStream in) {
    return new MessageReader(factory.get(), in);
  }
}
