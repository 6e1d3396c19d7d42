package packord.typed;

/** An object within an object. */
public final class Chain {
    /** What is within. */
    public Chain next;
}
