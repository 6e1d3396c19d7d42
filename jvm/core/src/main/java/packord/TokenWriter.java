package packord;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import packord.encode.StepWriter;

/**
 * Writes messages piece by piece to a stream: the header of a container, then what is in it, one value after another. A
 * message of any length needs no more memory than its largest value. {@link Packer#tokens} makes one.
 *
 * <pre>{@code
 * try (TokenWriter out = Packer.standard().tokens(stream)) {
 *   out.beginMap(2);
 *   out.write("count");
 *   out.writeLong(rows);
 *   out.write("rows");
 *   out.beginArray(rows);
 *   for (Row row : table) out.write(row);
 *   out.end();
 *   out.end();
 * }
 * }</pre>
 *
 * <p>In a map, keys and values are written in turn. A container with fewer or more values than its header announces is
 * an error, after which the writer cannot be used, and so is too deep nesting. For one thread.
 */
public final class TokenWriter implements Closeable, Flushable {
    private final StepWriter steps;
    private final OutputStream out;

    TokenWriter(StepWriter steps, OutputStream out) {
        this.steps = steps;
        this.out = out;
    }

    /** Begins an array. */
    public TokenWriter beginArray(int size) throws IOException {
        return run(() -> steps.beginArray(size));
    }

    /** Begins a map. */
    public TokenWriter beginMap(int size) throws IOException {
        return run(() -> steps.beginMap(size));
    }

    /**
     * Ends the array or map that was begun last.
     *
     * @throws PackordException ({@link ErrorKind#UNSUPPORTED_TYPE}) when it has fewer values than announced
     */
    public TokenWriter end() throws IOException {
        return run(steps::end);
    }

    /** Writes a key or value of any type that {@link Packer} takes, containers too. */
    public TokenWriter write(Object value) throws IOException {
        return run(() -> steps.write(value));
    }

    /** Writes an integer. */
    public TokenWriter writeLong(long value) throws IOException {
        return run(() -> steps.integer(value));
    }

    /** Writes a float. */
    public TokenWriter writeDouble(double value) throws IOException {
        return run(() -> steps.number(value));
    }

    private TokenWriter run(Runnable step) throws IOException {
        try {
            step.run();
            return this;
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        }
    }

    /** Hands everything to the stream and flushes it. */
    @Override
    public void flush() throws IOException {
        run(steps::flush);
        out.flush();
    }

    /**
     * Flushes and closes the stream.
     *
     * @throws PackordException ({@link ErrorKind#UNSUPPORTED_TYPE}) when a container was not ended; the stream is
     *     closed
     */
    @Override
    public void close() throws IOException {
        try (OutputStream closed = out) {
            run(steps::flush);
            closed.flush();
            steps.checkComplete();
        }
    }
}
