package packord;

/** A string is not diagnostic notation. The error has the place of the fault. */
public final class NotationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The line of the fault. */
  private final int line;

  /** Its column. */
  private final int column;

  /** What is wrong. */
  private final String fault;

  /** Makes the error of a fault at an index of the text. */
  public NotationException(String text, int index, String fault) {
    super();
    int lineStart = text.lastIndexOf('\n', index - 1) + 1;
    this.line = 1 + (int) text.substring(0, lineStart).chars().filter(unit -> unit == '\n').count();
    this.column = 1 + text.codePointCount(lineStart, index);
    this.fault = fault;
  }

  /**
   * Returns the line of the fault.
   *
   * @return from 1
   */
  public int line() {
    return line;
  }

  /**
   * Returns the column of the fault.
   *
   * @return in characters, from 1
   */
  public int column() {
    return column;
  }

  @Override
  public String getMessage() {
    return "line " + line + ", column " + column + ": " + fault;
  }
}
