package packord;

/**
 * A handler that packs values of some host type as an ext type (or as any other value), and unpacks it. Handlers are
 * asked in the order of {@link Options#extensions}; they may take built-in types.
 *
 * <pre>{@code
 * final class Points implements Extension {
 *   public Class<?>[] classes() { return new Class<?>[] {Point.class}; }
 *   public boolean canPack(Object value) { return value instanceof Point; }
 *   public boolean canUnpack(int type) { return type == 12; }
 *   public void pack(ExtensionPacker out, Object value) {
 *     Point p = (Point) value;
 *     out.packExtension(12, new byte[] {(byte) p.x, (byte) p.y});
 *   }
 *   public Object unpack(ExtensionUnpacker in, ExtensionHeader header) {
 *     byte[] b = in.readPayload(2);
 *     return new Point(b[0], b[1]);
 *   }
 * }
 * }</pre>
 */
public interface Extension {
    /**
     * The classes and interfaces whose instances {@link #pack} takes, all of them; null when only canPack can tell.
     * With this known, values are told apart by class, which is much faster than {@link #canPack} for every value.
     */
    default Class<?>[] classes() {
        return null;
    }

    /** Whether this handler packs the value. It is not called when {@link #classes()} is not null. */
    boolean canPack(Object value);

    /** Whether this handler unpacks the ext type. Asked once for each type. */
    boolean canUnpack(int type);

    /**
     * The longest payload that is read of an ext type, unless {@link Options#maxExtLen} is set, in bytes; no limit by
     * default. A handler whose reading takes more than linear time has such a limit.
     */
    default long maxLength(int type) {
        return Long.MAX_VALUE;
    }

    /**
     * Whether the methods may run on another thread than the caller's, and a second time for a value, because they see
     * no ThreadLocals and have no effects. Then a message of any depth is handled that is too deep for the stack of the
     * thread; else that is an {@link ErrorKind#DEPTH_LIMIT} error.
     */
    default boolean isPure() {
        return false;
    }

    /**
     * Writes exactly one value. No value, more than one, or a payload of another length than its header announces is an
     * {@link ErrorKind#UNSUPPORTED_TYPE} error. So is an exception, which becomes the cause of the error.
     */
    void pack(ExtensionPacker packer, Object value);

    /**
     * Returns the value of an ext. Reading continues after the payload, whether or not it was read. An exception
     * becomes an {@link ErrorKind#INVALID_EXT} error with the exception as its cause.
     */
    Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header);
}
