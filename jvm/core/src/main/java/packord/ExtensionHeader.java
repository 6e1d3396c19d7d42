package packord;

/** Type and length of an ext value that is being read. */
public final class ExtensionHeader {
    private final byte type;
    private final int length;

    /** Makes a header. */
    public ExtensionHeader(byte type, int length) {
        this.type = type;
        this.length = length;
    }

    /** The ext type, -128 to 127. */
    public byte getType() {
        return type;
    }

    /** The payload's length, in bytes. */
    public int getLength() {
        return length;
    }
}
