package packord;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import packord.encode.Encoder;

/** Writes messages one after another to a stream; see {@link Packer#writer}. For one thread. */
public final class MessageWriter implements Closeable, Flushable {
    private static final int CHUNK = 1 << 16;

    private final Encoder encoder;
    private final OutputStream out;
    private long number;

    MessageWriter(Encoder encoder, OutputStream out) {
        this.encoder = encoder;
        this.out = out;
    }

    /**
     * Writes a message. It may stay in memory until {@link #flush}.
     *
     * @throws PackordException when it cannot be packed; the messages before it are not affected
     */
    public void write(Object value) throws IOException {
        try {
            encoder.message(value);
        } catch (RuntimeException error) {
            throw PackordException.of(error).inMessage(number);
        }
        number++;
        if (encoder.pos >= CHUNK) drain();
    }

    private void drain() throws IOException {
        out.write(encoder.buf, 0, encoder.pos);
        encoder.reset();
    }

    /** Hands everything to the stream and flushes it. */
    @Override
    public void flush() throws IOException {
        drain();
        out.flush();
    }

    /** Flushes and closes the stream. */
    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }
}
