package packord;

import java.math.BigInteger;

/** What an {@link Extension} reads the payload from. */
public interface ExtensionUnpacker {
    /** Reads bytes of the payload. */
    byte[] readPayload(int length);

    /** Fills an array with bytes of the payload. */
    void readPayload(byte[] target);

    /**
     * Reads one packed value of the payload, by all rules of reading. This makes the ext a container, which counts for
     * {@link Options#maxDepth}.
     *
     * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload ends within it,
     *     ({@link ErrorKind#DEPTH_LIMIT}) when there are too many containers around the ext
     */
    Object unpackValue();

    /**
     * Reads one packed value of the payload, exts as they are. This makes the ext no container, so it is for values
     * that are none.
     */
    Object unpackScalar();

    /** Reads an integer of any size, as ext 0x42 too. This makes the ext no container. */
    BigInteger unpackBigInteger();

    /** How much of the payload has not been read, in bytes. */
    int remaining();

    /**
     * Returns the ext itself, whatever has been read of its payload. Reading goes on where it was. Exts within each
     * other share their bytes, so that nesting costs no copies.
     */
    Ext ext();
}
