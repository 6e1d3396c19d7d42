package packord.decode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.function.Function;
import packord.ErrorKind;
import packord.decode.TypedReader.Kind;

/** A target that is made of one value which is not a container. */
final class Scalar implements Target {
    /** There is no constant of this name. */
    static final class UnknownVariant extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownVariant(String detail) {
            super(detail, null, false, false);
        }
    }

    /** The most characters, and the most digits, of a str that a lenient reader takes as an integer. */
    private static final int MOST_DIGITS = 1000;

    /** The most bits of an integer that an error shows. */
    private static final int MOST_BITS = 4096;

    private final String name;
    private final Class<?> type;
    private final String expected;
    private final EnumSet<Kind> kinds;

    /** What a primitive is where nothing stands for it; null for a class. */
    private final Object zero;

    private final Function<Object, Object> make;

    /** The kinds that are converted: floats for an integer, and what a lenient reader takes. */
    private final EnumSet<Kind> others = EnumSet.noneOf(Kind.class);

    /**
     * Makes a target.
     *
     * @param name its name, where a number is out of range
     * @param type what is made; a value that an extension has read and that is one is taken as it is
     * @param expected the kind of value, with its article
     * @param zero what a primitive is where nothing stands for it, else null
     * @param make makes a value of what was read. Null means that this cannot be; an ArithmeticException, that a number
     *     is out of range
     */
    Scalar(
            String name,
            Class<?> type,
            String expected,
            EnumSet<Kind> kinds,
            Object zero,
            Function<Object, Object> make) {
        this.name = name;
        this.type = type;
        this.expected = expected;
        this.kinds = kinds;
        this.zero = zero;
        this.make = make;
        if (kinds.contains(Kind.INT) && !kinds.contains(Kind.FLOAT)) others.add(Kind.FLOAT);
    }

    /** Returns a target that takes a str too, numbers and bools as a string, nil as zero. */
    Scalar lenient() {
        Scalar lenient = new Scalar(name, type, expected, kinds, zero, make);
        EnumSet<Kind> more = lenient.others;
        if (type == String.class) more.addAll(EnumSet.of(Kind.INT, Kind.FLOAT, Kind.BOOL));
        boolean isNumber = kinds.contains(Kind.INT);
        if (isNumber || kinds.contains(Kind.BOOL) || kinds.contains(Kind.TIMESTAMP)) more.add(Kind.STR);
        if (zero != null) more.add(Kind.NIL);
        more.removeAll(kinds);
        return lenient;
    }

    /** Returns a value of one of the other kinds as one of the kinds of this target. */
    private Object converted(Object value) {
        if (type == String.class) return value.toString();
        if (!kinds.contains(Kind.INT)) {
            String text = (String) value;
            if (kinds.contains(Kind.TIMESTAMP))
                return OffsetDateTime.parse(text).toInstant();
            return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : null;
        }
        if (kinds.contains(Kind.FLOAT)) return Double.valueOf((String) value);
        BigInteger whole = value instanceof Double ? whole((Double) value) : whole(value.toString());
        return whole != null && whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
    }

    private static BigInteger whole(double number) {
        return number == Math.rint(number) && Double.isFinite(number) ? new BigDecimal(number).toBigInteger() : null;
    }

    /** Reads an integer. The time for it grows with the square of its digits, and an exponent stands for many. */
    private static BigInteger whole(String text) {
        if (text.length() > MOST_DIGITS) throw new ArithmeticException();
        BigDecimal number = new BigDecimal(text);
        if (number.signum() == 0) return BigInteger.ZERO;
        long digits = number.precision() - (long) number.scale();
        if (digits < 1 || digits > MOST_DIGITS) throw new ArithmeticException();
        return number.toBigIntegerExact();
    }

    @Override
    public Object read(TypedReader in, int depth, long pending) {
        int markerOffset = in.pos;
        Kind kind = in.kind();
        boolean fits = kinds.contains(kind);
        if (!fits) checkOther(in, kind, zero == null);
        Object value = in.read(depth, pending);
        return value == null ? zero : made(in, value, !fits && others.contains(kind), markerOffset);
    }

    private void checkOther(TypedReader in, Kind kind, boolean orNil) {
        boolean fits = others.contains(kind) || orNil && kind == Kind.NIL || in.isReadByExtension(kind);
        if (!fits) throw in.mismatch(expected, kind);
    }

    private Object made(TypedReader in, Object value, boolean isOther, int markerOffset) {
        if (type.isInstance(value)) return value;
        if (type == BigDecimal.class && value instanceof String) in.checkDigits((String) value, markerOffset);
        try {
            Object fitting = isOther ? converted(value) : value;
            Object made = fitting == null ? null : make.apply(fitting);
            if (made != null) return made;
        } catch (UnknownVariant unknown) {
            throw in.mismatch(markerOffset, unknown.getMessage());
        } catch (ArithmeticException exception) {
            throw in.error(ErrorKind.OUT_OF_RANGE, markerOffset, shown(value) + " does not fit " + name);
        } catch (RuntimeException exception) {
            throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, "expected " + expected, exception);
        }
        if (value instanceof Double) throw in.mismatch(markerOffset, expected, Kind.FLOAT);
        throw in.mismatch(markerOffset, "expected " + expected);
    }

    /** Returns a number for an error. Time for its digits grows with their square. */
    private static Object shown(Object number) {
        boolean isLong = number instanceof BigInteger && ((BigInteger) number).bitLength() > MOST_BITS;
        return isLong ? "an integer of " + ((BigInteger) number).bitLength() + " bits" : number;
    }

    @Override
    public Object absent() {
        return zero == null || others.contains(Kind.NIL) ? zero : REQUIRED;
    }

    @Override
    public void checkKey(TypedReader in) {
        Kind kind = in.kind();
        if (!kinds.contains(kind)) checkOther(in, kind, true);
    }

    @Override
    public Object ofKey(TypedReader in, Object key, int markerOffset) {
        Kind kind = kindOf(key);
        boolean isOther = kind != null && others.contains(kind);
        // A str that was read before has not been checked.
        if (kind == Kind.STR && !isOther && !kinds.contains(kind)) throw in.mismatch(markerOffset, expected, kind);
        return key == null ? null : made(in, key, isOther, markerOffset);
    }

    /** Returns the kind of a key, or null for one that a lenient reader does not take. */
    private static Kind kindOf(Object key) {
        if (key instanceof String) return Kind.STR;
        if (key instanceof Long || key instanceof BigInteger) return Kind.INT;
        if (key instanceof Double) return Kind.FLOAT;
        return key instanceof Boolean ? Kind.BOOL : null;
    }
}
