package packord;

import java.util.ArrayDeque;

/**
 * The one exception of packord: a kind, a place and a message.
 *
 * <p>When reading, the place is {@link #offset()} (bytes from the start of the input or stream) and the path as far as
 * it is known. When writing, it is {@link #path()}.
 *
 * <pre>{@code
 * try {
 *   Unpacker.standard().unpack(new byte[] {(byte) 0x93, 1});
 * } catch (PackordException e) {
 *   e.kind();    // ErrorKind.EOF
 *   e.offset();  // 2
 * }
 * }</pre>
 */
public class PackordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Each segment takes two bytes or more, so a path of more segments is cut anyway. */
    private static final int MAX_SEGMENTS = PathText.MAX_BYTES / 2;

    private final ErrorKind kind;
    private final long offset;
    private final String detail;
    private final ArrayDeque<String> segments = new ArrayDeque<>();
    private final transient Object culprit;
    private boolean cyclic;
    private long message;

    /**
     * Makes an error. The offset is -1 when writing; detail, culprit (the container at fault, to recognise cycles by)
     * and cause may be null.
     */
    public PackordException(ErrorKind kind, long offset, String detail, Object culprit, Throwable cause) {
        super(null, cause);
        this.kind = kind;
        this.offset = offset;
        this.detail = detail;
        this.culprit = culprit;
    }

    /** Returns what went wrong. */
    public final ErrorKind kind() {
        return cyclic ? ErrorKind.CYCLE : kind;
    }

    /** Returns where the input is at fault: bytes from the start of the input, or -1 for an error in writing. */
    public final long offset() {
        return offset;
    }

    /**
     * Returns the path of the value at fault, as {@code spec/errors.md} section 1 defines it, for example
     * {@code $.users[3].name}; {@code $} for the top-level value. A path of more than 256 bytes in UTF-8 is cut, and
     * {@code …} is added.
     */
    public final String path() {
        StringBuilder path = new StringBuilder("$");
        if (message > 0) path.append(message);
        segments.forEach(path::append);
        return PathText.cut(path.toString());
    }

    /**
     * Returns a detail that ends with a name, such as {@code missing field "x"}. The name is quoted as in diagnostic
     * notation.
     */
    public static String detail(String what, String name) {
        return what + " " + Notation.of(name);
    }

    @Override
    public String getMessage() {
        String path = path();
        StringBuilder text = new StringBuilder(kind().id()).append(" at ");
        if (offset < 0) text.append(path);
        else text.append("byte ").append(offset);
        if (offset >= 0 && kind != ErrorKind.TRAILING_BYTES) {
            text.append(" (").append(path).append(')');
        }
        text.append(": ").append(kind().description());
        if (detail != null && !cyclic) text.append(": ").append(detail);
        return text.toString();
    }

    /** Notes, on the way out, that the fault is in element {@code index} of {@code container}. */
    public final PackordException inElement(Object container, long index) {
        return in(container, "[" + index + "]");
    }

    /** Notes, on the way out, that the fault is in the value of {@code key}. */
    public final PackordException inEntry(Object container, Object key) {
        return in(container, PathText.segment(key));
    }

    /** Notes, on the way out, that the fault is within a key: its path is that of the map. */
    public final PackordException inKey() {
        segments.clear();
        return this;
    }

    /** Notes the number of the message in its stream, from 0. */
    public final PackordException inMessage(long number) {
        message = number;
        return this;
    }

    private PackordException in(Object container, String segment) {
        if (container != null && container == culprit) cyclic = true;
        segments.addFirst(segment);
        if (segments.size() > MAX_SEGMENTS) segments.removeLast();
        return this;
    }
}
