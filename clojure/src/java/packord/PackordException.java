package packord;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The one exception of packord: a kind, a place and a message.
 *
 * <p>When reading, the place is {@link #offset()} (bytes from the start of the input or stream) and
 * the path as far as it is known. When writing, it is {@link #path()}.
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
  private static final int MAX_SEGMENTS = 64;

  private final ErrorKind kind;
  private final long offset;
  private final String detail;
  private final transient Deque<String> segments = new ArrayDeque<>();
  private final transient Object culprit;
  private transient boolean cyclic;
  private transient long message;
  private transient boolean shortened;

  /**
   * Makes an error.
   *
   * @param kind what went wrong
   * @param offset the byte offset when reading, -1 when writing
   * @param detail what exactly, for people; may be empty
   * @param culprit the container at fault, to recognise cycles by; may be null
   * @param cause the exception behind it; may be null
   */
  public PackordException(
      ErrorKind kind, long offset, String detail, Object culprit, Throwable cause) {
    super(null, cause);
    this.kind = kind;
    this.offset = offset;
    this.detail = detail;
    this.culprit = culprit;
  }

  /**
   * What went wrong.
   *
   * @return the kind
   */
  public final ErrorKind kind() {
    return cyclic ? ErrorKind.CYCLE : kind;
  }

  /**
   * Where the input is at fault.
   *
   * @return bytes from the start of the input, or -1 for an error in writing
   */
  public final long offset() {
    return offset;
  }

  /**
   * The place of the value at fault, as {@code spec/errors.md} section 1 writes it.
   *
   * @return for example {@code $.users[3].name}; {@code $} for the top-level value
   */
  public final String path() {
    StringBuilder s = new StringBuilder("$");
    if (message > 0) s.append(message);
    segments.forEach(s::append);
    if (shortened) s.append("…");
    return s.toString();
  }

  @Override
  public String getMessage() {
    StringBuilder s = new StringBuilder(kind().id());
    if (offset >= 0) s.append(" at byte ").append(offset);
    if (offset < 0 || !segments.isEmpty()) s.append(" (").append(path()).append(')');
    if (!detail.isEmpty()) s.append(": ").append(detail);
    return s.toString();
  }

  /** Notes, on the way out, that the fault lies in element {@code index} of {@code container}. */
  public final PackordException inElement(Object container, long index) {
    return in(container, "[" + index + "]");
  }

  /** Notes, on the way out, that the fault lies in the value of {@code key}, a str or not. */
  public final PackordException inEntry(Object container, Object key) {
    return in(container, PathText.segment(key));
  }

  /** Notes the number of the message in its stream, from 0. */
  public final PackordException inMessage(long number) {
    message = number;
    return this;
  }

  private PackordException in(Object container, String segment) {
    if (container != null && container == culprit) cyclic = true;
    segments.addFirst(segment);
    if (segments.size() > MAX_SEGMENTS) {
      segments.removeLast();
      shortened = true;
    }
    return this;
  }
}
