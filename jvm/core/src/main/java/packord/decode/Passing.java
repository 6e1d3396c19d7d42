package packord.decode;

import packord.ErrorKind;
import packord.PackordException;
import packord.record.Shape;
import packord.wire.Marker;
import packord.wire.Type;

/** Passes over the message of a stream that is at fault: {@code spec/format.md} section 6.1. */
public final class Passing {
    private final Decoder in;
    private long maxBuffer;

    private Passing(Decoder in) {
        this.in = in;
    }

    /**
     * Goes on after the last message, which has this fault. Returns false if it is a fault that ends the stream. Throws
     * PackordException for another such fault in this message.
     */
    public static boolean over(Decoder in, PackordException fault) {
        boolean ends = fault.kind() == ErrorKind.EOF || fault.kind() == ErrorKind.RESERVED_MARKER;
        if (ends || in.isOverBuffer) return false;
        try {
            new Passing(in).message();
            return true;
        } catch (RuntimeException thrown) {
            PackordException found = PackordException.of(thrown);
            if (found.kind() == fault.kind() && found.offset() == fault.offset()) return false;
            throw thrown;
        }
    }

    private void message() {
        boolean done = false;
        in.pos = in.messageStart;
        in.beginMessage();
        int depth = in.limitDepth(Integer.MAX_VALUE);
        maxBuffer = in.limitBuffer(Long.MAX_VALUE);
        in.isPassing = true;
        try {
            for (long toCome = 1; toCome > 0; toCome--) toCome += header();
            done = true;
        } finally {
            in.isPassing = false;
            in.limitBuffer(maxBuffer);
            in.limitDepth(depth);
            in.endMessage(done);
        }
    }

    /** Passes a value, or the header of a container, and returns how many values this announces. */
    private long header() {
        in.needNext();
        int at = in.pos;
        int marker = in.next();
        Type type = Marker.type(marker);
        if (type == Type.RESERVED) throw in.error(ErrorKind.RESERVED_MARKER, at);
        Shape shape = in.recordsOn() ? shape(marker, type, at) : null;
        if (shape != null) return shape.size();
        long size = in.header(marker, at);
        if (type == Type.ARRAY) return size;
        if (type == Type.MAP) return 2 * size;
        if (type == Type.STR || type == Type.BIN || type == Type.EXT) in.pass(size);
        return 0;
    }

    private Shape shape(int marker, Type type, int at) {
        if ((byte) marker >= 0x40) return in.shapeOfId(marker, at, 0);
        return type == Type.EXT ? definition(marker, at) : null;
    }

    /** Reads a definition, which counts for {@code max_buffer} as if a message began there; null for another ext. */
    private Shape definition(int marker, int at) {
        in.need(Marker.bytesAfter(marker), at);
        if (!in.isDefinition(marker, at)) return null;
        in.pos = at;
        in.limitBuffer(maxBuffer);
        in.checkFirstByte();
        in.next();
        Shape shape = in.defined(marker, at, 0, 0);
        in.checkAnnounced(shape.size(), at);
        in.limitBuffer(Long.MAX_VALUE);
        return shape;
    }
}
