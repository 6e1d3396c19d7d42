package packord.encode;

import java.io.OutputStream;
import java.util.Arrays;
import packord.Options;
import packord.PackordException;

/**
 * Writes messages piece by piece: the header of a container, then what is in it. It counts what is written, and hands
 * the bytes to the stream as they grow.
 */
public final class StepWriter {
    /** A container that is open. */
    private static final class Level {
        /** Whether it is a map. */
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
    private Level[] levels = new Level[8];
    private int open;
    private boolean broken;

    /** Makes a writer to a stream. */
    public StepWriter(Encoder encoder, OutputStream stream) {
        Options options = encoder.options;
        if (options.canonical || options.sortKeys || options.skipNil || options.structures != null) {
            throw new IllegalArgumentException(
                    "canonical, sortKeys, skipNil and structures need the whole message, which is written in pieces");
        }
        this.encoder = encoder;
        encoder.to(stream);
    }

    /** Begins an array. */
    public void beginArray(int size) {
        begin(false, size, size);
    }

    /** Begins a map. */
    public void beginMap(int size) {
        begin(true, size, 2L * size);
    }

    private void begin(boolean isMap, int size, long values) {
        if (size < 0) throw new IllegalArgumentException("size " + size);
        piece(() -> {
            encoder.enter(null);
            if (isMap) encoder.mapHeader(size);
            else encoder.arrayHeader(size);
        });
        if (open == levels.length) levels = Arrays.copyOf(levels, 2 * open);
        Level level = levels[open];
        if (level == null) level = levels[open] = new Level();
        open++;
        level.isMap = isMap;
        level.size = size;
        level.left = values;
        level.key = null;
    }

    /** Ends the container that was begun last, which must be complete. */
    public void end() {
        check();
        if (open == 0) throw new IllegalStateException("no container is open");
        Level level = levels[open - 1];
        if (level.left > 0) throw broken(located(incomplete(level), open - 2));
        open--;
        encoder.leave();
        finish();
    }

    private RuntimeException incomplete(Level level) {
        long done = level.isMap ? level.size - (level.left + 1) / 2 : level.size - level.left;
        String what = level.isMap ? " entries" : " elements";
        return encoder.refused(done + " of " + level.size + what + " were written");
    }

    /** Writes a value, or a key of a map. */
    public void write(Object value) {
        boolean isKey = isAtKey();
        piece(isKey ? () -> encoder.writeKey(value) : () -> encoder.write(value));
        if (isKey) levels[open - 1].key = value;
        finish();
    }

    /** Writes an integer. */
    public void integer(long value) {
        boolean isKey = isAtKey();
        piece(() -> encoder.integer(value));
        if (isKey) levels[open - 1].key = value;
        finish();
    }

    /** Writes a float. */
    public void number(double value) {
        boolean isKey = isAtKey();
        piece(() -> encoder.float64OrSmaller(value));
        if (isKey) levels[open - 1].key = value;
        finish();
    }

    private boolean isAtKey() {
        return open > 0 && levels[open - 1].isAtKey();
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
        long drained = encoder.drains();
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
                if (encoder.drains() == drained) encoder.pos = start;
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

    /** Hands everything to the stream. */
    public void flush() {
        encoder.drain();
    }

    /** Checks that no message is incomplete. */
    public void checkComplete() {
        if (open > 0 && !broken) throw broken(incomplete(levels[open - 1]));
    }
}
