package packord;

/** How Clojure's keywords are packed as keys. */
public enum KeywordMode {
    /** As values are: their names, unless an extension takes keywords. */
    VALUES,
    /** As their names. */
    NAMES,
    /** As their names, and strings as keys apart from them, so that both are read as they were. */
    EXACT
}
