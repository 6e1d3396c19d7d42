package packord;

import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import packord.encode.Encoder;

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
    /** A container that is open. */
    private static final class Level {
        boolean isMap;

        /** The elements or entries. */
        long size;

        /** The keys and values that are still to come. */
        long left;

        /** The last key. */
        Object key;

        boolean isAtKey() {
            return isMap && (left & 1) == 0;
        }
    }

    private final Encoder encoder;
    private final OutputStream out;
    private Level[] levels = new Level[8];
    private int open;
    private boolean broken;

    TokenWriter(Encoder encoder, OutputStream out) {
        Options options = encoder.options;
        if (options.canonical || options.sortKeys || options.skipNil || options.structures != null) {
            throw new IllegalArgumentException(
                    "canonical, sortKeys, skipNil and structures need the whole message, which is written in pieces");
        }
        this.encoder = encoder;
        this.out = out;
        encoder.to(out);
    }

    /** Begins an array. */
    public TokenWriter beginArray(int size) throws IOException {
        return begin(false, size);
    }

    /** Begins a map. */
    public TokenWriter beginMap(int size) throws IOException {
        return begin(true, size);
    }

    private TokenWriter begin(boolean isMap, int size) throws IOException {
        if (size < 0) throw new IllegalArgumentException("size " + size);
        run(() -> piece(() -> {
            encoder.enter(null);
            if (isMap) encoder.mapHeader(size);
            else encoder.arrayHeader(size);
        }));
        if (open == levels.length) levels = Arrays.copyOf(levels, 2 * open);
        Level level = levels[open];
        if (level == null) level = levels[open] = new Level();
        open++;
        level.isMap = isMap;
        level.size = size;
        level.left = isMap ? 2L * size : size;
        level.key = null;
        return this;
    }

    /**
     * Ends the array or map that was begun last.
     *
     * @throws PackordException ({@link ErrorKind#UNSUPPORTED_TYPE}) when it has fewer values than announced
     */
    public TokenWriter end() throws IOException {
        check();
        if (open == 0) throw new IllegalStateException("no container is open");
        Level level = levels[open - 1];
        if (level.left > 0) throw broken(located(incomplete(level), open - 2));
        open--;
        encoder.leave();
        return run(this::finish);
    }

    private RuntimeException incomplete(Level level) {
        long done = level.isMap ? level.size - (level.left + 1) / 2 : level.size - level.left;
        String what = level.isMap ? " entries" : " elements";
        return encoder.refused(done + " of " + level.size + what + " were written");
    }

    /** Writes a key or value of any type that {@link Packer} takes, containers too. */
    public TokenWriter write(Object value) throws IOException {
        boolean isKey = isAtKey();
        return item(isKey, value, isKey ? () -> encoder.writeKey(value) : () -> encoder.write(value));
    }

    /** Writes an integer. */
    public TokenWriter writeLong(long value) throws IOException {
        boolean isKey = isAtKey();
        return item(isKey, isKey ? value : null, () -> encoder.integer(value));
    }

    /** Writes a float. */
    public TokenWriter writeDouble(double value) throws IOException {
        boolean isKey = isAtKey();
        return item(isKey, isKey ? value : null, () -> encoder.float64OrSmaller(value));
    }

    private boolean isAtKey() {
        return open > 0 && levels[open - 1].isAtKey();
    }

    private TokenWriter item(boolean isKey, Object key, Runnable write) throws IOException {
        return run(() -> {
            piece(write);
            if (isKey) levels[open - 1].key = key;
            finish();
        });
    }

    private void piece(Runnable write) {
        check();
        if (open == 0) {
            encoder.beginMessage();
        } else if (levels[open - 1].left == 0) {
            Level level = levels[open - 1];
            String what = level.isMap ? " entries" : " elements";
            throw broken(located(encoder.refused("more than " + level.size + what), open - 2));
        }
        int start = encoder.pos;
        long drained = encoder.drains;
        boolean done = false;
        try {
            write.run();
            done = true;
        } catch (StackOverflowError overflow) {
            throw located(encoder.stackTooSmall(), open - 1);
        } catch (RuntimeException error) {
            throw located(error, open - 1);
        } finally {
            if (!done) {
                broken = true;
                if (encoder.drains == drained) encoder.pos = start;
            }
        }
        if (open > 0) levels[open - 1].left--;
    }

    /** A message whose last value is written is complete. */
    private void finish() {
        if (open == 0) encoder.endMessage();
    }

    private void check() {
        if (broken) throw new IllegalStateException("the message has failed, and cannot be continued");
    }

    private RuntimeException broken(RuntimeException error) {
        broken = true;
        return error;
    }

    /** Adds the path up to the container of this number. */
    private RuntimeException located(RuntimeException thrown, int innermost) {
        PackordException error = PackordException.of(thrown);
        for (int i = innermost; i >= 0; i--) {
            Level level = levels[i];
            boolean isInside = i < open - 1;
            if (!level.isMap) {
                error.inElement(null, level.size - level.left - (isInside ? 1 : 0));
            } else if (isInside ? (level.left & 1) == 1 : level.isAtKey()) {
                error.inKey();
            } else {
                encoder.inEntry(thrown, null, level.key);
            }
        }
        return thrown;
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
        run(encoder::drain);
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
            run(encoder::drain);
            closed.flush();
            if (open > 0 && !broken) throw broken(incomplete(levels[open - 1]));
        }
    }
}
