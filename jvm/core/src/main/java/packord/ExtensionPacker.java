package packord;

import java.math.BigInteger;
import java.util.function.Consumer;

/** What an {@link Extension} writes to. It lives for one value, and then refuses to write. */
public interface ExtensionPacker {
    /** Writes an ext with this payload. */
    void packExtension(int type, byte[] payload);

    /**
     * Writes an ext whose payload is what {@code content} writes, with {@link #packValue} and {@link #writePayload}.
     * Records are not used in it, so that readers that keep the ext as bytes lose no definition.
     */
    void packExtensionOf(int type, Consumer<ExtensionPacker> content);

    /** Writes an integer of any size: as ext 0x42 when it is beyond 64 bits, whatever the options say. */
    void packBigInteger(BigInteger value);

    /**
     * Writes another value in place of the one to be packed, for extensions that pack to built-in types. If an
     * extension takes the new value too, it is asked again. In the content of an ext, this makes the ext a container,
     * which counts for {@link Options#maxDepth}.
     */
    void packValue(Object value);

    /** Writes a value as {@link #packValue} does, but makes no ext a container. It is for values that are none. */
    void packScalar(Object value);

    /** Writes the header of an ext; its payload must follow with {@link #writePayload}. */
    void packExtensionTypeHeader(byte type, int length);

    /** Writes bytes of the payload that was announced, or of the content of an ext. */
    void writePayload(byte[] payload);
}
