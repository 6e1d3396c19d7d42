package packord.encode;

import clojure.lang.Var;
import java.util.function.Supplier;

/** The dynamic bindings of Clojure. */
public final class Bindings {
    private Bindings() {}

    /** Returns work that has the bindings of this thread on whichever thread it is done. */
    public static <T> Supplier<T> conveyed(Supplier<T> work) {
        Object frame = Var.cloneThreadBindingFrame();
        return () -> {
            Var.resetThreadBindingFrame(frame);
            return work.get();
        };
    }
}
