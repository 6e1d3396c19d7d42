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
import packord.decode.Passing;

/**
 * Reads messages one after another from a stream or array; see {@link Unpacker#reader}. After an error the next message
 * can be read, unless it is not known where that begins. For one thread.
 */
public final class MessageReader<T> implements Iterator<T>, Closeable {
    private final Decoder decoder;
    private final InputStream in;
    private final boolean streamed;
    private long number;
    private boolean atMessage;
    private boolean ended;

    /** The error of the last message, which is not passed over yet; or null. */
    private PackordException fault;

    /** What was found when that message was passed over, and ends the stream; or null. */
    private RuntimeException found;

    MessageReader(Decoder decoder, InputStream in) {
        this.decoder = decoder;
        this.in = in;
        streamed = true;
        decoder.from(in);
    }

    /** Makes a reader of the array that the decoder was given. */
    MessageReader(Decoder decoder) {
        this.decoder = decoder;
        in = InputStream.nullInputStream();
        streamed = false;
    }

    /** Whether there is another message; waits for its first byte. */
    @Override
    public boolean hasNext() {
        if (atMessage || ended) return atMessage;
        ended = true;
        if (fault == null || passOver())
            atMessage = found != null || (streamed ? decoder.nextMessage() : decoder.hasMore());
        ended = !atMessage;
        return atMessage;
    }

    /** Goes on after a message at fault. Returns false if its fault was one that ends the stream. */
    private boolean passOver() {
        PackordException before = fault;
        fault = null;
        try {
            return Passing.over(decoder, before);
        } catch (RuntimeException error) {
            found = PackordException.of(error).inMessage(number - 1);
            return true;
        }
    }

    /**
     * Reads the next message.
     *
     * @throws PackordException when the bytes are not a message. The one after it may be asked for, unless its begin
     *     cannot be known
     */
    @Override
    @SuppressWarnings("unchecked") // A target returns values of its type alone.
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        atMessage = false;
        ended = true;
        if (found != null) throw found;
        try {
            T value = (T) decoder.message();
            ended = false;
            return value;
        } catch (RuntimeException error) {
            fault = PackordException.of(error);
            ended = false;
            throw fault.inMessage(number);
        } finally {
            number++;
        }
    }

    /** Returns the messages that are left. Each is read when it is needed; closing the result closes the stream. */
    public Stream<T> stream() {
        int order = Spliterator.ORDERED;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, order), false)
                .onClose(this::closeQuietly);
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Closes the stream. */
    @Override
    public void close() throws IOException {
        ended = true;
        atMessage = false;
        in.close();
    }
}
