package packord.spark.columns;

import packord.spark.columns.PackedValue.Type;

/** A value that its column's type cannot hold. Only thrown where such values are not null. */
public final class Misfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Misfit(String message) {
        super(message, null, false, false);
    }

    static Misfit of(Type found, String wanted) {
        return new Misfit(found.name().toLowerCase(java.util.Locale.ROOT) + " for " + wanted);
    }
}
