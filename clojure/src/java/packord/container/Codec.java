package packord.container;

/** Compresses and unpacks the bodies of blocks. Not thread-safe. */
abstract class Codec implements AutoCloseable {
  /** What is wrong with data that do not unpack. */
  static final class CodecException extends Exception {
    private static final long serialVersionUID = 1L;

    CodecException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The level that stands for the codec's own default. */
  static final int DEFAULT_LEVEL = Integer.MIN_VALUE;

  /** Returns the first {@code size} bytes compressed, or null if that makes them no smaller. */
  abstract byte[] compress(byte[] body, int size);

  /** Returns the most bytes that {@code size} bytes of data can stand for. */
  abstract long most(int size);

  /**
   * Unpacks data to all of {@code body}.
   *
   * @throws CodecException if they stand for more or fewer bytes, or for none
   */
  abstract void unpack(byte[] data, byte[] body) throws CodecException;

  @Override
  public void close() {}
}
