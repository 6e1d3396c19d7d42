package packord.typed;

/** An object within an object. */
public final class Chain {
    /** What is within. */
    public Object next;

    /** Makes the innermost. */
    public Chain() {}

    /** Makes one around another. */
    public Chain(Object next) {
        this.next = next;
    }
}
