package packord.typed;

import java.lang.invoke.MethodHandle;

/** Calls of methods that were found by reflection. */
final class Calls {
    private Calls() {}

    static Object invoke(MethodHandle handle, Object argument) {
        try {
            return (Object) handle.invokeExact(argument);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    static Object invoke(MethodHandle handle, Object first, Object second) {
        try {
            return (Object) handle.invokeExact(first, second);
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** The program's own exception, as the cause of one that callers may throw. */
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error) throw (Error) thrown;
        return new BeanException(thrown);
    }

    /** What a getter, setter or constructor threw. */
    static final class BeanException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BeanException(Throwable cause) {
            super(cause.toString(), cause);
        }
    }
}
