package packord.decode;

/** What a value is read into. */
public interface Target {
    /** The result of {@link #absent} of a target that needs a value. */
    Object REQUIRED = new Object();

    /** Reads a value. It is in {@code depth} containers, which await {@code pending} elements after it. */
    Object read(TypedReader in, int depth, long pending);

    /** Returns what a component of a record is when the map has no entry for it. */
    default Object absent() {
        return null;
    }

    /** Checks that the next value, a key, is of a kind that this type can have. */
    default void checkKey(TypedReader in) {}

    /** Returns what a key that was read is as this type. */
    default Object ofKey(TypedReader in, Object key, int markerOffset) {
        throw in.mismatch(markerOffset, "expected a key that this type of map can have");
    }
}
