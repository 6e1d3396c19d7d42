package packord.compat;

import packord.wire.Marker;
import packord.wire.PackedBytes;
import packord.wire.Type;

/** The format of before str 8 and bin, when one type, raw, held text and bytes. */
public final class OldRaw {
    private OldRaw() {}

    /** Returns a message with each str and bin as raw. Everything else, ext too, stays as it is. */
    public static byte[] of(byte[] message) {
        PackedBytes out = new PackedBytes(message.length + 16);
        int copied = 0;
        int at = 0;
        while (at < message.length) {
            int marker = message[at] & 0xff;
            int payload = at + 1 + Marker.bytesAfter(marker);
            Type type = Marker.type(marker);
            int size =
                    type == Type.STR || type == Type.BIN || type == Type.EXT ? (int) Marker.announced(message, at) : 0;
            if (type == Type.STR || type == Type.BIN) {
                out.raw(message, copied, at - copied);
                out.rawHeader(size);
                copied = payload;
            }
            at = payload + size;
        }
        out.raw(message, copied, at - copied);
        return out.toBytes();
    }
}
