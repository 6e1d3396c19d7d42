package packord.jackson;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonGenerationException;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.base.GeneratorBase;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.JsonWriteContext;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.function.Consumer;
import packord.ErrorKind;
import packord.Ext;
import packord.PackordException;
import packord.Timestamp;
import packord.encode.TypedEncoder;

/**
 * Writes MessagePack. Jackson does not always say how many values a container has: its header is written when it ends,
 * and what is in it is moved where the header takes more bytes than were kept free.
 */
final class PackordGenerator extends GeneratorBase {
    private final int maxDepth;
    private final OutputStream out;
    private final Consumer<TypedEncoder> release;
    private TypedEncoder bytes;

    /** Where the open containers begin, and how many bytes are kept free for their headers. */
    private int[] starts = new int[16];

    private int[] sizes = new int[16];
    private int open;

    PackordGenerator(
            IOContext context,
            int features,
            ObjectCodec codec,
            int maxDepth,
            OutputStream out,
            TypedEncoder bytes,
            Consumer<TypedEncoder> release) {
        super(features, codec, context);
        this.maxDepth = maxDepth;
        this.out = out;
        this.bytes = bytes;
        this.release = release;
    }

    // ---------------------------------------------------------------- containers

    @Override
    public void writeStartArray() throws IOException {
        begin(1, "start an array");
        _writeContext = _writeContext.createChildArrayContext();
    }

    @Override
    public void writeStartArray(Object value, int size) throws IOException {
        begin(headerSize(size), "start an array");
        _writeContext = _writeContext.createChildArrayContext(value);
    }

    @Override
    public void writeStartObject() throws IOException {
        writeStartObject(null, 0);
    }

    @Override
    public void writeStartObject(Object value) throws IOException {
        writeStartObject(value, 0);
    }

    @Override
    public void writeStartObject(Object value, int size) throws IOException {
        begin(headerSize(size), "start an object");
        _writeContext = _writeContext.createChildObjectContext(value);
    }

    private static int headerSize(int size) {
        return size < 16 ? 1 : size < 1 << 16 ? 3 : 5;
    }

    private void begin(int size, String what) throws IOException {
        _verifyValueWrite(what);
        if (open == starts.length) {
            starts = Arrays.copyOf(starts, 2 * open);
            sizes = Arrays.copyOf(sizes, 2 * open);
        }
        if (open == maxDepth) throw fault(ErrorKind.DEPTH_LIMIT, "max_depth is " + maxDepth);
        starts[open] = bytes.pos;
        sizes[open++] = size;
        bytes.ensure(size);
        bytes.pos += size;
    }

    @Override
    public void writeEndArray() throws IOException {
        if (!_writeContext.inArray()) _reportError("no array is open, but " + _writeContext.typeDesc());
        end(false);
    }

    @Override
    public void writeEndObject() throws IOException {
        if (!_writeContext.inObject()) _reportError("no object is open, but " + _writeContext.typeDesc());
        end(true);
    }

    private void end(boolean isMap) {
        int count = _writeContext.getEntryCount();
        int size = headerSize(count);
        int start = starts[--open];
        int from = start + sizes[open];
        int length = bytes.pos - from;
        bytes.ensure(size);
        if (size != sizes[open]) System.arraycopy(bytes.buf, from, bytes.buf, start + size, length);
        bytes.pos = start;
        if (isMap) bytes.mapHeader(count);
        else bytes.arrayHeader(count);
        bytes.pos += length;
        _writeContext = _writeContext.getParent();
    }

    // ---------------------------------------------------------------- keys

    @Override
    public void writeFieldName(String name) throws IOException {
        name(name);
        string(name);
    }

    @Override
    public void writeFieldName(SerializableString name) throws IOException {
        name(name.getValue());
        utf8(name.asUnquotedUTF8());
    }

    @Override
    public void writeFieldId(long id) throws IOException {
        name(Long.toString(id));
        bytes.integer(id);
    }

    private void name(String name) throws IOException {
        int status = _writeContext.writeFieldName(name);
        if (status == JsonWriteContext.STATUS_EXPECT_VALUE) _reportError("a value is expected, not a key");
    }

    // ---------------------------------------------------------------- strings and bytes

    @Override
    public void writeString(String text) throws IOException {
        if (text == null) {
            writeNull();
            return;
        }
        _verifyValueWrite("write a string");
        string(text);
    }

    private void string(String text) throws IOException {
        try {
            bytes.str(text);
        } catch (PackordException error) {
            throw fault(error);
        }
    }

    private void utf8(byte[] utf8) {
        bytes.strHeader(utf8.length);
        bytes.raw(utf8);
    }

    @Override
    public void writeString(char[] text, int offset, int length) throws IOException {
        writeString(new String(text, offset, length));
    }

    @Override
    public void writeString(SerializableString text) throws IOException {
        _verifyValueWrite("write a string");
        utf8(text.asUnquotedUTF8());
    }

    @Override
    public void writeRawUTF8String(byte[] text, int offset, int length) throws IOException {
        writeUTF8String(text, offset, length);
    }

    @Override
    public void writeUTF8String(byte[] text, int offset, int length) throws IOException {
        _verifyValueWrite("write a string");
        bytes.strHeader(length);
        bytes.raw(text, offset, length);
    }

    @Override
    public void writeBinary(Base64Variant variant, byte[] data, int offset, int length) throws IOException {
        _verifyValueWrite("write bytes");
        bytes.binHeader(length);
        bytes.raw(data, offset, length);
    }

    /** Writes what other formats have no place for: bytes, an ext, a point in time. */
    @Override
    public void writeEmbeddedObject(Object object) throws IOException {
        if (object == null) {
            writeNull();
        } else if (object instanceof byte[]) {
            writeBinary((byte[]) object);
        } else {
            _verifyValueWrite("write an ext");
            if (object instanceof Ext) {
                byte[] data = ((Ext) object).data();
                bytes.extHeader(((Ext) object).type(), data.length);
                bytes.raw(data);
            } else if (object instanceof Timestamp) {
                bytes.timestamp(((Timestamp) object).seconds(), ((Timestamp) object).nanos());
            } else if (object instanceof Instant) {
                bytes.timestamp(((Instant) object).getEpochSecond(), ((Instant) object).getNano());
            } else if (object instanceof Date) {
                bytes.date((Date) object);
            } else {
                throw fault(ErrorKind.UNSUPPORTED_TYPE, object.getClass().getName());
            }
        }
    }

    @Override
    public void writeRaw(String text) {
        throw new UnsupportedOperationException("MessagePack has no raw text");
    }

    @Override
    public void writeRaw(String text, int offset, int length) {
        writeRaw(text);
    }

    @Override
    public void writeRaw(char[] text, int offset, int length) {
        writeRaw((String) null);
    }

    @Override
    public void writeRaw(char character) {
        writeRaw((String) null);
    }

    // ---------------------------------------------------------------- numbers and the like

    @Override
    public void writeNumber(int value) throws IOException {
        writeNumber((long) value);
    }

    @Override
    public void writeNumber(long value) throws IOException {
        _verifyValueWrite("write a number");
        bytes.integer(value);
    }

    @Override
    public void writeNumber(BigInteger value) throws IOException {
        if (value == null) {
            writeNull();
            return;
        }
        _verifyValueWrite("write a number");
        try {
            bytes.bigInteger(value);
        } catch (PackordException error) {
            throw fault(error);
        }
    }

    @Override
    public void writeNumber(double value) throws IOException {
        _verifyValueWrite("write a number");
        bytes.float64Bits(Double.doubleToRawLongBits(value));
    }

    @Override
    public void writeNumber(float value) throws IOException {
        _verifyValueWrite("write a number");
        bytes.float32Bits(Float.floatToRawIntBits(value));
    }

    /** Decimals are text, which loses nothing. */
    @Override
    public void writeNumber(BigDecimal value) throws IOException {
        writeString(value == null ? null : value.toString());
    }

    @Override
    public void writeNumber(String encoded) throws IOException {
        writeString(encoded);
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        _verifyValueWrite("write a bool");
        bytes.bool(value);
    }

    @Override
    public void writeNull() throws IOException {
        _verifyValueWrite("write nil");
        bytes.nil();
    }

    // ---------------------------------------------------------------- the output

    @Override
    protected void _verifyValueWrite(String what) throws IOException {
        int status = _writeContext.writeValue();
        if (status == JsonWriteContext.STATUS_EXPECT_NAME) _reportError("a key is expected, so one cannot " + what);
        if (open == 0 && bytes.pos > FLUSHED) drain();
    }

    /** Messages are handed on together until they take this many bytes. */
    private static final int FLUSHED = 1 << 13;

    private void drain() throws IOException {
        out.write(bytes.buf, 0, bytes.pos);
        bytes.reset();
    }

    /** Hands on what is complete. */
    @Override
    public void flush() throws IOException {
        if (bytes == null) return;
        if (open == 0) drain();
        if (isEnabled(Feature.FLUSH_PASSED_TO_STREAM)) out.flush();
    }

    @Override
    public void close() throws IOException {
        if (isClosed()) return;
        if (isEnabled(Feature.AUTO_CLOSE_JSON_CONTENT)) {
            while (open > 0) {
                if (_writeContext.inArray()) writeEndArray();
                else writeEndObject();
            }
        }
        super.close();
        if (open == 0) drain();
        _releaseBuffers();
        if (_ioContext.isResourceManaged() || isEnabled(Feature.AUTO_CLOSE_TARGET)) out.close();
        else if (isEnabled(Feature.FLUSH_PASSED_TO_STREAM)) out.flush();
        _ioContext.close();
    }

    @Override
    protected void _releaseBuffers() {
        bytes.reset();
        release.accept(bytes);
        bytes = null;
    }

    private JsonGenerationException fault(ErrorKind kind, String detail) {
        return fault(bytes.error(kind, detail));
    }

    /** The error as Jackson has it, with ours as its cause. */
    private JsonGenerationException fault(RuntimeException error) {
        return new JsonGenerationException(error.getMessage(), error, this);
    }
}
