package packord.container;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What types the values at a path of the table have. */
public final class PathType {
    /** The names, in the order in which they are written. */
    static final List<String> NAMES =
            List.of("bool", "int", "uint", "float", "str", "bin", "timestamp", "array", "map", "ext");

    private final List<String> types;
    private final boolean isNullable;

    PathType(List<String> types, boolean isNullable) {
        this.types = Collections.unmodifiableList(types);
        this.isNullable = isNullable;
    }

    /** Reads what an index has for a path. Returns null if it is something else. */
    static PathType of(Object described) {
        if (!(described instanceof List) || ((List<?>) described).size() < 2) return null;
        Object names = ((List<?>) described).get(0);
        Object nullable = ((List<?>) described).get(1);
        if (!(names instanceof List) || !(nullable instanceof Boolean)) return null;
        List<String> types = new ArrayList<>();
        for (Object name : (List<?>) names) {
            if (!(name instanceof String) || !NAMES.contains(name)) return null;
            types.add((String) name);
        }
        return new PathType(types, (Boolean) nullable);
    }

    /**
     * Returns the names of the types that occur: some of {@code bool}, {@code int}, {@code uint}, {@code float},
     * {@code str}, {@code bin}, {@code timestamp}, {@code array}, {@code map}, {@code ext}.
     */
    public List<String> types() {
        return types;
    }

    /** Returns whether the value is nil or missing in a row. */
    public boolean isNullable() {
        return isNullable;
    }

    @Override
    public String toString() {
        return String.join(" or ", types) + (isNullable ? " or nil" : "");
    }
}
