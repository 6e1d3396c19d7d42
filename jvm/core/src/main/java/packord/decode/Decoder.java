package packord.decode;

import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import packord.ErrorKind;
import packord.Ext;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionUnpacker;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnsPayload;
import packord.columns.MalformedColumns;
import packord.ext.BigIntegers;
import packord.ext.SetMaker;
import packord.record.Shape;
import packord.wire.CanonicalForm;
import packord.wire.LargeStack;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * Reads values, in the order of checks of {@code spec/format.md} section 5.2. A {@link Host} makes what they become.
 * Not thread-safe.
 *
 * <p>Two numbers go down with the recursion: the depth, and the pending elements of the open containers after the
 * current value, which the budget needs.
 */
public class Decoder extends RecordDecoder implements ExtensionUnpacker, SetMaker {
    private static final Object[] NONE = {};

    private final boolean valuesChecked;

    /** Whether a marker says all about a value: there are neither checks of each value nor records. */
    final boolean plain;

    /** Whether the keys of maps are compared with each other. */
    final boolean keysChecked;

    private final ShapeGuess guesses;
    private boolean inColumns;
    private final boolean buildsColumns;

    /** The innermost ext whose payload is being read, or null. */
    private ExtPayload payload;

    /** Makes a decoder of Java's own types. */
    public Decoder(Options options) {
        this(options, new JavaHost());
    }

    /** Makes a decoder of the types of a host. */
    public Decoder(Options options, Host host) {
        super(options, host, isChecked(options) || options.maxStrLen < KeyCache.MAX_BYTES ? null : host.keys);
        valuesChecked = isChecked(options);
        plain = !valuesChecked && !options.records;
        keysChecked = canonical || options.duplicateKey == Options.DuplicateKey.ERROR;
        keyIdentity = options.duplicateKey == Options.DuplicateKey.ERROR && !canonical ? newKeyIdentity(options) : null;
        buildsColumns = canBuildColumns(options) && host.hasOwnScalars();
        guesses = keyCache == null ? null : new ShapeGuess(host::newShape);
    }

    private static KeyIdentity newKeyIdentity(Options options) {
        Options reading = KeyIdentity.reading(options);
        return new KeyIdentity(options, (bytes, from, length) -> new Decoder(reading).message(bytes, from, length));
    }

    /** Whether the options ask for a check of every value. */
    private static boolean isChecked(Options options) {
        return options.canonical || options.maxNodes != Long.MAX_VALUE;
    }

    /** Whether there is no check of each value that columns can make only from plain encodings. */
    private static boolean canBuildColumns(Options options) {
        long shortest = Math.min(options.maxStrLen, Math.min(options.maxBinLen, options.maxExtLen));
        return Math.min(shortest, Math.min(options.maxArrayLen, options.maxMapLen)) == Long.MAX_VALUE
                && options.utf8 == Options.Utf8.ERROR
                && options.duplicateKey == Options.DuplicateKey.LAST;
    }

    // ---------------------------------------------------------------- messages

    /** Reads one message of an array. {@link #consumed} returns its length. */
    public final Object message(byte[] bytes, int offset, int length) {
        from(bytes, offset, length);
        return message(options.trailing == Options.Trailing.ERROR);
    }

    /** Reads one message of a buffer. {@link #consumed} returns its length. */
    public final Object message(ByteBuffer buffer) {
        from(buffer);
        return message(options.trailing == Options.Trailing.ERROR);
    }

    /** Reads one message that is all of a stream, unless the options allow more. */
    public final Object onlyMessage(InputStream stream) {
        from(stream);
        nextMessage();
        Object value = message(false);
        if (options.trailing == Options.Trailing.ERROR && nextMessage()) throw error(ErrorKind.TRAILING_BYTES, pos);
        return value;
    }

    /** Returns the number of bytes that the message took. */
    public final int consumed() {
        return (int) offset(pos);
    }

    /** Lets go of input and structures, so that the decoder can be kept for the next user. */
    public final void release() {
        close();
        forgetStructures();
    }

    /** Reads the next message of the stream. */
    public final Object message() {
        return message(false);
    }

    private Object message(boolean alone) {
        int start = pos;
        try {
            return tryMessage(alone);
        } catch (StackOverflowError overflow) {
            return onLargeStack(() -> {
                pos = start;
                return tryMessage(alone);
            });
        }
    }

    /**
     * Reads once more, on a stack that holds the permitted depth. Code of the program runs on the thread of the caller
     * alone: that of extensions, key functions, types, stores and streams.
     */
    final Object onLargeStack(Supplier<Object> read) {
        boolean isPure = options.extensions.stream().allMatch(Extension::isPure) && options.structures == null;
        if (!isPure || runsProgram() || isStream()) throw stackTooSmall();
        try {
            return LargeStack.call(options.maxDepth, read);
        } catch (StackOverflowError overflow) {
            throw stackTooSmall();
        }
    }

    private RuntimeException stackTooSmall() {
        return error(ErrorKind.DEPTH_LIMIT, pos, "the thread's stack is too small");
    }

    private Object tryMessage(boolean alone) {
        host.begin();
        boolean done = false;
        beginMessage();
        try {
            checkFirstByte();
            Object value = readMessage();
            if (alone && hasMore()) throw error(ErrorKind.TRAILING_BYTES, pos);
            done = true;
            return value;
        } finally {
            endMessage(done);
        }
    }

    Object readMessage() {
        return read(0, 0);
    }

    /** Whether code of the program makes keys or values, but for extensions. */
    boolean runsProgram() {
        return host.runsProgram();
    }

    @Override
    final RuntimeException error(ErrorKind kind, int index, String detail, Throwable cause) {
        return fault(kind, offset(index), detail, cause);
    }

    /** Returns an error at an offset. Detail and cause are null if there is none. */
    public final RuntimeException fault(ErrorKind kind, long offset, String detail, Throwable cause) {
        return host.fault(kind, offset, detail, cause);
    }

    // ---------------------------------------------------------------- values

    @Override
    final Object read(int depth, long pending) {
        int markerOffset = pos;
        if (markerOffset == end) need(1, markerOffset);
        int marker = buf[markerOffset];
        pos = markerOffset + 1;
        if (valuesChecked) checkValue(markerOffset, marker & 0xff);
        if (marker >= Marker.NEGATIVE_FIXINT - 256) {
            Shape shape = marker >= 0x40 && recordsOn() ? shapeOfId(marker, markerOffset, depth) : null;
            return shape == null ? host.integer(marker, 1) : record(shape, markerOffset, depth, pending);
        }
        if (marker >= (byte) Marker.FLOAT32 && marker <= (byte) Marker.INT64) {
            return number(marker & 0xff, markerOffset);
        }
        if (marker >= (byte) Marker.FIXSTR && marker < (byte) Marker.NIL) {
            return string(marker & 0x1f, markerOffset);
        }
        if (marker < (byte) Marker.FIXARRAY) return map(marker & 0xf, markerOffset, depth, pending);
        if (marker < (byte) Marker.FIXSTR) return array(marker & 0xf, markerOffset, depth, pending);
        if (marker >= (byte) Marker.ARRAY16) {
            long size = header(marker & 0xff, markerOffset);
            return marker < (byte) Marker.MAP16
                    ? array(size, markerOffset, depth, pending)
                    : map(size, markerOffset, depth, pending);
        }
        if (marker == (byte) Marker.NIL) return null;
        if (marker == (byte) Marker.FALSE) return false;
        if (marker == (byte) Marker.TRUE) return true;
        if (recordsOn() && Marker.isExt(marker & 0xff)) {
            Shape shape = defined(marker & 0xff, markerOffset, depth, pending);
            if (shape != null) return record(shape, markerOffset, depth, pending);
        }
        return scalar(marker & 0xff, markerOffset, depth);
    }

    // ---------------------------------------------------------------- containers

    /** Checks the limits, the budget and the header of a container. */
    private void open(
            long size, long elements, String limitName, long limit, int markerOffset, int depth, long pending) {
        checkDepth(markerOffset, depth);
        if (size > limit) throw tooLong(markerOffset, limitName, limit);
        need(pending + elements, markerOffset);
        if (canonical) requireMinimal(markerOffset, size);
    }

    /** Makes the checks of an array, before its elements are read. */
    final void openArray(long size, int markerOffset, int depth, long pending) {
        open(size, size, "max_array_len", options.maxArrayLen, markerOffset, depth, pending);
    }

    /** Makes the checks of a map, before its entries are read. */
    final void openMap(long size, int markerOffset, int depth, long pending) {
        open(size, 2 * size, "max_map_len", options.maxMapLen, markerOffset, depth, pending);
    }

    private Object array(long size, int markerOffset, int depth, long pending) {
        openArray(size, markerOffset, depth, pending);
        if (size == 0) return host.newArray(NONE);
        Object[] elements = new Object[(int) size];
        int i = 0;
        try {
            for (; i < elements.length; i++) {
                elements[i] = element(depth + 1, pending + (elements.length - 1 - i));
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inElement(null, i);
        }
        return host.newArray(elements);
    }

    /** Reads an element. What many arrays are full of is read here, in few instructions. */
    private Object element(int depth, long pending) {
        int at = pos;
        if (!plain || at == end) return read(depth, pending);
        int marker = buf[at];
        if (marker >= Marker.NEGATIVE_FIXINT - 256) {
            pos = at + 1;
            return host.integer(marker, 1);
        }
        if (marker >= (byte) Marker.FLOAT32 && marker <= (byte) Marker.INT64) {
            pos = at + 1;
            return number(marker & 0xff, at);
        }
        return read(depth, pending);
    }

    private Object map(long size, int markerOffset, int depth, long pending) {
        openMap(size, markerOffset, depth, pending);
        if (size == 0) return host.newMap(NONE);
        Object[] kv = new Object[2 * (int) size];
        if (keysChecked) {
            checkedEntries(kv, depth + 1, pending);
            return host.newMap(kv);
        }
        int place = guesses == null ? -1 : ShapeGuess.place(buf, pos, end, (int) size);
        ShapeGuess.Keys guess = place < 0 ? null : guesses.get(place, (int) size);
        KeyCache.Entry[] learned = place < 0 || guess != null ? null : new KeyCache.Entry[(int) size];
        boolean large = size > KeyCache.SLOTS;
        KeyCache.Entry entry = null;
        int i = 0;
        boolean inValue = false;
        try {
            for (; i < kv.length; i += 2) {
                if (guess != null && !guess.entry(i >> 1).isAt(buf, pos, end)) {
                    learned = guess.beginning(i >> 1);
                    guess = guesses.instead(place, guess, i >> 1, buf, pos, end);
                }
                if (guess != null) {
                    entry = guess.entry(i >> 1);
                    pos += entry.size;
                    kv[i] = entry.key;
                } else {
                    entry = keyCache == null || large ? null : cachedKey(entry);
                    kv[i] = entry != null ? entry.key : key(depth + 1, pending + (kv.length - 1 - i));
                    // While it is in the processor's cache; a string keeps its hash.
                    if (large) {
                        int unused = Objects.hashCode(kv[i]);
                    }
                    if (entry == null) learned = null;
                    else if (learned != null) learned[i >> 1] = entry;
                }
                inValue = true;
                kv[i + 1] = read(depth + 1, pending + (kv.length - 2 - i));
                inValue = false;
            }
        } catch (RuntimeException error) {
            throw inValue ? PackordException.of(error).inEntry(null, host.pathKey(kv[i])) : error;
        }
        if (guess != null) return host.newRecord(guess.shape, kv);
        if (learned != null) guesses.learn(place, learned);
        return host.newMap(kv);
    }

    private void checkedEntries(Object[] kv, int depth, long pending) {
        KeyChecker checker = new KeyChecker(keyIdentity, kv.length / 2);
        for (int i = 0; i < kv.length; i += 2) {
            int keyOffset = pos;
            kv[i] = key(depth, pending + (kv.length - 1 - i));
            ErrorKind fault = checker.check(buf, keyOffset, pos, kv[i]);
            if (fault != null) throw error(fault, keyOffset);
            try {
                kv[i + 1] = read(depth, pending + (kv.length - 2 - i));
            } catch (RuntimeException error) {
                throw PackordException.of(error).inEntry(null, host.pathKey(kv[i]));
            }
        }
    }

    // ---------------------------------------------------------------- extensions

    @Override
    final Object unpacked(Extension extension, ExtensionHeader header, int markerOffset, int depth) {
        ExtPayload outer = payload;
        payload = new ExtPayload(outer, header, buf, pos, markerOffset, depth);
        boolean outerPayload = enterPayload(true);
        // Columns say how deep their plain containers are, and exts are none of these.
        int outerMaxDepth = limitDepth(options.maxDepth);
        int innerEnd = pos + header.getLength();
        Runnable leave = insert(buf, pos, innerEnd);
        try {
            return host.newValue(extension.unpack(this, header), markerOffset);
        } catch (Exception exception) { // Clojure throws checked exceptions without declaring them.
            // A fault of a value within the payload is one of the outermost ext. A limit for the ext itself is not.
            PackordException error = PackordException.ofOrNull(exception);
            if (error != null && (outer != null || isOwnLimit(error, markerOffset))) throw error.thrown();
            throw error(ErrorKind.INVALID_EXT, markerOffset, exception.toString(), exception);
        } finally {
            leave.run();
            pos = innerEnd;
            limitDepth(outerMaxDepth);
            enterPayload(outerPayload);
            payload = outer;
        }
    }

    private boolean isOwnLimit(PackordException error, int markerOffset) {
        return error.offset() == offset(markerOffset)
                && (error.kind() == ErrorKind.LENGTH_LIMIT || error.kind() == ErrorKind.DEPTH_LIMIT);
    }

    /** Returns the offset of the ext whose payload is being read. */
    public final int payloadMarkerOffset() {
        return payload.markerOffset;
    }

    /** Passes the rest of the payload that is being read. */
    public final void passPayload() {
        pos = end;
    }

    public final Host host() {
        return host;
    }

    @Override
    public final Object newSet(Object[] elements) {
        return host.newSet(elements);
    }

    @Override
    public final byte[] readPayload(int length) {
        byte[] payload = new byte[Math.max(0, Math.min(length, end - pos))];
        readPayload(payload);
        if (payload.length != length) need(length - payload.length, payloadMarkerOffset());
        return payload;
    }

    @Override
    public final void readPayload(byte[] target) {
        need(target.length, payloadMarkerOffset());
        System.arraycopy(buf, pos, target, 0, target.length);
        pos += target.length;
    }

    @Override
    public final Object unpackValue() {
        checkDepth(payload.markerOffset, payload.depth);
        return read(payload.depth + 1, 0);
    }

    @Override
    public final Object unpackScalar() {
        return withoutExtensions(() -> read(payload.depth, 0));
    }

    @Override
    public final BigInteger unpackBigInteger() {
        int markerOffset = pos;
        need(1, markerOffset);
        int marker = buf[markerOffset] & 0xff;
        if (Marker.isExt(marker)) {
            pos++;
            int size = (int) extSize(marker, markerOffset);
            pos += size;
            if (buf[pos - size - 1] != BigIntegers.TYPE) throw error(ErrorKind.INVALID_EXT, markerOffset);
            if (canonical) requireMinimal(markerOffset, size);
            return bigIntegerAt(pos - size, size, markerOffset);
        }
        Object value = unpackScalar();
        if (!(value instanceof Number)) throw error(ErrorKind.INVALID_EXT, markerOffset);
        return new BigInteger(value.toString());
    }

    @Override
    public final Ext ext() {
        return payload.ext();
    }

    @Override
    public final int remaining() {
        return end - pos;
    }

    // ---------------------------------------------------------------- columns

    @Override
    final boolean columnsOn() {
        return options.columns && !canonical && !inColumns;
    }

    @Override
    final Object columns(int size, int markerOffset, int depth) {
        return columns(size, markerOffset, depth, null);
    }

    /**
     * Reads the value that a payload of columns stands for: column by column where that is possible, else from its
     * plain encoding, by {@code typed} if that is not null.
     */
    final Object columns(int size, int markerOffset, int depth, Supplier<Object> typed) {
        ColumnsPayload payload = columnsHeader(size, markerOffset);
        checkColumns(payload, size, markerOffset, depth);
        int start = pos;
        Object value = inColumns(payload, depth, () -> {
            Object built = ColumnsDecoder.NOT_READ;
            if (typed == null && buildsColumns()) {
                built = inserted(
                        buf, start + size, () -> columnsDecoder(payload).value(depth));
            }
            if (built != ColumnsDecoder.NOT_READ) return built;
            return expanded(payload, markerOffset, typed != null ? typed : () -> read(depth, 0));
        });
        pos = start + size;
        return value;
    }

    /** Reads the header of a payload of columns, from the next byte on. */
    final ColumnsPayload columnsHeader(int size, int markerOffset) {
        try {
            return new ColumnsPayload(buf, pos, size);
        } catch (MalformedColumns fault) {
            throw error(ErrorKind.INVALID_EXT, markerOffset);
        }
    }

    /** Whether values of columns can be made without their plain encoding. */
    final boolean buildsColumns() {
        return buildsColumns && !hasExtension(-1);
    }

    /** Returns a reader of values of columns. */
    final ColumnsDecoder columnsDecoder(ColumnsPayload payload) {
        return new ColumnsDecoder(this, payload, pos);
    }

    /** Reads from a payload of columns, where records and other columns are off. */
    final <T> T inColumns(ColumnsPayload payload, int depth, Supplier<T> read) {
        boolean outerPayload = enterPayload(true);
        int outerMaxDepth = limitDepth(depth + (int) payload.depth);
        inColumns = true;
        try {
            return read.get();
        } finally {
            inColumns = false;
            limitDepth(outerMaxDepth);
            enterPayload(outerPayload);
        }
    }

    /** Reads from other bytes. */
    final <T> T inserted(byte[] bytes, int length, Supplier<T> read) {
        Runnable leave = insert(bytes, 0, length);
        try {
            return read.get();
        } finally {
            leave.run();
        }
    }

    private Object expanded(ColumnsPayload payload, int markerOffset, Supplier<Object> read) {
        try {
            ByteBuffer plain = payload.expand(options.utf8 != Options.Utf8.ERROR);
            return inserted(plain.array(), plain.limit(), read);
        } catch (MalformedColumns malformed) {
            throw error(ErrorKind.INVALID_EXT, markerOffset);
        } catch (RuntimeException thrown) {
            // Offsets in the plain encoding mean nothing to the caller.
            PackordException fault = PackordException.of(thrown);
            boolean ofTarget = fault.kind() == ErrorKind.TYPE_MISMATCH || fault.kind() == ErrorKind.OUT_OF_RANGE;
            ErrorKind kind = ofTarget ? fault.kind() : ErrorKind.INVALID_EXT;
            throw error(kind, markerOffset, fault.kind().description(), thrown);
        }
    }

    // ---------------------------------------------------------------- the checked mode

    /** Makes the checks of a container that is read by its elements. */
    final void checkContainer(int markerOffset, int marker) {
        if (valuesChecked) checkValue(markerOffset, marker);
    }

    /** Makes the checks of {@code maxNodes} and {@code canonical}, when the header is whole. */
    private void checkValue(int markerOffset, int marker) {
        if (Marker.type(marker) == Type.RESERVED) return;
        need(Marker.bytesAfter(marker), markerOffset);
        if (recordsOn() && (marker >= 0x40 && marker < 0x80 || isDefinition(marker, markerOffset))) {
            return;
        }
        countNode(markerOffset);
        if (canonical && !CanonicalForm.isNumber(buf, markerOffset + 1, marker)) {
            throw error(ErrorKind.NOT_CANONICAL, markerOffset);
        }
    }
}
