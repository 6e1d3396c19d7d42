package packord.decode;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnsPayload;
import packord.ext.BigIntegers;
import packord.ext.RichTypes;
import packord.record.Shape;
import packord.wire.Bytes;
import packord.wire.Marker;
import packord.wire.Timestamps;

/**
 * Reads values into types of the program: {@code spec/errors.md} section 3. A marker that the type cannot have is an
 * error before the payload is looked at.
 */
public final class TypedReader extends Decoder {
    /** The kinds of values that targets tell apart. */
    enum Kind {
        NIL,
        BOOL,
        INT,
        FLOAT,
        STR,
        BIN,
        ARRAY,
        MAP,
        TIMESTAMP,
        EXT,
        RESERVED;

        @Override
        public String toString() {
            return this == INT ? "integer" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** Takes the entries of a map. */
    interface Entries {
        /** What keys are read into. */
        Target keys();

        /** Takes a key, before its value. A fault of it is one of the map. */
        void key(Object key, int keyOffset);

        /** Reads the value of the key. */
        void value(int depth, long pending);
    }

    private static final Kind[] KINDS = new Kind[256];

    static {
        for (int marker = 0; marker < 256; marker++)
            KINDS[marker] = Kind.valueOf(Marker.type(marker).name());
    }

    private static final int LONGEST_NUMBER = 9;
    private static final int MOST_DIGITS = RichTypes.LONGEST_NUMBER;

    /** The number that {@link #nextInteger} has read, or the bits of that of {@link #nextFloat64}. */
    long number;

    private Target target;
    private Extents extents;

    public TypedReader(Options options) {
        super(options);
        extents = new Extents(this);
    }

    /** Reads the next messages into a target. */
    public Decoder into(Target next) {
        target = next;
        return this;
    }

    @Override
    Object readMessage() {
        try {
            return read(target, 0, 0);
        } finally {
            extents.clear();
        }
    }

    /** Types of the program make values. */
    @Override
    boolean runsProgram() {
        return true;
    }

    /** Reads a value into a target, which needs to know nothing of columns. */
    Object read(Target target, int depth, long pending) {
        return isAtColumns() ? readColumns(target, depth) : target.read(this, depth, pending);
    }

    private boolean isAtColumns() {
        if (!columnsOn() || pos == end || !Marker.isExt(buf[pos] & 0xff) || kind() != Kind.EXT) {
            return false;
        }
        int markerOffset = pos;
        int size = (int) extSize(next(), markerOffset);
        int type = buf[pos - 1];
        boolean isReadable = type == ColumnsPayload.TYPE && ColumnsPayload.isReadable(buf, pos, size);
        pos = markerOffset;
        return isReadable;
    }

    private Object readColumns(Target target, int depth) {
        int markerOffset = pos;
        int marker = next();
        int size = (int) extSize(marker, markerOffset);
        checkContainer(markerOffset, marker);
        return columns(size, markerOffset, depth, () -> readPlain(target, depth));
    }

    /** Reads a value of which columns were the encoding, from other bytes than those around them. */
    private Object readPlain(Target target, int depth) {
        Extents outer = extents;
        extents = new Extents(this);
        try {
            return target.read(this, depth, 0);
        } finally {
            extents = outer;
        }
    }

    /**
     * Passes the next value without reading it. Throws PackordException if that needs to be read to tell what is wrong.
     */
    void skip() {
        extents.pass();
    }

    /**
     * Checks the length of a str of digits, which are not converted in linear time: {@code spec/limits.md} section 1.
     */
    void checkDigits(String digits, int markerOffset) {
        boolean isLong =
                digits.length() > MOST_DIGITS / 3 && digits.getBytes(StandardCharsets.UTF_8).length > MOST_DIGITS;
        if (isLong && options.maxStrLen == Long.MAX_VALUE) throw tooLong(markerOffset, "max_str_len", MOST_DIGITS);
    }

    /** Returns the kind of the next value, whose marker is at the next byte. */
    Kind kind() {
        if (pos == end) need(1, pos);
        int marker = buf[pos] & 0xff;
        Kind kind = KINDS[marker];
        if (recordsOn() && (kind == Kind.EXT || marker >= 0x40 && marker < 0x80)) {
            if (isRecordAt(marker)) return Kind.MAP;
        }
        return kind == Kind.EXT ? extKind(marker) : kind;
    }

    /** Whether the next value, of this kind, is an ext that an extension reads. */
    boolean isReadByExtension(Kind kind) {
        return kind == Kind.EXT && hasExtension(buf[pos + Marker.bytesAfter(buf[pos] & 0xff)]);
    }

    /**
     * Whether the next value is a map, and not nil or an ext that {@link #ofExtension} reads; any other is an error.
     */
    boolean isMap() {
        Kind kind = kind();
        if (kind == Kind.MAP) return true;
        if (kind == Kind.NIL || isReadByExtension(kind)) return false;
        throw mismatch("a map", kind);
    }

    /** Reads nil, or an ext that an extension reads, which must become an object of a class. */
    Object ofExtension(Class<?> type, String expected, int depth, long pending) {
        int markerOffset = pos;
        Object value = read(depth, pending);
        if (value == null || type.isInstance(value)) return value;
        throw mismatch(markerOffset, expected, Kind.EXT);
    }

    /** Whether the next value is JavaScript's undefined, for which a field counts as absent. */
    boolean isUndefined() {
        if (pos == end || !Marker.isExt(buf[pos] & 0xff)) return false;
        int marker = buf[pos] & 0xff;
        int payload = pos + 1 + Marker.bytesAfter(marker);
        if (payload >= end || buf[payload - 1] != 0 || buf[payload] != 0) return false;
        return Marker.announced(buf, pos) == 1;
    }

    private Kind extKind(int marker) {
        need(1 + Marker.bytesAfter(marker), pos);
        int type = buf[pos + Marker.bytesAfter(marker)];
        if (type == Timestamps.TYPE) return Kind.TIMESTAMP;
        boolean isBigint = type == BigIntegers.TYPE && (options.bigint || hasExtension(type));
        return isBigint ? Kind.INT : Kind.EXT;
    }

    /** Whether keys that become the same are an error, such as 3 and 3.0 as a double. */
    boolean refusesTwice() {
        return options.duplicateKey == Options.DuplicateKey.ERROR;
    }

    /** Returns an error for a value that the target cannot have. */
    RuntimeException mismatch(int markerOffset, String detail) {
        return error(ErrorKind.TYPE_MISMATCH, markerOffset, detail, null);
    }

    /** Returns the error for a value at {@code markerOffset} of another kind than the target's. */
    RuntimeException mismatch(int markerOffset, String expected, Kind found) {
        return mismatch(markerOffset, "expected " + expected + ", found " + found);
    }

    /** Returns the error for the next value, which is of another kind than the target's. */
    RuntimeException mismatch(String expected, Kind found) {
        if (found == Kind.RESERVED) return error(ErrorKind.RESERVED_MARKER, pos, null, null);
        int markerOffset = pos;
        next();
        need(Marker.bytesAfter(buf[markerOffset] & 0xff), markerOffset);
        return mismatch(markerOffset, expected, found);
    }

    /** Reads the header of an array, makes the checks, and returns the number of elements. */
    int arraySize(int depth, long pending) {
        int markerOffset = pos;
        int marker = next();
        checkContainer(markerOffset, marker);
        long size = header(marker, markerOffset);
        openArray(size, markerOffset, depth, pending);
        return (int) size;
    }

    /** Reads the elements of the next value, which must be an array and is of this kind. */
    Object[] elements(Target element, int depth, long pending, Kind kind) {
        if (kind != Kind.ARRAY) throw mismatch("an array", kind);
        Object[] elements = new Object[arraySize(depth, pending)];
        int i = 0;
        try {
            for (; i < elements.length; i++) {
                elements[i] = read(element, depth + 1, pending + (elements.length - 1 - i));
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inElement(null, i);
        }
        return elements;
    }

    /**
     * Whether the next value is an integer of a long that needs no check. Then it is {@link #number}, and the next byte
     * is after it; else nothing has changed.
     */
    boolean nextInteger() {
        int at = pos;
        if (!plain || end - at < LONGEST_NUMBER) return false;
        int size = Marker.integerSize(buf[at]);
        if (size == 0 || Marker.isLarge(buf, at)) return false;
        number = size == 1 ? buf[at] : Marker.integer(buf, at);
        pos = at + size;
        return true;
    }

    /** Whether the next value is a float 64 that needs no check; otherwise as {@link #nextInteger}. */
    boolean nextFloat64() {
        if (!plain || end - pos < LONGEST_NUMBER || !Marker.isFloat64(buf[pos] & 0xff)) return false;
        number = Bytes.i64(buf, pos + 1);
        pos += LONGEST_NUMBER;
        return true;
    }

    /** Reads the entries of a map or record. */
    void entries(Entries into, int depth, long pending) {
        int markerOffset = pos;
        int marker = next();
        checkContainer(markerOffset, marker);
        if (KINDS[marker] == Kind.MAP) {
            long size = header(marker, markerOffset);
            openMap(size, markerOffset, depth, pending);
            mapEntries(into, (int) size, depth + 1, pending);
        } else {
            Shape shape = marker < 0x80
                    ? shapeOfId((byte) marker, markerOffset, depth)
                    : defined(marker, markerOffset, depth, pending);
            recordEntries(into, shape.entries(), markerOffset, depth + 1, pending);
        }
    }

    private void mapEntries(Entries into, int size, int depth, long pending) {
        KeyChecker checker = keysChecked ? new KeyChecker(keyIdentity, size) : null;
        KeyCache.Entry known = null;
        Object key = null;
        boolean inValue = false;
        // Without a method for an entry there are fewer frames on the stack between one container and the next.
        try {
            for (int i = 0; i < size; i++) {
                int keyOffset = pos;
                long rest = pending + 2L * (size - 1 - i);
                known = keyCache == null || checker != null ? null : cachedKey(known);
                key = known != null ? known.key : key(into.keys(), checker, depth, rest + 1);
                into.key(key, keyOffset);
                inValue = true;
                into.value(depth, rest);
                inValue = false;
            }
        } catch (RuntimeException error) {
            throw inValue ? PackordException.of(error).inEntry(null, key) : error;
        }
    }

    private Object key(Target target, KeyChecker checker, int depth, long pending) {
        int keyOffset = pos;
        try {
            target.checkKey(this); // The kind, before the payload.
        } catch (RuntimeException error) {
            throw PackordException.of(error).inKey();
        }
        Object key = key(depth, pending);
        ErrorKind fault = checker == null ? null : checker.check(buf, keyOffset, pos, key);
        if (fault != null) throw error(fault, keyOffset, null, null);
        return key;
    }

    private void recordEntries(Entries into, Object[] kv, int markerOffset, int depth, long pending) {
        int size = kv.length / 2;
        need(pending + size, markerOffset);
        for (int i = 0; i < size; i++) {
            into.key(kv[2 * i], markerOffset);
            try {
                into.value(depth, pending + (size - 1 - i));
            } catch (RuntimeException error) {
                throw PackordException.of(error).inEntry(null, kv[2 * i]);
            }
        }
    }
}
