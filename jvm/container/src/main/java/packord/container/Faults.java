package packord.container;

import packord.ErrorKind;
import packord.Unpacker;

/** Makes errors of the class that a program's unpacker throws. */
final class Faults {
    private final Unpacker unpacker;

    Faults(Unpacker unpacker) {
        this.unpacker = unpacker;
    }

    /** Returns an error at an offset in the file; {@code detail} is null if there is none. */
    RuntimeException at(ErrorKind kind, long offset, String detail) {
        return at(kind, offset, detail, null);
    }

    /** Returns an error with a cause. */
    RuntimeException at(ErrorKind kind, long offset, String detail, Throwable cause) {
        return unpacker.error(kind, offset, detail, cause);
    }
}
