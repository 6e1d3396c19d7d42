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
public final class PackordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Each segment takes two bytes or more, so a path of more segments is cut anyway. */
    private static final int MAX_SEGMENTS = PathText.MAX_BYTES / 2;

    private final ErrorKind kind;
    private final long offset;
    private final String detail;
    private final ArrayDeque<String> segments = new ArrayDeque<>();
    private final transient Object culprit;
    private final RuntimeException thrown;
    private boolean cyclic;
    private long message;

    /** An exception of another class that is thrown in place of the error that it has. */
    interface InPlace {
        /** Returns the error. */
        PackordException error();
    }

    /**
     * Makes an error. The offset is -1 when writing; detail, culprit (the container at fault, to recognise cycles by)
     * and cause may be null.
     */
    public PackordException(ErrorKind kind, long offset, String detail, Object culprit, Throwable cause) {
        this(kind, offset, detail, culprit, cause, null);
    }

    /** Makes an error that another exception is thrown for, unless that is null. */
    PackordException(
            ErrorKind kind, long offset, String detail, Object culprit, Throwable cause, RuntimeException thrown) {
        super(null, cause, true, thrown == null);
        this.kind = kind;
        this.offset = offset;
        this.detail = detail;
        this.culprit = culprit;
        this.thrown = thrown == null ? this : thrown;
    }

    /** Returns the error of packord that an exception is, or that it is thrown for; throws other exceptions. */
    public static PackordException of(RuntimeException thrown) {
        PackordException error = ofOrNull(thrown);
        if (error == null) throw thrown;
        return error;
    }

    /** As {@link #of}, but null for other exceptions. */
    public static PackordException ofOrNull(Throwable thrown) {
        if (thrown instanceof PackordException) return (PackordException) thrown;
        return thrown instanceof InPlace ? ((InPlace) thrown).error() : null;
    }

    /** Returns what is thrown for this error: this, or what a program in Clojure catches, an {@code ExceptionInfo}. */
    public RuntimeException thrown() {
        return thrown;
    }

    /** Returns what went wrong. */
    public ErrorKind kind() {
        return cyclic ? ErrorKind.CYCLE : kind;
    }

    /** Returns where the input is at fault: bytes from the start of the input, or -1 for an error in writing. */
    public long offset() {
        return offset;
    }

    /**
     * Returns the path of the value at fault, as {@code spec/errors.md} section 1 defines it, for example
     * {@code $.users[3].name}; {@code $} for the top-level value. A path of more than 256 bytes in UTF-8 is cut, and
     * {@code …} is added.
     */
    public String path() {
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
    public RuntimeException inElement(Object container, long index) {
        return in(container, "[" + index + "]");
    }

    /** Notes, on the way out, that the fault is in the value of {@code key}. */
    public RuntimeException inEntry(Object container, Object key) {
        return in(container, PathText.segment(key));
    }

    /** Notes, on the way out, that the fault is within a key: its path is that of the map. */
    public RuntimeException inKey() {
        segments.clear();
        return thrown;
    }

    /** Notes the number of the message in its stream, from 0. */
    public RuntimeException inMessage(long number) {
        message = number;
        return thrown;
    }

    private RuntimeException in(Object container, String segment) {
        if (container != null && container == culprit) cyclic = true;
        segments.addFirst(segment);
        if (segments.size() > MAX_SEGMENTS) segments.removeLast();
        return thrown;
    }
}
