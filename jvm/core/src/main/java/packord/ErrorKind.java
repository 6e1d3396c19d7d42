package packord;

import java.util.Locale;

/** What went wrong: the kinds of {@code spec/errors.md}, the same in every language of packord. */
public enum ErrorKind {
    /** The input ends within a message, or a header announces more than the input can hold. */
    EOF("input ends before the message does"),
    /** Marker {@code c1}, which is never valid. */
    RESERVED_MARKER("marker c1 is reserved"),
    /** A str that is not UTF-8, or a string to be written that is not well-formed Unicode. */
    INVALID_UTF8("str is not valid UTF-8"),
    /** Bytes after the message in a one-shot call. */
    TRAILING_BYTES("bytes follow the message"),
    /** Containers nested deeper than {@code maxDepth}. */
    DEPTH_LIMIT("nesting exceeds the depth limit"),
    /** A value longer than a limit, or more values than {@code maxNodes}. */
    LENGTH_LIMIT("value exceeds a length limit"),
    /** A key that occurs twice in a map or record definition. */
    DUPLICATE_KEY("key occurs twice"),
    /** Ext type -1 with a malformed payload. */
    INVALID_TIMESTAMP("timestamp is malformed"),
    /** A registered ext type whose payload is malformed. */
    INVALID_EXT("ext payload is malformed"),
    /** A container file that breaks the rules of {@code spec/container.md} where its values are well-formed. */
    INVALID_CONTAINER("container file is malformed"),
    /** An ext type that is not registered, with the option that makes it an error. */
    UNKNOWN_EXT("ext type is not registered"),
    /** A record id without a definition. */
    RECORD_UNDEFINED("record id has no definition"),
    /** A malformed record definition. */
    RECORD_MALFORMED("record definition is malformed"),
    /** A typed target expects another type of value. */
    TYPE_MISMATCH("value has an unexpected type"),
    /** An integer that does not fit the target or the format. */
    OUT_OF_RANGE("number is out of range"),
    /** Writing: a value of a type that has no encoding. */
    UNSUPPORTED_TYPE("type has no encoding"),
    /** Writing: a container contains itself. */
    CYCLE("container contains itself"),
    /** Reading with {@code canonical}: an encoding that the canonical writer does not use. */
    NOT_CANONICAL("encoding is not canonical");

    private final String id = name().toLowerCase(Locale.ROOT);
    private final String description;

    ErrorKind(String description) {
        this.description = description;
    }

    /**
     * Returns the kind's name as in the specification: lower case with underscores, for example {@code invalid_utf8}.
     */
    public String id() {
        return id;
    }

    /**
     * Returns what the kind means, in the words of the specification: one sentence, for example {@code str is not valid
     * UTF-8}.
     */
    public String description() {
        return description;
    }
}
