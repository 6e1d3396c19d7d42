package packord.decode;

import java.util.Arrays;
import packord.Ext;
import packord.ExtensionHeader;

/** An ext whose payload is being read. */
final class ExtPayload {
    final int markerOffset;

    /** The containers around the ext. */
    final int depth;

    private final ExtensionHeader header;
    private final byte[] bytes;
    private final int start;

    /** The outermost ext of these bytes, which has a copy for all within. */
    private final ExtPayload root;

    private byte[] copy;

    ExtPayload(ExtPayload outer, ExtensionHeader header, byte[] bytes, int start, int markerOffset, int depth) {
        this.header = header;
        this.bytes = bytes;
        this.start = start;
        this.markerOffset = markerOffset;
        this.depth = depth;
        root = outer == null || outer.bytes != bytes ? this : outer.root;
    }

    Ext ext() {
        if (root.copy == null) {
            root.copy = Arrays.copyOfRange(bytes, root.start, root.start + root.header.getLength());
        }
        int from = start - root.start;
        return new Ext(header.getType(), root.copy, from, from + header.getLength());
    }
}
