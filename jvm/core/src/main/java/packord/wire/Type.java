package packord.wire;

/**
 * The types of values that their first byte tells: {@code spec/format.md} section 2. RESERVED is the byte c1, no value.
 * Their order is that of the types of {@code columns.Tape}, where floats are two, and of Spark's {@code PackedValue}.
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
