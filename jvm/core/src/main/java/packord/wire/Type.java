package packord.wire;

/** The types of values that their first byte tells: {@code spec/format.md} section 2. */
public enum Type {
  /** Nil. */
  NIL,
  /** A bool. */
  BOOL,
  /** An integer. */
  INT,
  /** A float. */
  FLOAT,
  /** A str. */
  STR,
  /** A bin. */
  BIN,
  /** An array. */
  ARRAY,
  /** A map. */
  MAP,
  /** An ext. */
  EXT,
  /** No value: the byte c1. */
  RESERVED
}
