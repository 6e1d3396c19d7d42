package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.Token;
import packord.Unpacker;
import packord.Walker;
import packord.wire.Marker;
import packord.wire.Type;

/** Reads the header of a file: {@code spec/container.md} sections 1 and 2.2. */
final class HeaderReader {
    /** The bytes that a file begins with: an array of 4, "packord", version 1. */
    static final byte[] MAGIC = {(byte) 0x94, (byte) 0xa7, 'p', 'a', 'c', 'k', 'o', 'r', 'd', 1};

    static final int SYNC_SIZE = 16;

    private static final Options PLAIN = Options.builder().build();

    private final FileInput in;
    private final Unpacker unpacker;
    private final int maxBlock;

    private Walker walker;
    private long start;
    private byte[] sync;
    private String codec = "none";
    private Map<?, ?> meta;
    private List<String> stats;

    HeaderReader(FileInput in, Unpacker unpacker, int maxBlock) {
        this.in = in;
        this.unpacker = unpacker;
        this.maxBlock = maxBlock;
    }

    ContainerHeader read() {
        int there = in.fill(0, MAGIC.length);
        if (!Arrays.equals(in.buf, 0, there, MAGIC, 0, there)) {
            throw in.fault(ErrorKind.INVALID_CONTAINER, 0, "this is not a container file of version 1", null);
        }
        if (there < MAGIC.length) throw in.fault(ErrorKind.EOF, there, null, null);
        start = MAGIC.length;
        ValueScan scan = new ValueScan(in);
        scan.pos = start;
        if (Marker.type(scan.marker()) != Type.MAP) throw wrong(0, "the options of the header are not a map");
        scan.limit = maxBlock;
        scan.value();
        long crcAt = scan.pos;
        byte[] beforeCrc = in.copy(0, (int) crcAt);
        scan.header();
        long crc = scan.uint(crcAt);
        if (crc < 0 || crc >>> 32 != 0)
            throw wrong(crcAt - start, "the crc of the header is not an integer of 32 bits");
        if (crc != Mark.crc(beforeCrc, 0, beforeCrc.length))
            throw wrong(crcAt - start, "the crc of the header is wrong");
        byte[] options = Arrays.copyOfRange(beforeCrc, MAGIC.length, beforeCrc.length);
        entries(options);
        if (sync == null) throw wrong(0, "the header has no sync");
        return new ContainerHeader(sync, codec, meta, stats, scan.pos);
    }

    private void entries(byte[] options) {
        walker = unpacker.with(PLAIN).walker(options);
        walker.nextMessage();
        walker.next();
        for (long left = walker.size(); left > 0; left--) {
            Token token = walker.next();
            long at = walker.offset();
            if (token != Token.STR) walker.skip();
            entry(token == Token.STR ? text() : "", at, options);
        }
    }

    private void entry(String name, long keyAt, byte[] options) {
        Token token = walker.next();
        long at = walker.offset();
        switch (name) {
            case "sync":
                sync = bin(token, at);
                if (sync.length != SYNC_SIZE) throw wrong(at, "sync must have 16 bytes");
                break;
            case "codec":
                codec = str(token, at);
                break;
            case "meta": {
                if (token != Token.MAP) throw wrong(at, "meta is not a map");
                walker.skip();
                meta = (Map<?, ?>) value(options, (int) at);
                break;
            }
            case "stats":
                stats = strings(token, at);
                break;
            default:
                if (name.startsWith("!")) throw wrong(keyAt, "the option " + name + " is not known");
                walker.skip();
        }
    }

    private Object value(byte[] options, int at) {
        Options.Builder own = unpacker.options().toBuilder().records(false).columns(false);
        try {
            return unpacker.with(own.structures(null)
                            .trailing(Options.Trailing.ALLOW)
                            .build())
                    .unpack(options, at, options.length - at);
        } catch (RuntimeException thrown) {
            PackordException error = PackordException.of(thrown);
            throw in.fault(error.kind(), start + at + error.offset(), "in meta", thrown);
        }
    }

    private byte[] bin(Token token, long at) {
        if (token != Token.BIN) throw wrong(at, "not a bin");
        return walker.payload();
    }

    private String str(Token token, long at) {
        if (token != Token.STR) throw wrong(at, "not a str");
        return text();
    }

    private String text() {
        return new String(walker.payload(), StandardCharsets.UTF_8);
    }

    /** Reads an array of str and its end; a fault is one of the value at {@code at}. */
    private List<String> strings(Token token, long at) {
        List<String> strings = new ArrayList<>();
        if (token != Token.ARRAY) throw wrong(at, "not an array");
        for (long i = walker.size(); i > 0; i--) strings.add(str(walker.next(), at));
        walker.next();
        return strings;
    }

    private RuntimeException wrong(long at, String detail) {
        return in.fault(ErrorKind.INVALID_CONTAINER, start + at, detail, null);
    }
}
