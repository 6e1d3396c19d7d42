package packord;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bytes of a file, which is open only while a step of it is read. So nothing is left open by a reader that stops
 * early. For one thread.
 */
final class StepStream extends InputStream {
    private static final int STEP = 1 << 16;

    private final Path path;
    private final ByteBuffer step = ByteBuffer.allocate(STEP).limit(0);
    private long position;

    StepStream(Path path) {
        this.path = path;
    }

    private boolean isAtEnd() throws IOException {
        if (step.hasRemaining()) return false;
        step.clear();
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            channel.position(position);
            position += Math.max(0, channel.read(step));
        }
        step.flip();
        return !step.hasRemaining();
    }

    @Override
    public int read() throws IOException {
        return isAtEnd() ? -1 : step.get() & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int count) throws IOException {
        if (count == 0) return 0;
        if (isAtEnd()) return -1;
        int some = Math.min(count, step.remaining());
        step.get(target, from, some);
        return some;
    }
}
