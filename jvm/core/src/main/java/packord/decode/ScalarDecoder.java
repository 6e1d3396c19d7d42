package packord.decode;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.function.Supplier;
import packord.ErrorKind;
import packord.Ext;
import packord.Extension;
import packord.ExtensionHeader;
import packord.Options;
import packord.Timestamp;
import packord.columns.ColumnsPayload;
import packord.ext.BigIntegers;
import packord.ext.ExtensionTable;
import packord.wire.Bytes;
import packord.wire.CanonicalForm;
import packord.wire.Marker;
import packord.wire.Timestamps;
import packord.wire.Type;

/** Reads all values that are not containers. */
abstract class ScalarDecoder extends Input {
    final Options options;

    /** Makes what values become. */
    final Host host;

    private final boolean rawStrings;

    /** Whether only canonical encodings are accepted. */
    final boolean canonical;

    private final ExtensionTable extensions;

    /** Whether exts are returned as they are. */
    private boolean extsKept;

    ScalarDecoder(Options options, Host host) {
        super(options);
        this.host = host;
        host.reader = this;
        rawStrings = host.hasRawStrings();
        this.options = options;
        canonical = options.canonical;
        extensions = ExtensionTable.of(options);
    }

    /** Returns what an extension makes of the payload that follows. */
    abstract Object unpacked(Extension extension, ExtensionHeader header, int markerOffset, int depth);

    /** Whether values that are stored by column are read. */
    abstract boolean columnsOn();

    /** Returns the value that a payload of columns stands for. */
    abstract Object columns(int size, int markerOffset, int depth);

    /** Reads a number in a format of more than one byte. */
    final Object number(int marker, int markerOffset) {
        switch (marker) {
            case Marker.FLOAT32:
                return host.float32(Float.intBitsToFloat((int) u32(markerOffset)));
            case Marker.FLOAT64:
                return host.float64(Double.longBitsToDouble(i64(markerOffset)));
            case Marker.UINT8:
                return host.integer(u8(markerOffset), 1);
            case Marker.UINT16:
                return host.integer(u16(markerOffset), 2);
            case Marker.UINT32:
                return host.integer(u32(markerOffset), 4);
            case Marker.UINT64:
                return unsigned64(i64(markerOffset));
            case Marker.INT8:
                return host.integer((byte) u8(markerOffset), -1);
            case Marker.INT16:
                return host.integer((short) u16(markerOffset), -2);
            case Marker.INT32:
                return host.integer((int) u32(markerOffset), -4);
            default:
                return host.integer(i64(markerOffset), -8);
        }
    }

    /** Reads a str, bin or ext whose marker has been read. */
    final Object scalar(int marker, int markerOffset, int depth) {
        Type type = Marker.type(marker);
        if (type == Type.RESERVED) throw error(ErrorKind.RESERVED_MARKER, markerOffset);
        long size = header(marker, markerOffset);
        if (type == Type.STR) return str(size, markerOffset);
        return type == Type.BIN ? bin(size, markerOffset) : ext(size, markerOffset, depth);
    }

    /** Reads what follows a marker in a header, and returns the length or count that it announces. */
    final long header(int marker, int markerOffset) {
        int size = Marker.bytesAfter(marker);
        need(size, markerOffset);
        pos += size;
        return Marker.announced(buf, markerOffset);
    }

    private int u8(int markerOffset) {
        need(1, markerOffset);
        return buf[pos++] & 0xff;
    }

    private int u16(int markerOffset) {
        need(2, markerOffset);
        pos += 2;
        return Bytes.u16(buf, pos - 2);
    }

    private long u32(int markerOffset) {
        need(4, markerOffset);
        pos += 4;
        return Bytes.u32(buf, pos - 4);
    }

    private long i64(int markerOffset) {
        need(8, markerOffset);
        pos += 8;
        return Bytes.i64(buf, pos - 8);
    }

    private Object unsigned64(long bits) {
        return bits >= 0 ? host.integer(bits, 8) : host.bigInteger(new BigInteger(1, buf, pos - 8, 8));
    }

    /** Reads the payload of a str. Ill-formed UTF-8 becomes bytes with the option {@code raw}. */
    final Object string(long size, int markerOffset) {
        if (!rawStrings) {
            String string = stringOrNull(size, markerOffset);
            if (string != null || options.utf8 != Options.Utf8.RAW) return string;
        } else {
            checkString(size, markerOffset);
            pos += (int) size;
        }
        return Arrays.copyOfRange(buf, pos - (int) size, pos);
    }

    private Object str(long size, int markerOffset) {
        Object string = string(size, markerOffset);
        if (canonical) requireMinimal(markerOffset, size);
        return string;
    }

    private Object bin(long size, int markerOffset) {
        checkBin(size, markerOffset);
        if (canonical) requireMinimal(markerOffset, size);
        pos += (int) size;
        return Arrays.copyOfRange(buf, pos - (int) size, pos);
    }

    /** Makes the checks of a bin, before its payload is read. */
    final void checkBin(long size, int markerOffset) {
        if (size > options.maxBinLen) throw tooLong(markerOffset, "max_bin_len", options.maxBinLen);
        need(size, markerOffset);
    }

    final void requireMinimal(int markerOffset, long size) {
        if (!CanonicalForm.isMinimalHeader(buf[markerOffset] & 0xff, size)) {
            throw error(ErrorKind.NOT_CANONICAL, markerOffset);
        }
    }

    /** Reads the header of an ext, makes the checks, and returns the length. */
    final long extSize(int marker, int markerOffset) {
        long size = header(marker, markerOffset);
        checkExt(size, markerOffset);
        return size;
    }

    /** Makes the checks of an ext whose header has been read, and returns its type. */
    private int checkExt(long size, int markerOffset) {
        int type = buf[pos - 1];
        long limit = maxLength(type);
        if (size > limit) throw tooLong(markerOffset, "max_ext_len", limit);
        need(size, markerOffset);
        return type;
    }

    private long maxLength(int type) {
        Extension extension = options.maxExtLen == Long.MAX_VALUE ? extension(type) : null;
        return extension == null ? options.maxExtLen : extension.maxLength(type);
    }

    private Extension extension(int type) {
        return extensions == null || extsKept ? null : extensions.forType(type);
    }

    /** Reads a value, exts as they are. */
    final Object withoutExtensions(Supplier<Object> read) {
        boolean before = extsKept;
        extsKept = true;
        try {
            return read.get();
        } finally {
            extsKept = before;
        }
    }

    private Object ext(long size, int markerOffset, int depth) {
        int type = checkExt(size, markerOffset);
        Object value = extValue(type, (int) size, markerOffset, depth);
        if (canonical) requireMinimal(markerOffset, size);
        return value;
    }

    /** Whether the program reads exts of a type itself. */
    final boolean hasExtension(int type) {
        return extension(type) != null;
    }

    /** Reads the payload of an ext. */
    final Object extValue(int type, int size, int markerOffset, int depth) {
        Extension extension = extension(type);
        if (extension != null) {
            return unpacked(extension, new ExtensionHeader((byte) type, size), markerOffset, depth);
        }
        if (type == ColumnsPayload.TYPE && columnsOn() && !extsKept && ColumnsPayload.isReadable(buf, pos, size)) {
            return columns(size, markerOffset, depth);
        }
        pos += size;
        if (type == Timestamps.TYPE) return timestamp(pos - size, size, markerOffset);
        if (type == BigIntegers.TYPE && options.bigint && !extsKept) {
            BigInteger value = bigIntegerAt(pos - size, size, markerOffset);
            return value.bitLength() < 64 ? host.integer(value.longValue(), -8) : host.bigInteger(value);
        }
        boolean undefined = type == 0 && size == 1 && buf[pos - 1] == 0;
        if (options.unknownExt == Options.UnknownExt.ERROR && !undefined) {
            throw error(ErrorKind.UNKNOWN_EXT, markerOffset, "type " + type);
        }
        return new Ext(type, Arrays.copyOfRange(buf, pos - size, pos));
    }

    private Object timestamp(int at, int size, int markerOffset) {
        if (!Timestamps.isSize(size)) {
            throw error(ErrorKind.INVALID_TIMESTAMP, markerOffset, "payload of " + size + " bytes");
        }
        long seconds = Timestamps.seconds(buf, at, size);
        long nanos = Timestamps.nanos(buf, at, size);
        if (!Timestamps.isValid(buf, at, size)) {
            throw error(ErrorKind.INVALID_TIMESTAMP, markerOffset, nanos + " nanoseconds");
        }
        if (canonical && size != Timestamps.size(seconds, nanos)) {
            throw error(ErrorKind.NOT_CANONICAL, markerOffset);
        }
        return datetime(seconds, (int) nanos);
    }

    /** Returns the value of a timestamp. */
    final Object datetime(long seconds, int nanos) {
        switch (options.timestamps) {
            case NATIVE:
                if (seconds >= Instant.MIN.getEpochSecond() && seconds <= Instant.MAX.getEpochSecond()) {
                    return Instant.ofEpochSecond(seconds, nanos);
                }
                break;
            case DATE:
                if (Math.abs(seconds) < Long.MAX_VALUE / 1000) {
                    return new Date(seconds * 1000 + nanos / 1_000_000);
                }
                break;
            default:
        }
        return new Timestamp(seconds, nanos);
    }

    /** Returns the integer that a payload of ext 0x42 stands for. */
    final BigInteger bigIntegerAt(int at, int size, int markerOffset) {
        if (size == 0) throw error(ErrorKind.INVALID_EXT, markerOffset, "payload of 0 bytes");
        BigInteger value = new BigInteger(buf, at, size);
        if (canonical && !BigIntegers.isCanonical(value, size)) {
            throw error(ErrorKind.NOT_CANONICAL, markerOffset);
        }
        return value;
    }
}
