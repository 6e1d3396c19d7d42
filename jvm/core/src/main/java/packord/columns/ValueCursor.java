package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.util.Arrays;
import packord.wire.Marker;
import packord.wire.Timestamps;
import packord.wire.Type;
import packord.wire.Utf8;

/** Passes the values of a section of PLAIN by their headers, and counts what is in them. */
final class ValueCursor {
    private final byte[] bytes;
    private final int end;

    int at;

    /** The values that were passed, keys and what is in containers included. */
    long count;

    /** Makes a cursor at the first value of a PLAIN. */
    ValueCursor(ColumnNode node) {
        this(node, node.at);
    }

    /** Makes a cursor at the value of a PLAIN at an index. */
    ValueCursor(ColumnNode node, int from) {
        bytes = node.bytes;
        at = from;
        end = node.at + node.size;
    }

    boolean isAtEnd() {
        return at == end;
    }

    /** Passes a value. */
    void next() {
        for (long unread = 1; unread > 0; unread--) {
            need(unread <= end - at);
            unread += step();
        }
    }

    /** Passes a value that nobody reads, in which no more containers may be open at once than this. */
    void check(long maxDepth) {
        long[] left = new long[8];
        left[0] = 1;
        for (int depth = 0; depth >= 0; ) {
            if (left[depth]-- == 0) {
                depth--;
                continue;
            }
            int from = at;
            long inside = step();
            int marker = bytes[from] & 0xff;
            need(Marker.type(marker) != Type.RESERVED);
            if (Marker.type(marker) == Type.STR) {
                need(Utf8.firstInvalid(bytes, Marker.strPayload(bytes, from), at) < 0);
            } else if (Marker.isExt(marker)) {
                int payload = from + 1 + Marker.bytesAfter(marker);
                need(bytes[payload - 1] != Timestamps.TYPE || Timestamps.isValid(bytes, payload, at - payload));
            } else if (Marker.type(marker) == Type.ARRAY || Marker.type(marker) == Type.MAP) {
                need(depth < maxDepth);
                if (++depth == left.length) left = Arrays.copyOf(left, 2 * depth);
                left[depth] = inside;
            }
        }
    }

    /** Passes a value but for what is in a container, and returns the number of values in that. */
    private long step() {
        need(at < end);
        int marker = bytes[at] & 0xff;
        int header = 1 + Marker.bytesAfter(marker);
        need(header <= end - at);
        long length = Marker.announced(bytes, at);
        at += header;
        count++;
        if (Marker.type(marker) == Type.ARRAY) return length;
        if (Marker.type(marker) == Type.MAP) return 2 * length;
        need(length <= end - at);
        at += (int) length;
        return 0;
    }
}
