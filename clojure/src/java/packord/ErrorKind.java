package packord;

import java.util.Locale;

/** What went wrong: the kinds of {@code spec/errors.md}, the same in every language of packord. */
public enum ErrorKind {
  /** The input ends within a message, or a header announces more than the input can hold. */
  EOF,
  /** Marker {@code c1}, which is never valid. */
  RESERVED_MARKER,
  /** A str (or text to be written) that is not well-formed Unicode. */
  INVALID_UTF8,
  /** Bytes after the message in a one-shot call. */
  TRAILING_BYTES,
  /** Containers nested deeper than {@code maxDepth}. */
  DEPTH_LIMIT,
  /** A value longer than a limit, or more values than {@code maxNodes}. */
  LENGTH_LIMIT,
  /** A key twice in a map or record definition. */
  DUPLICATE_KEY,
  /** Ext type -1 with a payload that is no timestamp. */
  INVALID_TIMESTAMP,
  /** A registered ext type whose payload is malformed. */
  INVALID_EXT,
  /** An ext type that is not registered, with the option that makes it an error. */
  UNKNOWN_EXT,
  /** A record id without a definition. */
  RECORD_UNDEFINED,
  /** A record definition that is not one. */
  RECORD_MALFORMED,
  /** A typed target wants another kind of value. */
  TYPE_MISMATCH,
  /** An integer that does not fit the target or the format. */
  OUT_OF_RANGE,
  /** Writing: a value of a type that has no encoding. */
  UNSUPPORTED_TYPE,
  /** Writing: a container contains itself. */
  CYCLE,
  /** Reading with {@code canonical}: an encoding that the canonical writer does not use. */
  NOT_CANONICAL;

  private final String id = name().toLowerCase(Locale.ROOT);

  /**
   * The kind's name as in the specification.
   *
   * @return lower case with underscores, for example {@code invalid_utf8}
   */
  public String id() {
    return id;
  }
}
