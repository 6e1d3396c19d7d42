package packord;

import java.util.Locale;

/** What a {@link Walker} meets at one step, and what a {@link View} is of. */
public enum Token {
    /** Nil. */
    NIL,
    /** A boolean. */
    BOOL,
    /** An integer of any format. */
    INTEGER,
    /** A float of 32 or 64 bits. */
    FLOAT,
    /** A str. */
    STR,
    /** A bin. */
    BIN,
    /** An ext, a timestamp among them. */
    EXT,
    /** The beginning of an array, whose elements follow. */
    ARRAY,
    /** The beginning of a map, whose keys and values follow in turn. */
    MAP,
    /** The beginning of a record, whose values follow. */
    RECORD,
    /** The end of the array, map or record that began last. */
    END;

    /** Whether a value of this type has others within. */
    public boolean isContainer() {
        return this == ARRAY || this == MAP || this == RECORD;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
