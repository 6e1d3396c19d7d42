package packord.container;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import packord.wire.PackedBytes;

/** Where a writer writes: how far it is, and whether that has failed. */
final class OutputFile {
    /** The files that writers of this program have open. */
    private static final Map<Path, FileChannel> OPEN = new HashMap<>();

    private final OutputStream out;

    /** The bytes of the file so far. */
    long size;

    /** Whether something could not be written, after which nothing is. */
    boolean isBroken;

    /** Makes the output of a stream that has {@code size} bytes already. */
    OutputFile(OutputStream out, long size) {
        this.out = out;
        this.size = size;
    }

    /**
     * Opens a file for one writer, which has it until the channel is closed.
     *
     * <p>A lock of POSIX ends for other processes when this one closes any channel of the file, so a second writer of
     * this program is refused before it opens one. For the same reason, a reader of this program that is closed while
     * the file is written ends the lock.
     */
    static synchronized FileChannel open(Path path, OpenOption... options) throws IOException {
        Path name =
                Files.exists(path) ? path.toRealPath() : path.toAbsolutePath().normalize();
        OPEN.values().removeIf(other -> !other.isOpen());
        if (OPEN.containsKey(name)) throw new ContainerLockedException(path.toString(), null);
        FileChannel channel = locked(path, options);
        OPEN.put(path.toRealPath(), channel);
        return channel;
    }

    private static FileChannel locked(Path path, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(path, options);
        boolean isOwn = false;
        try {
            isOwn = channel.tryLock() != null;
        } catch (OverlappingFileLockException ofThisProgram) {
            throw new ContainerLockedException(path.toString(), ofThisProgram);
        } finally {
            if (!isOwn) channel.close();
        }
        if (!isOwn) throw new ContainerLockedException(path.toString(), null);
        return channel;
    }

    /** Returns the output at the end of a file. */
    static OutputFile after(FileChannel channel) throws IOException {
        channel.position(channel.size());
        // Not that of Channels, which keeps the last array, of a large block too.
        OutputStream out = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, from, count);
                while (buffer.hasRemaining()) channel.write(buffer);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
        return new OutputFile(out, channel.size());
    }

    void write(PackedBytes bytes) throws IOException {
        if (isBroken) throw new IOException("an earlier part of the file could not be written");
        isBroken = true;
        out.write(bytes.buf, 0, bytes.pos);
        size += bytes.pos;
        isBroken = false;
    }

    void flush() throws IOException {
        out.flush();
    }

    void close() throws IOException {
        out.close();
    }
}
