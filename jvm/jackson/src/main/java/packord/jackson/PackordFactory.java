package packord.jackson;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.IOContext;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicReference;
import packord.Options;
import packord.decode.Decoder;
import packord.decode.StepReader;
import packord.encode.TypedEncoder;

/**
 * Makes generators and parsers of MessagePack for Jackson. Immutable but for Jackson's own settings, and safe to share
 * between threads. {@link PackordMapper} knows more types.
 *
 * <pre>{@code
 * ObjectMapper mapper = new ObjectMapper(new PackordFactory());
 * byte[] bytes = mapper.writeValueAsBytes(Map.of("a", 1));
 * }</pre>
 *
 * <p>A parser throws a {@link com.fasterxml.jackson.core.JsonParseException}, and where the input ends too early a
 * {@link com.fasterxml.jackson.core.io.JsonEOFException}; a generator throws a
 * {@link com.fasterxml.jackson.core.JsonGenerationException} for what MessagePack cannot hold. Messages are those of
 * {@link packord.PackordException}. Readers, writers and strings of characters are an
 * {@link UnsupportedOperationException}: MessagePack is bytes.
 */
public final class PackordFactory extends JsonFactory {
    private static final long serialVersionUID = 1L;

    private final transient Options options;

    /** What the last parser and generator have used, for the next ones. */
    private final transient AtomicReference<StepReader> reader = new AtomicReference<>();

    private final transient AtomicReference<TypedEncoder> output = new AtomicReference<>();

    /** Makes a factory with the default options. */
    public PackordFactory() {
        this(Options.builder().build());
    }

    /**
     * Makes a factory. Options about reading hold, with extensions, and when writing {@code bigint}.
     *
     * @throws IllegalArgumentException with the options canonical, duplicateKey and maxNodes, which are about whole
     *     messages
     */
    public PackordFactory(Options options) {
        if (StepReader.isAboutAll(options)) {
            throw new IllegalArgumentException("canonical, duplicateKey and maxNodes are not checked by tokens");
        }
        this.options = options;
    }

    private PackordFactory(PackordFactory other) {
        super(other, null);
        options = other.options;
    }

    @Override
    public JsonFactory copy() {
        return new PackordFactory(this);
    }

    /** A factory that was serialized has the default options. */
    @Override
    protected Object readResolve() {
        return new PackordFactory();
    }

    @Override
    public String getFormatName() {
        return "MessagePack";
    }

    @Override
    public boolean canHandleBinaryNatively() {
        return true;
    }

    @Override
    public boolean canUseCharArrays() {
        return false;
    }

    // ---------------------------------------------------------------- generators

    /** The encoding, one of characters, has no meaning for MessagePack. */
    @Override
    public JsonGenerator createGenerator(OutputStream out, JsonEncoding encoding) throws IOException {
        return super.createGenerator(out, JsonEncoding.UTF8);
    }

    /** The encoding, one of characters, has no meaning for MessagePack. */
    @Override
    public JsonGenerator createGenerator(File file, JsonEncoding encoding) throws IOException {
        return super.createGenerator(file, JsonEncoding.UTF8);
    }

    @Override
    protected JsonGenerator _createUTF8Generator(OutputStream out, IOContext context) {
        TypedEncoder bytes = output.getAndSet(null);
        if (bytes == null) bytes = new TypedEncoder(options);
        return new PackordGenerator(
                context, _generatorFeatures, _objectCodec, options.maxDepth, out, bytes, output::lazySet);
    }

    @Override
    protected JsonGenerator _createGenerator(Writer out, IOContext context) {
        throw new UnsupportedOperationException("MessagePack is bytes, which a Writer does not take");
    }

    // ---------------------------------------------------------------- parsers

    @Override
    protected JsonParser _createParser(byte[] bytes, int offset, int length, IOContext context) {
        StepReader steps = reader();
        steps.from(bytes, offset, length);
        return new PackordParser(context, _parserFeatures, _objectCodec, steps, null, reader::lazySet);
    }

    @Override
    protected JsonParser _createParser(InputStream in, IOContext context) {
        StepReader steps = reader();
        steps.from(in);
        return new PackordParser(context, _parserFeatures, _objectCodec, steps, in, reader::lazySet);
    }

    private StepReader reader() {
        StepReader free = reader.getAndSet(null);
        return free == null ? new StepReader(new Decoder(options), false) : free;
    }

    @Override
    protected JsonParser _createParser(Reader in, IOContext context) {
        throw characters();
    }

    @Override
    protected JsonParser _createParser(
            char[] characters, int offset, int length, IOContext context, boolean recyclable) {
        throw characters();
    }

    @Override
    public JsonParser createParser(String content) {
        throw characters();
    }

    private static UnsupportedOperationException characters() {
        return new UnsupportedOperationException("MessagePack is bytes, not characters");
    }
}
