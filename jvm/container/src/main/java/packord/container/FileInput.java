package packord.container;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import packord.ErrorKind;
import packord.Unpacker;

/**
 * The bytes of a file by their offsets: a window that grows with the bytes that arrive, never with those that are
 * announced. A channel can be read from any offset, a stream only onwards.
 */
final class FileInput implements Closeable {
    private static final int FIRST = 1 << 12;
    private static final int CHUNK = 1 << 16;
    private static final int MOST_AT_ONCE = 1 << 20;

    /** The bytes; the one at index 0 has the offset {@link #base}. */
    byte[] buf = new byte[FIRST];

    private long base;
    private int end;
    private long kept;
    private final int mostKept;

    /** Where they come from: one of the two is null. */
    private final InputStream stream;

    private final SeekableByteChannel channel;

    /** Makes errors of the class that the program expects. */
    private final Unpacker unpacker;

    /** The bytes that were read so far. */
    long taken;

    /** How much is read at once after a jump. */
    private int window = CHUNK;

    /** The size of a channel when it was last asked, which takes a call of the system. */
    private long knownSize;

    /** Waits at the end of the file; null where the end is the end. */
    private FollowTimer waiting;

    /** Makes the input of a stream, of which {@code mostKept} bytes and a chunk are kept. */
    FileInput(InputStream stream, ReadOptions options, int mostKept) {
        this(stream, null, options, mostKept);
    }

    /** Makes the input of a channel, which is closed with it. */
    FileInput(SeekableByteChannel channel, ReadOptions options) {
        this(null, channel, options, 0);
    }

    private FileInput(InputStream stream, SeekableByteChannel channel, ReadOptions options, int mostKept) {
        this.stream = stream;
        this.channel = channel;
        unpacker = options.unpacker;
        this.mostKept = mostKept;
    }

    /** Returns an error at an offset in the file. Detail and cause are null if there is none. */
    RuntimeException fault(ErrorKind kind, long offset, String detail, Throwable cause) {
        return unpacker.error(kind, offset, detail, cause);
    }

    /** Reads at an offset, for a stream always the next one. Returns -1 at the end. */
    private int read(long offset, byte[] target, int from, int count) throws IOException {
        if (channel != null) {
            channel.position(offset);
            int got = channel.read(ByteBuffer.wrap(target, from, count));
            // A channel that has no bytes for now would be asked for ever.
            return got == 0 ? -1 : got;
        }
        int got = stream.read(target, from, count);
        if (got != 0) return got;
        int value = stream.read();
        if (value >= 0) target[from] = (byte) value;
        return value < 0 ? -1 : 1;
    }

    private int take(long offset, byte[] target, int from, int count) throws IOException {
        // A channel takes memory outside of the heap for as much as is read at once.
        int got = read(offset, target, from, Math.min(count, MOST_AT_ONCE));
        taken += Math.max(0, got);
        return got;
    }

    /** Whether any offset can be read. */
    boolean isSeekable() {
        return channel != null;
    }

    /** Returns the size of a channel as it is now. */
    long size() {
        try {
            return channel.size();
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Waits at the end of the file from now on. */
    void follow(FollowTimer growing) {
        waiting = growing;
    }

    /** Reads little after a jump from now on, since most of what is between jumps is not wanted. */
    void readLittle() {
        window = FIRST;
    }

    /** Whether bytes at any offset are there at once. */
    boolean isRandom() {
        return isSeekable() && waiting == null;
    }

    /** Lets go of the bytes of a stream before an offset. */
    void keepFrom(long offset) {
        kept = offset;
    }

    /** Returns the earliest offset that can still be read. */
    long earliest() {
        return isSeekable() ? 0 : base;
    }

    /** Returns the index in {@link #buf} of an offset that was filled. */
    int index(long offset) {
        return (int) (offset - base);
    }

    /** Returns the byte at an offset, 0 to 255, or -1 at the end of the file. */
    int at(long offset) {
        if (offset < base || offset >= base + end) {
            if (fill(offset, 1) == 0) return -1;
        }
        return buf[index(offset)] & 0xff;
    }

    /**
     * Makes bytes available in {@link #buf}: {@code count}, or less at the end of the file. Throws NotYet when waiting
     * has ended.
     */
    int fill(long offset, int count) {
        place(offset, count);
        while (base + end < offset + count) {
            if (end == buf.length) grow(offset + count - base);
            try {
                int got = take(base + end, buf, end, buf.length - end);
                if (got < 0) {
                    if (waiting == null) break;
                    if (!waiting.again()) throw NotYet.INSTANCE;
                } else {
                    if (waiting != null) waiting.arrived();
                    end += got;
                    if (base + end <= offset) skip();
                }
            } catch (IOException exception) {
                if (waiting != null && waiting.stopped) throw NotYet.INSTANCE;
                throw new UncheckedIOException(exception);
            }
        }
        return (int) Math.max(0, Math.min(count, base + end - offset));
    }

    /** Returns how many bytes from an offset on are in {@link #buf}. */
    int available(long offset) {
        return (int) (base + end - offset);
    }

    /** Moves the window so that it begins at an offset or before. */
    private void place(long offset, int count) {
        if (isSeekable()) {
            if (offset < base || offset > base + end) {
                base = offset;
                end = 0;
                if (buf.length > window && count <= window) buf = new byte[window];
            } else if (offset + count > base + buf.length) {
                drop(offset);
            }
            return;
        }
        if (offset < base) throw new IllegalStateException("the stream has passed offset " + offset);
        if (offset + count > base + buf.length) {
            drop(Math.max(Math.min(kept, offset), offset + count - mostKept - CHUNK));
        }
    }

    /** Lets go of what is before an offset, or all of it. */
    private void drop(long before) {
        int count = (int) Math.min(end, Math.max(0, before - base));
        if (count == 0) return;
        System.arraycopy(buf, count, buf, 0, end - count);
        base += count;
        end -= count;
    }

    /** Lets go of all bytes, which are before those that are needed. */
    private void skip() {
        base += end;
        end = 0;
    }

    /** Grows by a quarter at least, so that many small requests do not copy the bytes as often. */
    private void grow(long wanted) {
        long least = buf.length + buf.length / 4L;
        buf = Arrays.copyOf(buf, (int) Math.max(CHUNK, Math.max(least, Math.min(wanted, 2L * buf.length))));
    }

    /** Whether the file has all bytes before an offset. Of a stream they are read for that. */
    boolean reaches(long offset) {
        if (offset <= base + end) return true;
        if (isRandom()) {
            if (offset > knownSize) knownSize = size();
            return offset <= knownSize;
        }
        long from = Math.max(base + end, kept);
        while (from < offset) {
            int count = (int) Math.min(offset - from, CHUNK);
            if (fill(from, count) < count) return false;
            from += count;
        }
        return true;
    }

    /** Whether {@code count} bytes can be read and then read again. */
    boolean keeps(long count) {
        return kept(count) == count;
    }

    /** Returns the number of bytes, at most this one, that can be read and then read again. */
    long kept(long count) {
        return isSeekable() ? count : Math.min(count, mostKept);
    }

    /** Returns the size of a file of which the end was seen. */
    long end() {
        return isSeekable() ? size() : base + end;
    }

    /** Returns a copy of bytes that are there. Those of a channel are read into it, past the window. */
    byte[] copy(long offset, int count) {
        if (!isRandom()) {
            fill(offset, count);
            int from = index(offset);
            return Arrays.copyOfRange(buf, from, from + count);
        }
        byte[] copy = new byte[count];
        int there = 0;
        if (offset >= base && offset < base + end) {
            there = (int) Math.min(count, base + end - offset);
            System.arraycopy(buf, index(offset), copy, 0, there);
        }
        try {
            while (there < count) {
                int got = take(offset + there, copy, there, count - there);
                if (got < 0) break; // It was cut after its size was asked.
                there += got;
            }
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        return copy;
    }

    /** Thrown where no more bytes have arrived in the time that a reader waits. */
    static final class NotYet extends RuntimeException {
        private static final long serialVersionUID = 1L;
        static final NotYet INSTANCE = new NotYet();

        private NotYet() {
            super("no bytes yet", null, false, false);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) channel.close();
        else stream.close();
    }
}
