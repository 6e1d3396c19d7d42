package packord;

/** How Clojure's keywords are packed. */
public enum KeywordMode {
  /** Keys are packed as their names. Keywords as values are an error without an extension. */
  KEYS,
  /** Keys and values are packed as their names. */
  ALL,
  /**
   * Keys are packed as their names, and strings as keys apart from them, so that both are read as they
   * were. Keywords as values are an error without an extension.
   */
  EXACT,
  /** Keys are packed as values are, which is an error without an extension. */
  NONE
}
