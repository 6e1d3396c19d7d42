package packord.decode;

import java.nio.ByteBuffer;
import java.util.Arrays;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.Token;
import packord.columns.ColumnsPayload;
import packord.columns.MalformedColumns;
import packord.wire.PackedBytes;
import packord.wire.Timestamps;
import packord.wire.Utf8;

/**
 * Turns messages into plain MessagePack, without records and columns, and makes all checks of a decoder on the way.
 * Messages that are plain stay where they are.
 */
public final class PlainMessages {
    /** A record that is open, and the values of it that were begun. */
    private static final class Open {
        final byte[][] keys;
        int begun;

        Open(byte[][] keys) {
            this.keys = keys;
        }
    }

    private final Decoder decoder;
    private final byte[] source;
    private final long limit;
    private final StepReader steps;

    /** For each open container its record, or null. */
    private Open[] levels = new Open[16];

    private int depth;
    private byte[] out;
    private int size;

    /** The bytes of the source from here on are to be copied. */
    private int copied;

    private PlainMessages(Options options, byte[] source, long limit) {
        decoder = new Decoder(options);
        this.source = source;
        this.limit = limit;
        steps = StepReader.of(decoder, source, 0, source.length);
    }

    /**
     * Returns the messages that an array holds, end to end and plain: the array itself if they are plain already. If
     * {@code alone}, it is to hold one message and nothing else. They may take {@code limit} bytes at most. Throws
     * PackordException when they are malformed; of kind length_limit when they take more.
     */
    public static ByteBuffer of(Options options, byte[] bytes, boolean alone, long limit) {
        PlainMessages plain = new PlainMessages(options, bytes, limit);
        if (alone) plain.only();
        else while (plain.steps.nextMessage()) plain.message();
        if (plain.out == null) return ByteBuffer.wrap(bytes);
        plain.copy(bytes.length);
        return ByteBuffer.wrap(plain.out, 0, plain.size);
    }

    /** Checks messages that were expanded from columns. Throws PackordException when they are malformed. */
    public static void check(Options options, ByteBuffer plain) {
        Options plainly = options.toBuilder().records(false).columns(false).build();
        of(plainly, Arrays.copyOf(plain.array(), plain.limit()), false, plain.limit());
    }

    private void only() {
        if (!steps.nextMessage()) throw decoder.error(ErrorKind.EOF, 0);
        message();
        if (steps.hasMore()) throw steps.trailing();
    }

    private void message() {
        depth = 0;
        for (Token token = steps.next(); token != null; token = steps.next()) {
            if (token == Token.END) {
                depth--;
                continue;
            }
            Open outer = depth > 0 ? levels[depth - 1] : null;
            if (outer != null) {
                copy(steps.markerOffset);
                byte[] key = outer.keys[outer.begun++];
                write(key, 0, key.length);
            }
            if (token.isContainer()) open(token);
            else if (token == Token.STR) checkStr();
            else if (token == Token.EXT) ext();
        }
    }

    private void open(Token token) {
        if (depth == levels.length) levels = Arrays.copyOf(levels, 2 * depth);
        Open record = null;
        if (token == Token.RECORD) {
            Object[] kv = steps.recordEntries();
            byte[][] keys = new byte[kv.length / 2][];
            for (int i = 0; i < keys.length; i++) keys[i] = str((String) kv[2 * i]);
            record = new Open(keys);
            copy(steps.markerOffset);
            copied = steps.index();
            PackedBytes header = new PackedBytes(5);
            header.mapHeader(keys.length);
            write(header.buf, 0, header.pos);
        }
        levels[depth++] = record;
    }

    private static byte[] str(String key) {
        PackedBytes packed = new PackedBytes(key.length() + 5);
        packed.str(key);
        return packed.toBytes();
    }

    private void checkStr() {
        int to = steps.index();
        int from = Utf8.asciiEnd(source, to - steps.length, to);
        int invalid = from < to ? Utf8.firstInvalid(source, from, to) : -1;
        if (invalid >= 0) throw decoder.error(ErrorKind.INVALID_UTF8, invalid);
    }

    private void ext() {
        int to = steps.index();
        int length = steps.length;
        int from = to - length;
        if (steps.extType() == Timestamps.TYPE) {
            if (!Timestamps.isValid(source, from, length)) {
                throw decoder.error(ErrorKind.INVALID_TIMESTAMP, steps.markerOffset);
            }
        } else if (steps.extType() == ColumnsPayload.TYPE && ColumnsPayload.isReadable(source, from, length)) {
            columns(from, to);
        }
    }

    private void columns(int from, int to) {
        int marker = steps.markerOffset;
        int before = decoder.pos;
        decoder.pos = from;
        ColumnsPayload payload = decoder.columnsHeader(to - from, marker);
        decoder.checkColumns(payload, to - from, marker, steps.depth());
        try {
            ByteBuffer plain = payload.expand(true);
            if (payload.root().copiesValues()) check(plain, marker);
            copy(marker);
            copied = to;
            write(plain.array(), 0, plain.limit());
        } catch (MalformedColumns malformed) {
            throw decoder.error(ErrorKind.INVALID_EXT, marker);
        } finally {
            decoder.pos = before;
        }
    }

    private void check(ByteBuffer plain, int marker) {
        try {
            check(decoder.options, plain);
        } catch (RuntimeException fault) {
            throw decoder.error(
                    ErrorKind.INVALID_EXT,
                    marker,
                    PackordException.of(fault).kind().description());
        }
    }

    /** Copies the bytes of the source up to an index. */
    private void copy(int to) {
        if (to > copied) write(source, copied, to - copied);
        copied = to;
    }

    private void write(byte[] bytes, int from, int count) {
        long needed = (long) size + count;
        if (needed > limit) {
            throw decoder.error(
                    ErrorKind.LENGTH_LIMIT, steps.markerOffset, "more than " + limit + " bytes without records");
        }
        if (out == null) out = new byte[(int) Math.min(limit, Math.max(needed, source.length))];
        if (needed > out.length) out = Arrays.copyOf(out, (int) Math.min(limit, Math.max(needed, 2L * out.length)));
        System.arraycopy(bytes, from, out, size, count);
        size += count;
    }
}
