package packord;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import packord.decode.StepReader;

/**
 * Reads messages token by token, without building their values: for filters, converters and indexes.
 * {@link Unpacker#walker(byte[])} makes one. Every header is checked as {@link Unpacker} checks it, with the same
 * limits and the same errors; UTF-8, timestamps and the payloads of extensions are checked where their value is asked
 * for.
 *
 * <pre>{@code
 * Walker walker = Unpacker.standard().walker(bytes);
 * long sum = 0;
 * while (walker.nextMessage()) {
 *   for (Token token = walker.next(); token != null; token = walker.next()) {
 *     if (token == Token.INTEGER) sum += walker.longValue();
 *   }
 * }
 * }</pre>
 *
 * <p>For one thread. A value that is asked for as another type than its token's is a {@code type_mismatch}. After an
 * error, the message has no more tokens.
 */
public final class Walker {
    private final StepReader steps;

    Walker(StepReader steps) {
        this.steps = steps;
    }

    /**
     * Begins the next message; false at the end of the input. What is left of the message before is passed, after an
     * error too.
     */
    public boolean nextMessage() {
        return steps.nextMessage();
    }

    /**
     * Steps to the next token of the message; null after the message. A container's elements follow it, and then
     * {@link Token#END}; the entries of a map are keys and values in turn.
     */
    public Token next() {
        return steps.next();
    }

    /** Passes everything within the container that has just begun, its end too. */
    public void skip() {
        steps.skip();
    }

    /**
     * Returns the value of the current token as {@link Unpacker} returns it; that of a container with all that is
     * within, which is passed.
     */
    public Object value() {
        return steps.value();
    }

    /**
     * Returns the number of elements of an array, entries of a map or values of a record that has just begun, and of
     * bytes of a str, bin or ext.
     */
    public long size() {
        Token token = steps.token;
        if (token.isContainer()) return steps.size();
        if (token == Token.STR || token == Token.BIN || token == Token.EXT) return steps.length;
        throw steps.mismatch("a value with a length");
    }

    /** Returns the keys of the record that has just begun. */
    public List<Object> keys() {
        require(Token.RECORD, "a record");
        Object[] kv = steps.recordEntries();
        List<Object> keys = new ArrayList<>(kv.length / 2);
        for (int i = 0; i < kv.length; i += 2) keys.add(kv[i]);
        return keys;
    }

    /** Returns the boolean. */
    public boolean booleanValue() {
        require(Token.BOOL, "a bool");
        return steps.number != 0;
    }

    /**
     * Returns the integer.
     *
     * @throws PackordException ({@link ErrorKind#TYPE_MISMATCH}) when the token is another one, and
     *     {@link ErrorKind#OUT_OF_RANGE} when it is 2^63 or more; {@link #bigIntegerValue} returns those
     */
    public long longValue() {
        require(Token.INTEGER, "an integer");
        if (steps.isLarge()) throw steps.outOfRange(Long.toUnsignedString(steps.number) + " does not fit long");
        return steps.number;
    }

    /** Returns the integer. */
    public BigInteger bigIntegerValue() {
        require(Token.INTEGER, "an integer");
        return steps.isLarge() ? new BigInteger(Long.toUnsignedString(steps.number)) : BigInteger.valueOf(steps.number);
    }

    /** Returns the float, or the integer as a double. */
    public double doubleValue() {
        if (steps.token == Token.INTEGER) return bigIntegerValue().doubleValue();
        require(Token.FLOAT, "a float");
        return steps.fraction;
    }

    /** Returns the str. */
    public String stringValue() {
        require(Token.STR, "a str");
        Object string = steps.value();
        if (!(string instanceof String)) throw steps.mismatch("a str of UTF-8");
        return (String) string;
    }

    /** Returns the payload of a str, bin or ext as it is. */
    public byte[] payload() {
        Token token = steps.token;
        if (token != Token.STR && token != Token.BIN && token != Token.EXT) throw steps.mismatch("a str, bin or ext");
        return steps.payload();
    }

    /** Returns the type of the ext, -128 to 127. */
    public int extType() {
        require(Token.EXT, "an ext");
        return steps.extType();
    }

    /** Returns the number of containers that are open, one that has just begun included. */
    public int depth() {
        return steps.depth();
    }

    /** Returns where the current value begins: bytes from the start of the input. */
    public long offset() {
        return steps.offset(steps.markerOffset);
    }

    private void require(Token token, String expected) {
        if (steps.token != token) throw steps.mismatch(expected);
    }
}
