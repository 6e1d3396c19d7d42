package packord.jackson;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.base.ParserMinimalBase;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.DupDetector;
import com.fasterxml.jackson.core.json.JsonReadContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import packord.ErrorKind;
import packord.PackordException;
import packord.Token;
import packord.decode.StepReader;

/** Reads MessagePack, with the checks of every reader. Keys of other types than str are given as their text. */
final class PackordParser extends ParserMinimalBase {
    /** The tokens of the types that have one alone. */
    private static final JsonToken[] SCALARS = new JsonToken[Token.values().length];

    static {
        SCALARS[Token.NIL.ordinal()] = JsonToken.VALUE_NULL;
        SCALARS[Token.INTEGER.ordinal()] = JsonToken.VALUE_NUMBER_INT;
        SCALARS[Token.FLOAT.ordinal()] = JsonToken.VALUE_NUMBER_FLOAT;
        SCALARS[Token.STR.ordinal()] = JsonToken.VALUE_STRING;
        SCALARS[Token.BIN.ordinal()] = JsonToken.VALUE_EMBEDDED_OBJECT;
    }

    private final IOContext context;
    private final StepReader steps;
    private final InputStream in;
    private final Consumer<StepReader> release;
    private ObjectCodec codec;
    private JsonReadContext scope;

    private boolean isClosed;

    private boolean isAtValue;

    /** What the value is, once it is known: a String, a number, bytes, an ext. */
    private Object value;

    PackordParser(
            IOContext context,
            int features,
            ObjectCodec codec,
            StepReader steps,
            InputStream in,
            Consumer<StepReader> release) {
        super(features, context.streamReadConstraints());
        this.context = context;
        this.codec = codec;
        this.steps = steps;
        this.in = in;
        this.release = release;
        boolean refusesTwice = JsonParser.Feature.STRICT_DUPLICATE_DETECTION.enabledIn(features);
        scope = JsonReadContext.createRootContext(refusesTwice ? DupDetector.rootDetector(this) : null);
    }

    // ---------------------------------------------------------------- tokens

    @Override
    public JsonToken nextToken() throws IOException {
        if (isClosed()) return null;
        try {
            _currToken = step();
        } catch (PackordException error) {
            throw fault(error);
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        }
        if (_currToken == null) close();
        return _currToken;
    }

    @Override
    public String nextFieldName() throws IOException {
        return nextToken() == JsonToken.FIELD_NAME ? scope.getCurrentName() : null;
    }

    private JsonToken step() throws IOException {
        if (value != null) value = null;
        boolean inObject = scope.inObject();
        if (inObject && !isAtValue) {
            String name = steps.nextName();
            if (name != null) return name(name);
        }
        Token token = steps.next();
        if (token == null) {
            if (!steps.nextMessage()) return null;
            token = steps.next();
        }
        if (token == Token.END) {
            scope = scope.getParent();
            return inObject ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
        }
        if (!inObject) scope.expectComma();
        else if (isAtValue) isAtValue = false;
        else return name(token == Token.STR ? steps.text() : otherKey(token));
        JsonToken scalar = SCALARS[token.ordinal()];
        return scalar != null ? scalar : other(token);
    }

    private JsonToken other(Token token) throws IOException {
        switch (token) {
            case BOOL:
                return steps.number != 0 ? JsonToken.VALUE_TRUE : JsonToken.VALUE_FALSE;
            case EXT:
                value = steps.value();
                return value instanceof BigInteger ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_EMBEDDED_OBJECT;
            case ARRAY:
                scope = scope.createChildArrayContext(-1, -1);
                break;
            default:
                scope = scope.createChildObjectContext(-1, -1);
        }
        streamReadConstraints().validateNestingDepth(scope.getNestingDepth());
        return token == Token.ARRAY ? JsonToken.START_ARRAY : JsonToken.START_OBJECT;
    }

    private JsonToken name(String name) throws IOException {
        scope.setCurrentName(name);
        isAtValue = true;
        return JsonToken.FIELD_NAME;
    }

    private String otherKey(Token token) {
        switch (token) {
            case BIN:
                return new String(steps.payload(), StandardCharsets.UTF_8);
            case ARRAY:
            case MAP:
            case RECORD:
                throw steps.mismatch("a str");
            default:
                return String.valueOf(steps.value());
        }
    }

    // ---------------------------------------------------------------- text and bytes

    @Override
    public String getText() throws IOException {
        if (_currToken == JsonToken.VALUE_STRING) return string();
        if (_currToken == JsonToken.FIELD_NAME) return scope.getCurrentName();
        if (_currToken == null) return null;
        return _currToken.isNumeric() ? getNumberValue().toString() : _currToken.asString();
    }

    private String string() throws IOException {
        try {
            if (value == null) value = steps.text();
            return (String) value;
        } catch (PackordException error) {
            throw fault(error);
        }
    }

    @Override
    public char[] getTextCharacters() throws IOException {
        String text = getText();
        return text == null ? null : text.toCharArray();
    }

    @Override
    public boolean hasTextCharacters() {
        return false;
    }

    @Override
    public int getTextLength() throws IOException {
        String text = getText();
        return text == null ? 0 : text.length();
    }

    @Override
    public int getTextOffset() {
        return 0;
    }

    @Override
    public byte[] getBinaryValue(Base64Variant variant) throws IOException {
        if (_currToken == JsonToken.VALUE_STRING || isBin()) return steps.payload();
        if (value instanceof byte[]) return (byte[]) value;
        throw _constructReadException("no bytes, but %s", _currToken);
    }

    @Override
    public Object getEmbeddedObject() {
        if (_currToken != JsonToken.VALUE_EMBEDDED_OBJECT) return null;
        if (value == null && isBin()) value = steps.payload();
        return value;
    }

    private boolean isBin() {
        return _currToken == JsonToken.VALUE_EMBEDDED_OBJECT && steps.token == Token.BIN;
    }

    // ---------------------------------------------------------------- numbers

    @Override
    public NumberType getNumberType() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) return NumberType.DOUBLE;
        Number number = getNumberValue();
        if (number instanceof Integer) return NumberType.INT;
        return number instanceof Long ? NumberType.LONG : NumberType.BIG_INTEGER;
    }

    @Override
    public Number getNumberValue() throws IOException {
        if (value instanceof BigInteger) return (BigInteger) value;
        if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) return steps.fraction;
        if (_currToken != JsonToken.VALUE_NUMBER_INT) throw _constructReadException("no number, but %s", _currToken);
        long number = steps.number;
        if (steps.isLarge()) return new BigInteger(Long.toUnsignedString(number));
        return number == (int) number ? (Number) (int) number : (Number) number;
    }

    @Override
    public int getIntValue() throws IOException {
        long number = getLongValue();
        if (number != (int) number) reportOverflowInt();
        return (int) number;
    }

    @Override
    public long getLongValue() throws IOException {
        if (_currToken == JsonToken.VALUE_NUMBER_INT && value == null && !steps.isLarge()) return steps.number;
        double number = getNumberValue().doubleValue();
        if (!(number >= Long.MIN_VALUE && number < 0x1p63)) reportOverflowLong();
        return (long) number;
    }

    @Override
    public BigInteger getBigIntegerValue() throws IOException {
        Number number = getNumberValue();
        if (number instanceof BigInteger) return (BigInteger) number;
        return number instanceof Double ? getDecimalValue().toBigInteger() : BigInteger.valueOf(number.longValue());
    }

    @Override
    public float getFloatValue() throws IOException {
        return (float) getDoubleValue();
    }

    @Override
    public double getDoubleValue() throws IOException {
        return _currToken == JsonToken.VALUE_NUMBER_FLOAT
                ? steps.fraction
                : getNumberValue().doubleValue();
    }

    @Override
    public BigDecimal getDecimalValue() throws IOException {
        Number number = getNumberValue();
        return number instanceof Double ? BigDecimal.valueOf((Double) number) : new BigDecimal(number.toString());
    }

    // ---------------------------------------------------------------- places

    @Override
    public String currentName() {
        boolean isStart = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
        return (isStart ? scope.getParent() : scope).getCurrentName();
    }

    @Override
    @Deprecated
    public String getCurrentName() {
        return currentName();
    }

    @Override
    public void overrideCurrentName(String name) {
        try {
            scope.setCurrentName(name);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public JsonReadContext getParsingContext() {
        return scope;
    }

    @Override
    public JsonLocation currentLocation() {
        return location(isClosed ? -1 : steps.offset(steps.index()));
    }

    @Override
    public JsonLocation currentTokenLocation() {
        return location(isClosed ? -1 : steps.offset(steps.markerOffset));
    }

    private JsonLocation location(long offset) {
        return new JsonLocation(context.contentReference(), offset, -1, -1, -1);
    }

    @Override
    @Deprecated
    public JsonLocation getCurrentLocation() {
        return currentLocation();
    }

    @Override
    @Deprecated
    public JsonLocation getTokenLocation() {
        return currentTokenLocation();
    }

    // ---------------------------------------------------------------- the rest

    @Override
    public ObjectCodec getCodec() {
        return codec;
    }

    @Override
    public void setCodec(ObjectCodec newCodec) {
        codec = newCodec;
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() throws IOException {
        if (isClosed()) return;
        isClosed = true;
        _currToken = null; // Its value can no longer be asked for: the next parser has the steps.
        steps.release();
        release.accept(steps);
        if (in != null && (context.isResourceManaged() || isEnabled(JsonParser.Feature.AUTO_CLOSE_SOURCE))) in.close();
        context.close();
    }

    @Override
    protected void _handleEOF() {}

    /** The error as Jackson has it, with ours as its cause. */
    private JsonParseException fault(RuntimeException thrown) {
        PackordException error = PackordException.of(thrown);
        if (error.kind() == ErrorKind.EOF) return new JsonEOFException(this, _currToken, error.getMessage());
        return new JsonParseException(this, error.getMessage(), location(error.offset()), error);
    }
}
