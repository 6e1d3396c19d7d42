package packord;

import java.math.BigInteger;

/** What an {@link Extension} reads the payload from. */
public interface ExtensionUnpacker {
  /**
   * Reads bytes of the payload.
   *
   * @param length how many
   * @return a new array
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload is shorter
   */
  byte[] readPayload(int length);

  /**
   * Fills an array with bytes of the payload.
   *
   * @param target the array to fill
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload is shorter
   */
  void readPayload(byte[] target);

  /**
   * Reads one packed value of the payload, by all rules of reading. This makes the ext a container, which
   * counts for {@link Options#maxDepth}.
   *
   * @return the value
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload ends within it, ({@link
   *     ErrorKind#DEPTH_LIMIT}) when there are too many containers around the ext
   */
  Object unpackValue();

  /**
   * Reads one packed value of the payload, exts as they are. This makes the ext no container, so it is for
   * values that are none.
   *
   * @return the value
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload ends within it
   */
  Object unpackScalar();

  /**
   * Reads an integer of any size, as ext 0x42 too. This makes the ext no container.
   *
   * @return the integer
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when no integer is there
   */
  BigInteger unpackBigInteger();

  /**
   * How much of the payload has not been read.
   *
   * @return bytes
   */
  int remaining();

  /**
   * Returns the ext itself, whatever has been read of its payload. Reading goes on where it was. Exts within
   * each other share their bytes, so that nesting costs no copies.
   *
   * @return type and payload
   */
  Ext ext();
}
