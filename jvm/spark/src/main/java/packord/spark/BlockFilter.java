package packord.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import packord.container.PathType;
import packord.container.Predicate;

/**
 * The conditions by which blocks are left out. A block may only be left out if Spark would drop all of its rows, so a
 * condition is used for a file only if the column has there what its type in Spark says: the number 7 in a column of
 * strings is "7" to Spark, but a number to the statistics.
 *
 * @param conditions which rows meet all of
 */
record BlockFilter(List<Condition> conditions) implements Serializable {
    /**
     * One condition.
     *
     * @param path the keys from the row to the value
     * @param operator that of container files
     * @param constant what is compared with, or null
     * @param sound the types that the values may have in a file for which the condition is used
     */
    record Condition(List<String> path, String operator, Object constant, Set<String> sound) implements Serializable {
        Condition {
            path = List.copyOf(path);
            sound = Set.copyOf(sound);
        }

        String name() {
            return String.join(".", path);
        }
    }

    private static final Set<String> MAP = Set.of("map");

    /** Returns the predicate for a file; null if no condition can be used. The schema is that of its index, or null. */
    Predicate of(Map<String, PathType> schema) {
        Predicate predicate = null;
        if (schema == null) return null;
        for (Condition condition : conditions) {
            if (!isSound(condition, schema)) continue;
            predicate = predicate == null
                    ? Predicate.of(condition.name(), condition.operator, condition.constant)
                    : predicate.and(condition.name(), condition.operator, condition.constant);
        }
        return predicate;
    }

    private static boolean isSound(Condition condition, Map<String, PathType> schema) {
        for (int i = 1; i < condition.path.size(); i++) {
            PathType outer = schema.get(String.join(".", condition.path.subList(0, i)));
            if (outer == null || !MAP.containsAll(outer.types())) return false;
        }
        PathType type = schema.get(condition.name());
        return type != null && condition.sound.containsAll(type.types());
    }
}
