package packord.container;

import java.math.BigInteger;
import java.util.Arrays;
import packord.Options;
import packord.Packer;
import packord.Timestamp;
import packord.Unpacker;
import packord.columns.Tape;
import packord.encode.Encoder;
import packord.wire.Timestamps;

/**
 * A value of a row, or one to compare it with: {@code spec/container.md} section 4. It is filled again for each row, so
 * that comparing makes no objects.
 */
final class CellValue {
    /** What values are compared as. Values of different types are not. */
    enum Type {
        /** Nil, or missing. */
        NULL,
        /** An integer or a float. */
        NUMBER,
        STR,
        TIME,
        /** Of any other type: equal or not. */
        OTHER
    }

    /** The result of a comparison that neither is below the other, nor are they equal. */
    static final int UNORDERED = 2;

    private static final Unpacker PARTS = Unpacker.of(Options.builder()
            .timestamps(Options.Timestamps.TIMESTAMP)
            .trailing(Options.Trailing.ALLOW)
            .build());

    private static final Options CANONICAL = Options.builder().canonical(true).build();

    private static final double TWO_63 = 0x1p63;

    Type type = Type.NULL;

    /** Whether a number is a float; whether an integer is 2^63 or more. */
    private boolean isFloat;

    private boolean isLarge;

    /** Whether a float has 32 bits. */
    private boolean isSingle;

    /** An integer, or the seconds of a timestamp. */
    private long integer;

    private double fraction;
    private int nanos;

    /** Writes values of other types, once there was one. */
    private Encoder canonical;

    /** Where a string is, or the canonical form of a value of another type. */
    private byte[] bytes;

    private int from;
    private int to;

    /** Becomes nil. */
    void clear() {
        type = Type.NULL;
        bytes = null;
    }

    /** Takes a value of a message; -1 is a missing one. */
    void set(Tape tape, int place) {
        if (place < 0) {
            type = Type.NULL;
            return;
        }
        switch (tape.type(place)) {
            case Tape.NIL:
                type = Type.NULL;
                break;
            case Tape.INT:
                integer(tape.integer(place), tape.isLarge(place));
                break;
            case Tape.FLOAT32:
                fraction(Float.intBitsToFloat(tape.float32(place)), true);
                break;
            case Tape.FLOAT64:
                fraction(Double.longBitsToDouble(tape.float64(place)), false);
                break;
            case Tape.STR:
                type = Type.STR;
                bytes = tape.bytes;
                from = tape.payload(place);
                to = tape.end(place);
                break;
            default:
                if (tape.type(place) != Tape.EXT || !timestamp(tape.bytes, tape.payload(place), tape.end(place))) {
                    other(tape, place);
                }
        }
    }

    /** Returns a value of the program. Throws packord.PackordException when it cannot be packed. */
    static CellValue of(Object value) {
        byte[] packed = Packer.standard().pack(value);
        Tape tape = new Tape();
        tape.scan(packed, 0, packed.length);
        CellValue cell = new CellValue();
        cell.set(tape, 0);
        return cell;
    }

    /** Keeps a value of another type in its canonical form, in which equal values are equal. */
    private void other(Tape tape, int place) {
        type = Type.OTHER;
        bytes = tape.bytes;
        from = tape.at(place);
        to = tape.end(place);
        if (tape.type(place) == Tape.BOOL) return;
        // An integer and a float within it are different, as are those of keys.
        if (canonical == null) canonical = new Encoder(CANONICAL).keepingFloats();
        try {
            canonical.message(PARTS.unpack(bytes, from, to - from));
            bytes = canonical.toBytes();
        } finally {
            canonical.release();
        }
        from = 0;
        to = bytes.length;
    }

    private void integer(long value, boolean large) {
        type = Type.NUMBER;
        isFloat = false;
        isLarge = large;
        integer = value;
    }

    private void fraction(double value, boolean single) {
        type = Type.NUMBER;
        isFloat = true;
        isSingle = single;
        fraction = value;
    }

    private boolean timestamp(byte[] message, int payload, int end) {
        int size = end - payload;
        if (message[payload - 1] != Timestamps.TYPE || !Timestamps.isSize(size)) return false;
        type = Type.TIME;
        integer = Timestamps.seconds(message, payload, size);
        nanos = (int) Timestamps.nanos(message, payload, size);
        return true;
    }

    /** Copies what another has; a string by its bytes. */
    void set(CellValue another) {
        type = another.type;
        isFloat = another.isFloat;
        isLarge = another.isLarge;
        integer = another.integer;
        fraction = another.fraction;
        nanos = another.nanos;
        isSingle = another.isSingle;
        if (type == Type.STR) {
            bytes = Arrays.copyOfRange(another.bytes, another.from, another.to);
            from = 0;
            to = bytes.length;
        }
    }

    /** Whether it can be a bound of values: a number, a string or a timestamp. */
    boolean isBound() {
        return type != Type.OTHER && !isNaN();
    }

    /** Whether it is a float that is not a number. */
    boolean isNaN() {
        return type == Type.NUMBER && isFloat && Double.isNaN(fraction);
    }

    /** Returns -1, 0 or 1 for a value of the same type; {@link #UNORDERED} where there is no order. */
    int compare(CellValue right) {
        if (type != right.type) return UNORDERED;
        switch (type) {
            case NUMBER:
                return compareNumber(right);
            case STR:
                return Integer.signum(Arrays.compareUnsigned(bytes, from, to, right.bytes, right.from, right.to));
            case TIME: {
                int order = Long.compare(integer, right.integer);
                return order != 0 ? order : Integer.compare(nanos, right.nanos);
            }
            case OTHER:
                return Arrays.equals(bytes, from, to, right.bytes, right.from, right.to) ? 0 : UNORDERED;
            default:
                return UNORDERED;
        }
    }

    private int compareNumber(CellValue right) {
        if (isFloat && right.isFloat) {
            return fraction < right.fraction
                    ? -1
                    : fraction > right.fraction ? 1 : fraction == right.fraction ? 0 : UNORDERED;
        }
        if (isFloat) {
            int order = compare(right.integer, right.isLarge, fraction);
            return order == UNORDERED ? order : -order;
        }
        if (right.isFloat) return compare(integer, isLarge, right.fraction);
        if (isLarge != right.isLarge) return isLarge ? 1 : -1;
        return Long.compare(integer, right.integer);
    }

    /** Compares an integer with a float as they are, without rounding either. */
    private static int compare(long whole, boolean large, double real) {
        if (Double.isNaN(real)) return UNORDERED;
        if (large) {
            if (real < TWO_63) return 1;
            if (real >= 2 * TWO_63) return -1;
            return Long.compare(whole & Long.MAX_VALUE, (long) (real - TWO_63));
        }
        if (real >= TWO_63) return -1;
        if (real < -TWO_63) return 1;
        long floor = (long) Math.floor(real);
        if (whole != floor) return whole < floor ? -1 : 1;
        return real > floor ? -1 : 0;
    }

    /** Returns the number or timestamp that statistics hold. */
    Object toObject() {
        if (type == Type.TIME) return new Timestamp(integer, nanos);
        if (isFloat) return isSingle ? (Object) (float) fraction : (Object) fraction;
        return isLarge ? new BigInteger(Long.toUnsignedString(integer)) : (Object) integer;
    }

    /** Returns a copy of the bytes of a string. */
    byte[] utf8() {
        return Arrays.copyOfRange(bytes, from, to);
    }
}
