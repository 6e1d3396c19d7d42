package packord.connect;

import java.util.ArrayDeque;
import java.util.Iterator;
import packord.ErrorKind;
import packord.PackordException;

/** A value that does not fit its schema. The path to it is completed on the way out. */
final class Misfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final transient ArrayDeque<Object> path = new ArrayDeque<>();

    Misfit(ErrorKind kind, String detail) {
        super(detail, null, false, false);
        this.kind = kind;
    }

    static Misfit type(String wanted, Object found) {
        return new Misfit(ErrorKind.TYPE_MISMATCH, TypeNames.of(found) + " for " + wanted);
    }

    /** Returns a value as one of a class. Throws Misfit if it is none. */
    static <T> T instance(Class<T> type, String wanted, Object value) {
        if (!type.isInstance(value)) throw type(wanted, value);
        return type.cast(value);
    }

    static Misfit range(Object number, String wanted) {
        return new Misfit(ErrorKind.OUT_OF_RANGE, number + " for " + wanted);
    }

    /** Notes that the fault is in this element (an Integer) or in the value of this key. */
    Misfit in(Object step) {
        path.addFirst(step);
        return this;
    }

    /** Returns the steps from the message to the value. */
    Object[] path() {
        return path.toArray();
    }

    /** Returns the error; {@code offset} is -1 for a value that was to be packed. */
    PackordException at(long offset) {
        PackordException error = new PackordException(kind, offset, getMessage(), null, null);
        for (Iterator<Object> steps = path.descendingIterator(); steps.hasNext(); ) {
            Object step = steps.next();
            if (step instanceof Integer) error.inElement(null, (Integer) step);
            else error.inEntry(null, step);
        }
        return error;
    }
}
