package packord.ext;

/** What makes a set of the language that is read into. */
public interface SetMaker {
    /** Returns a set; of equal elements it holds the first. */
    Object newSet(Object[] elements);
}
