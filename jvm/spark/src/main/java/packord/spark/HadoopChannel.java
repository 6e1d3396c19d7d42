package packord.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of Hadoop as a channel of Java, to read. It has the size that it had when it was opened. */
final class HadoopChannel implements SeekableByteChannel {
    private final FSDataInputStream in;
    private final long size;
    private long position;
    private boolean isClosed;

    HadoopChannel(FSDataInputStream in, long size) {
        this.in = in;
        this.size = size;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (isClosed) throw new ClosedChannelException();
        if (position >= size) return -1;
        if (in.getPos() != position) in.seek(position);
        int wanted = (int) Math.min(target.remaining(), size - position);
        byte[] bytes = target.hasArray() ? target.array() : new byte[wanted];
        int from = target.hasArray() ? target.arrayOffset() + target.position() : 0;
        int count = in.read(bytes, from, wanted);
        if (count <= 0) return count;
        if (target.hasArray()) target.position(target.position() + count);
        else target.put(bytes, 0, count);
        position += count;
        return count;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public SeekableByteChannel position(long newPosition) {
        if (newPosition < 0) throw new IllegalArgumentException("position " + newPosition);
        position = newPosition;
        return this;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        in.close();
    }
}
