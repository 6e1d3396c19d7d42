package packord.columns;

import java.util.Arrays;
import packord.wire.Bytes;
import packord.wire.PackedBytes;

/** Plain values and little-endian numbers, as they grow. */
public final class GrowingBytes extends PackedBytes {
    GrowingBytes(int capacity) {
        super(capacity);
    }

    @Override
    protected RuntimeException tooLarge() {
        return MalformedColumns.ONE;
    }

    /** Adds bytes as they are, most of them shorter than what a call that copies arrays is worth. */
    void few(byte[] from, int at, int count) {
        if (count >= 12) {
            raw(from, at, count);
            return;
        }
        ensure(count);
        for (int i = 0; i < count; i++) buf[pos + i] = from[at + i];
        pos += count;
    }

    /** Adds an integer in its smallest format. */
    void integer(long value, boolean unsigned) {
        if (unsigned) unsigned64(value);
        else integer(value);
    }

    /** Adds bytes 00. */
    void zeros(int count) {
        ensure(count);
        Arrays.fill(buf, pos, pos + count, (byte) 0);
        pos += count;
    }

    /** Adds the low {@code width} bytes of a number: 1, 2, 4 or 8. There must be room. */
    void little(long value, int width) {
        switch (width) {
            case 1:
                buf[pos] = (byte) value;
                break;
            case 2:
                Bytes.putLittle16(buf, pos, (int) value);
                break;
            case 4:
                Bytes.putLittle32(buf, pos, (int) value);
                break;
            default:
                Bytes.putLittle64(buf, pos, value);
        }
        pos += width;
    }
}
