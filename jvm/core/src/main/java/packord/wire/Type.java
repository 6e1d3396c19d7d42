package packord.wire;

/**
 * The types of values that their first byte tells: {@code spec/format.md} section 2. RESERVED is the byte c1, no value.
 */
public enum Type {
    NIL,
    BOOL,
    INT,
    FLOAT,
    STR,
    BIN,
    ARRAY,
    MAP,
    EXT,
    RESERVED
}
