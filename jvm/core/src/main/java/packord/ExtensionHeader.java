package packord;

/** Type and length of an ext value that is being read. */
public final class ExtensionHeader {
  private final byte type;
  private final int length;

  /**
   * Makes a header.
   *
   * @param type the ext type
   * @param length the payload's length in bytes
   */
  public ExtensionHeader(byte type, int length) {
    this.type = type;
    this.length = length;
  }

  /**
   * The ext type.
   *
   * @return -128 to 127
   */
  public byte getType() {
    return type;
  }

  /**
   * The payload's length.
   *
   * @return bytes
   */
  public int getLength() {
    return length;
  }
}
