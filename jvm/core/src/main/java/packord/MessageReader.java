package packord;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import packord.decode.Decoder;

/**
 * Reads messages one after another from a stream or array; see {@link Unpacker#reader}. After an error
 * there are no more. For one thread.
 */
public final class MessageReader<T> implements Iterator<T>, Closeable {
  private final Decoder decoder;
  private final InputStream in;
  private final boolean streamed;
  private long number;
  private boolean atMessage;
  private boolean ended;

  MessageReader(Decoder decoder, InputStream in) {
    this.decoder = decoder;
    this.in = in;
    streamed = true;
    decoder.stream(in);
  }

  /** Makes a reader of the array that the decoder was given. */
  MessageReader(Decoder decoder) {
    this.decoder = decoder;
    in = InputStream.nullInputStream();
    streamed = false;
  }

  /**
   * Whether there is another message; waits for its first byte.
   *
   * @return false at the end of the stream
   * @throws UncheckedIOException of the stream
   */
  @Override
  public boolean hasNext() {
    if (!atMessage && !ended) {
      atMessage = streamed ? decoder.hasMessage() : decoder.hasMore();
      ended = !atMessage;
    }
    return atMessage;
  }

  /**
   * Reads the next message.
   *
   * @return its value
   * @throws NoSuchElementException at the end of the stream
   * @throws PackordException when the bytes are not a message
   * @throws UncheckedIOException of the stream
   */
  @Override
  @SuppressWarnings("unchecked") // A target returns values of its type alone.
  public T next() {
    if (!hasNext()) throw new NoSuchElementException();
    atMessage = false;
    ended = true;
    try {
      T value = (T) decoder.message();
      ended = false;
      return value;
    } catch (PackordException error) {
      throw error.inMessage(number);
    } finally {
      number++;
    }
  }

  /**
   * Returns the messages that are left. Each is read when it is needed; closing the result closes the stream.
   *
   * @return a stream, for one thread
   */
  public Stream<T> stream() {
    int order = Spliterator.ORDERED;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, order), false).onClose(this::closeQuietly);
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException exception) {
      throw new UncheckedIOException(exception);
    }
  }

  /**
   * Closes the stream.
   *
   * @throws IOException of the stream
   */
  @Override
  public void close() throws IOException {
    ended = true;
    atMessage = false;
    in.close();
  }
}
