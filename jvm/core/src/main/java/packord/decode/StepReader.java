package packord.decode;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.Token;
import packord.record.Shape;
import packord.wire.Marker;
import packord.wire.Type;

/**
 * Steps through messages without building their values, and without recursion. It makes the checks of a decoder, but
 * for UTF-8, timestamps and the payloads of extensions, which a decoder checks where the value is asked for.
 */
public final class StepReader {
    /** A container that is open. */
    private static final class Level {
        /** The type. */
        Token token;

        /** The elements, entries or values. */
        long size;

        /** The keys and values that were not begun, while a container within is open. */
        long left;

        /** Where the last key of a map began. */
        int keyOffset;

        /** The keys of a record. */
        Shape shape;

        long begun() {
            return (token == Token.MAP ? 2 * size : size) - left;
        }
    }

    /** A definition that was passed. */
    private static final class Passed {
        final int offset;
        final int low;
        final int high;
        final Shape shape;

        Passed(int offset, int low, int high, Shape shape) {
            this.offset = offset;
            this.low = low;
            this.high = high;
            this.shape = shape;
        }
    }

    private final Decoder decoder;
    private boolean streamed;
    private final List<Passed> definitions = new ArrayList<>();
    private Level[] levels = new Level[8];
    private int open;
    private int outerDepth;
    private long outerPending;

    /** The values of the innermost open container that were not begun; outside all, 1 before the message. */
    private long left;

    /** Those of the containers around it. */
    private long around;

    private boolean inMap;
    private boolean ended = true;

    /** The error of the last message, and whether the stream has ended with it. */
    private PackordException fault;

    private boolean hasFailed;
    private int payload;

    /** The type of the last step, and the index of the marker of the last value. */
    public Token token;

    public int markerOffset;

    /** The number of bytes of the payload of a str, bin or ext. */
    public int length;

    /** An integer or its 64 bits, or 0 or 1 for a boolean; and the value of a float. */
    public long number;

    public double fraction;
    private KeyCache.Entry lastName;

    /** Whether options are about a message as a whole: canonical, duplicateKey, maxNodes. Steps do not check these. */
    public static boolean isAboutAll(Options options) {
        boolean countsNodes = options.maxNodes != Long.MAX_VALUE;
        return options.canonical || options.duplicateKey == Options.DuplicateKey.ERROR || countsNodes;
    }

    /** Makes a reader of the input that the decoder has been given. */
    public StepReader(Decoder decoder, boolean streamed) {
        this.decoder = decoder;
        this.streamed = streamed;
    }

    /** Begins to read an array, whatever was read before. */
    public void from(byte[] bytes, int offset, int size) {
        decoder.from(bytes, offset, size);
        streamed = false;
        restart();
    }

    /** Begins to read a stream, whatever was read before. */
    public void from(InputStream in) {
        decoder.from(in);
        streamed = true;
        restart();
    }

    private void restart() {
        ended = true;
        fault = null;
        hasFailed = false;
        token = null;
        open = 0;
    }

    /** Lets go of the input, so that the reader can be kept for the next user. */
    public void release() {
        decoder.release();
        definitions.clear();
    }

    /** Makes a reader of an array. */
    public static StepReader of(Decoder decoder, byte[] bytes, int offset, int length) {
        StepReader steps = new StepReader(decoder, false);
        steps.from(bytes, offset, length);
        return steps;
    }

    /** Makes a reader of a buffer from its position on; the position stays. */
    public static StepReader of(Decoder decoder, ByteBuffer buffer) {
        decoder.from(buffer);
        return new StepReader(decoder, false);
    }

    // ---------------------------------------------------------------- messages and places

    /** Begins the next message, after what is left of this one. Returns false at the end of the input. */
    public boolean nextMessage() {
        while (!ended) next();
        if (fault != null && !goOn()) return false;
        if (streamed ? !decoder.nextMessage() : !decoder.hasMore()) return false;
        decoder.host.begin();
        decoder.beginMessage();
        definitions.clear();
        aim(decoder.pos, 0, 0);
        try {
            decoder.checkFirstByte();
        } catch (RuntimeException error) {
            throw fault(error);
        }
        return true;
    }

    /** Goes on after a message at fault. False if the stream has ended with it. */
    private boolean goOn() {
        if (hasFailed) return false;
        hasFailed = true; // A fault that is found on the way ends it too.
        hasFailed = !Passing.over(decoder, fault);
        if (!hasFailed) fault = null;
        return !hasFailed;
    }

    /** Goes to the value that begins at an index, with this many containers and elements around it. */
    public void aim(int index, int depth, long outside) {
        decoder.pos = index;
        outerDepth = depth;
        outerPending = outside;
        around = 0;
        open = 0;
        left = 1;
        inMap = false;
        ended = false;
        token = null;
        if (decoder.recordsOn()) {
            decoder.endMessage(false);
            for (Passed passed : definitions) {
                if (passed.offset < index) decoder.define(passed.low, passed.high, passed.shape);
            }
        }
    }

    /** Returns the index of the next byte. */
    public int index() {
        return decoder.pos;
    }

    /** Returns the offset of a byte. */
    public long offset(int index) {
        return decoder.offset(index);
    }

    // ---------------------------------------------------------------- steps

    /** Steps on. Returns null after the end of the message, or of the value that was aimed at. */
    public Token next() {
        if (ended) return null;
        try {
            token = step();
        } catch (RuntimeException error) {
            throw fault(error);
        }
        if (token == null) end(true);
        return token;
    }

    /**
     * Returns the key that comes next, and steps over it, if it is one of a record, or a str that is remembered: one
     * object for equal keys. Null for any other, which the next step has.
     */
    public String nextName() {
        if (ended || left == 0) return null;
        Level level = levels[open - 1];
        if (!inMap) return (String) level.shape.key((int) (level.size - left));
        if (decoder.keyCache == null) return null;
        markerOffset = level.keyOffset = decoder.pos;
        KeyCache.Entry entry = decoder.cachedKey(lastName);
        if (entry == null) return null;
        left--;
        lastName = entry;
        return (String) entry.key;
    }

    private void end(boolean successful) {
        ended = true;
        decoder.endMessage(successful);
    }

    private Token step() {
        if (left == 0) {
            if (open == 0) return null;
            close();
            return Token.END;
        }
        Decoder in = decoder;
        int at = in.pos;
        if (inMap && (left & 1) == 0) levels[open - 1].keyOffset = at;
        left--;
        markerOffset = at;
        if (at == in.end) in.need(1, at);
        return value(in.next());
    }

    private Token value(int marker) {
        // Most values are told by branches, which a processor predicts; a table makes each value wait for the one
        // before.
        int size = Marker.integerSize((byte) marker);
        if (size == 1) return smallInteger((byte) marker);
        if (size > 1) {
            number = Marker.integer(number(size), markerOffset);
            return Token.INTEGER;
        }
        int shortSize = Marker.shortStrSize((byte) marker);
        if (shortSize >= 0) return bytes(Token.STR, shortSize);
        if (Marker.isFloat64(marker)) {
            fraction = Marker.number(number(9), markerOffset);
            return Token.FLOAT;
        }
        Type type = Marker.type(marker);
        if (type == Type.EXT) return ext(marker);
        if (type == Type.RESERVED) throw decoder.error(ErrorKind.RESERVED_MARKER, markerOffset);
        long announced = decoder.header(marker, markerOffset);
        switch (type) {
            case NIL:
                return Token.NIL;
            case BOOL:
                number = marker & 1;
                return Token.BOOL;
            case FLOAT:
                fraction = Marker.number(decoder.buf, markerOffset);
                return Token.FLOAT;
            case STR:
                return bytes(Token.STR, announced);
            case BIN:
                return bytes(Token.BIN, announced);
            case ARRAY:
                return container(Token.ARRAY, announced);
            default:
                return container(Token.MAP, announced);
        }
    }

    /** Passes a number of a size, its marker included, and returns the bytes that have it. */
    private byte[] number(int size) {
        decoder.need(size - 1, markerOffset);
        decoder.pos = markerOffset + size;
        return decoder.buf;
    }

    private Token smallInteger(byte marker) {
        Shape shape = marker >= 0x40 && decoder.recordsOn()
                ? decoder.shapeOfId(marker, markerOffset, outerDepth + open)
                : null;
        if (shape != null) return record(shape);
        number = marker;
        return Token.INTEGER;
    }

    private Token bytes(Token type, long size) {
        if (type == Token.STR) decoder.checkString(size, markerOffset);
        else decoder.checkBin(size, markerOffset);
        return payload(type, size);
    }

    private Token ext(int marker) {
        if (decoder.recordsOn()) {
            Shape shape = decoder.defined(marker, markerOffset, outerDepth + open, outerPending + around + left);
            if (shape != null) {
                byte[] buf = decoder.buf;
                int high = Marker.announced(buf, markerOffset) == 2 ? buf[markerOffset + 3] & 0xff : -1;
                if (definitions.isEmpty() || definitions.get(definitions.size() - 1).offset < markerOffset) {
                    definitions.add(new Passed(markerOffset, buf[markerOffset + 2], high, shape));
                }
                return record(shape);
            }
        }
        return payload(Token.EXT, decoder.extSize(marker, markerOffset));
    }

    private Token payload(Token type, long size) {
        payload = decoder.pos;
        length = (int) size;
        decoder.pos = payload + length;
        return type;
    }

    private Token container(Token type, long size) {
        int depth = outerDepth + open;
        long outside = outerPending + around + left;
        if (type == Token.ARRAY) decoder.openArray(size, markerOffset, depth, outside);
        else decoder.openMap(size, markerOffset, depth, outside);
        push(type, size, null);
        return type;
    }

    private Token record(Shape shape) {
        decoder.need(outerPending + around + left + shape.size(), markerOffset);
        push(Token.RECORD, shape.size(), shape);
        return Token.RECORD;
    }

    private void push(Token type, long size, Shape shape) {
        if (open == levels.length) levels = Arrays.copyOf(levels, 2 * open);
        Level level = levels[open];
        if (level == null) level = levels[open] = new Level();
        open++;
        level.token = type;
        level.size = size;
        level.shape = shape;
        if (open > 1) levels[open - 2].left = left;
        around += left;
        inMap = type == Token.MAP;
        left = inMap ? 2 * size : size;
    }

    /** Leaves the innermost container, whatever is left of it. */
    private void close() {
        open--;
        Level outer = open == 0 ? null : levels[open - 1];
        left = outer == null ? 0 : outer.left;
        inMap = outer != null && outer.token == Token.MAP;
        around -= left;
    }

    /** Steps over what is within the container that has just begun; a value of another type is passed. */
    public void skip() {
        if (token == null || !token.isContainer()) return;
        int outer = open - 1;
        while (open > outer) next();
    }

    // ---------------------------------------------------------------- the current value

    /** Returns the value that the last step began, or passed, and steps over it. */
    public Object value() {
        if (token == null || token == Token.END) throw new IllegalStateException("no value begins here");
        if (token.isContainer()) close();
        try {
            return read();
        } catch (RuntimeException error) {
            throw fault(error);
        }
    }

    private Object read() {
        int depth = outerDepth + open;
        long outside = outerPending + around + left;
        int start = markerOffset;
        decoder.pos = start;
        decoder.countFromHere();
        try {
            return decoder.read(depth, outside);
        } catch (StackOverflowError overflow) {
            return decoder.onLargeStack(() -> {
                decoder.pos = start;
                return decoder.read(depth, outside);
            });
        }
    }

    /** Returns the str that the last step has passed. */
    public String text() {
        String string = decoder.strings.decode(decoder.buf, payload, payload + length);
        return string != null ? string : String.valueOf(value());
    }

    /** Reads the str, or other value, that the last step has passed as a key. */
    public Object key() {
        decoder.pos = markerOffset;
        decoder.countFromHere();
        if (token.isContainer()) close();
        try {
            return decoder.key(outerDepth + open, outerPending + around + left);
        } catch (RuntimeException error) {
            throw fault(error);
        }
    }

    /** Returns the container of these keys, each followed by a value, that a decoder makes. */
    public Object newMap(Object[] kv) {
        return decoder.host.newMap(kv);
    }

    /** Returns the elements, entries or values of the container that has just begun. */
    public long size() {
        return levels[open - 1].size;
    }

    /** Returns the keys of the record that has just begun, each followed by null. */
    public Object[] recordEntries() {
        return levels[open - 1].shape.entries();
    }

    /** Returns the number of open containers. */
    public int depth() {
        return outerDepth + open;
    }

    /** Whether the integer is 2^63 or more. */
    public boolean isLarge() {
        return number < 0 && Marker.isLarge(decoder.buf, markerOffset);
    }

    /** Returns the bytes of the payload of a str, bin or ext. */
    public byte[] payload() {
        return Arrays.copyOfRange(decoder.buf, payload, payload + length);
    }

    public int extType() {
        return decoder.buf[payload - 1];
    }

    /** Returns the error for a value of another type than the program asks for. */
    public RuntimeException mismatch(String expected) {
        return located(
                decoder.error(ErrorKind.TYPE_MISMATCH, markerOffset, "expected " + expected + ", found " + found()));
    }

    private String found() {
        if (token == Token.RECORD) return "map";
        return token == Token.EXT && extType() == -1 ? "timestamp" : String.valueOf(token);
    }

    /** Returns the error for an integer that a long does not hold. */
    public RuntimeException outOfRange(String detail) {
        return located(decoder.error(ErrorKind.OUT_OF_RANGE, markerOffset, detail));
    }

    /** Returns the error for bytes after the message. */
    public RuntimeException trailing() {
        return decoder.error(ErrorKind.TRAILING_BYTES, decoder.pos);
    }

    /** Whether the array or buffer has bytes after the last value. */
    public boolean hasMore() {
        return decoder.hasMore();
    }

    // ---------------------------------------------------------------- paths

    private RuntimeException fault(RuntimeException error) {
        fault = PackordException.of(error);
        if (!ended) end(false);
        return located(error);
    }

    /** Adds the path of the current value. */
    private RuntimeException located(RuntimeException thrown) {
        PackordException error = PackordException.of(thrown);
        if (open > 0) levels[open - 1].left = left;
        for (int i = open - 1; i >= 0; i--) {
            Level level = levels[i];
            long done = level.begun();
            if (done == 0) continue;
            if (level.token == Token.ARRAY) error.inElement(null, done - 1);
            else if (level.token == Token.RECORD) error.inEntry(null, pathKey(level.shape.key((int) done - 1)));
            else if ((done & 1) == 1) error.inKey();
            else error.inEntry(null, mapKey(level));
        }
        return thrown;
    }

    /** Returns a key as paths show it. */
    public Object pathKey(Object key) {
        return decoder.host.pathKey(key);
    }

    private Object mapKey(Level level) {
        int before = decoder.pos;
        try {
            decoder.pos = level.keyOffset;
            return decoder.host.pathKey(decoder.key(outerDepth, 0));
        } catch (StackOverflowError unreadable) {
            return null;
        } catch (RuntimeException unreadable) {
            PackordException.of(unreadable);
            return null;
        } finally {
            decoder.pos = before;
        }
    }
}
