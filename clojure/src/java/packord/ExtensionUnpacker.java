package packord;

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
   * Reads one packed value of the payload, by all rules of reading.
   *
   * @return the value
   * @throws PackordException ({@link ErrorKind#INVALID_EXT}) when the payload ends within it
   */
  Object unpackValue();

  /**
   * How much of the payload has not been read.
   *
   * @return bytes
   */
  int remaining();

  /**
   * Returns the whole payload, whatever has been read of it. Reading goes on where it was.
   *
   * @return a new array
   */
  byte[] payload();
}
