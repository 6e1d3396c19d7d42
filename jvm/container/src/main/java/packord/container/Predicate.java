package packord.container;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import packord.columns.Tape;

/**
 * A list of conditions that a row meets all of: {@code spec/container.md} section 4. Immutable.
 *
 * <pre>{@code
 * Predicate recent = Predicate.of("at", ">=", Instant.parse("2026-01-01T00:00:00Z"))
 *     .and("user.country", "in", List.of("NO", "SE"));
 * ReadOptions options = ReadOptions.builder().where(recent).build();
 * }</pre>
 *
 * <p>A path names a value within a row: the keys of maps, and positions in arrays, joined by {@code .}. Constants are
 * null, Boolean, integers, Float, Double, String, byte[], Instant, Date, {@link packord.Timestamp},
 * {@link packord.Ext}, and lists and maps of these.
 */
public final class Predicate {
    /** How a condition compares. */
    public enum Operator {
        /** Of one type, and equal: {@code ==}. */
        EQUAL("=="),
        /** Not so, but neither nil nor missing: {@code !=}. */
        NOT_EQUAL("!="),
        /** Below: {@code <}. */
        LESS("<"),
        /** Below or equal: {@code <=}. */
        LESS_OR_EQUAL("<="),
        /** Above: {@code >}. */
        GREATER(">"),
        /** Above or equal: {@code >=}. */
        GREATER_OR_EQUAL(">="),
        /** Equal to one of several: {@code in}. */
        IN("in"),
        /** Nil or missing: {@code is_null}. */
        IS_NULL("is_null"),
        /** Neither nil nor missing: {@code is_not_null}. */
        IS_NOT_NULL("is_not_null");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        /**
         * Returns an operator by the name that it has in the specification, for example {@code <=} or {@code is_null}.
         */
        public static Operator of(String symbol) {
            for (Operator operator : values()) if (operator.symbol.equals(symbol)) return operator;
            throw new IllegalArgumentException("unknown operator " + symbol);
        }

        @Override
        public String toString() {
            return symbol;
        }
    }

    private final List<Condition> conditions;

    /** The keys of rows that are maps which the predicate needs; null if it needs all of the row. */
    final Set<String> keys;

    private Predicate(List<Condition> conditions) {
        this.conditions = conditions;
        Set<String> found = new HashSet<>();
        for (Condition condition : conditions) found.add(condition.path.firstKey());
        keys = found.contains(null) ? null : found;
    }

    /**
     * Returns a predicate of one condition. The constant is a collection for {@code in}, and anything for
     * {@code is_null} and {@code is_not_null}.
     *
     * @throws IllegalArgumentException when the operator is unknown, or {@code in} has no collection
     */
    public static Predicate of(String path, String operator, Object constant) {
        return new Predicate(Collections.emptyList()).and(path, operator, constant);
    }

    /** Returns this predicate and another condition. */
    public Predicate and(String path, String operator, Object constant) {
        return and(path, Operator.of(operator), constant);
    }

    /** Returns this predicate and another condition. */
    public Predicate and(String path, Operator operator, Object constant) {
        List<Condition> longer = new ArrayList<>(conditions);
        longer.add(new Condition(path, operator, constant));
        return new Predicate(Collections.unmodifiableList(longer));
    }

    /** Returns the paths of all conditions. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>();
        for (Condition condition : conditions) paths.add(condition.path.toString());
        return paths;
    }

    /** Whether the statistics of a block show that no row in it can match. */
    public boolean skips(long count, Map<String, PathStatistics> statistics) {
        for (Condition condition : conditions) {
            PathStatistics known = statistics.get(condition.path.toString());
            if (known != null && condition.isExcluded(count, known)) return true;
        }
        return false;
    }

    /** Whether a row of a plain message matches. */
    boolean matches(Tape tape, int row) {
        for (Condition condition : conditions) if (!condition.isMet(tape, row)) return false;
        return true;
    }

    /** Returns the rows that match, or the first of them alone. */
    BitSet matches(BlockColumn rows, boolean onlyFirst) {
        BitSet found = new BitSet();
        Tape tape = new Tape();
        for (int row = 0; row < rows.count() && (!onlyFirst || found.isEmpty()); row++) {
            tape.scan(rows.bytes(), rows.start(row), rows.end(row));
            if (matches(tape, 0)) found.set(row);
        }
        return found;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Condition condition : conditions) {
            if (text.length() > 0) text.append(" and ");
            text.append(condition);
        }
        return text.toString();
    }

    private static final class Condition {
        final RowPath path;
        private final Operator operator;
        private final Object constant;
        private final CellValue[] constants;

        Condition(String path, Operator operator, Object constant) {
            this.path = RowPath.of(Objects.requireNonNull(path, "path"));
            this.operator = operator;
            this.constant = constant;
            Collection<?> all = Collections.singletonList(constant);
            if (operator == Operator.IN) {
                if (!(constant instanceof Collection)) throw new IllegalArgumentException("in needs a collection");
                all = (Collection<?>) constant;
            }
            constants = new CellValue[all.size()];
            int i = 0;
            for (Object each : all) {
                constants[i++] = CellValue.of(each);
            }
        }

        boolean isMet(Tape tape, int row) {
            CellValue value = new CellValue();
            value.set(tape, path.find(tape, row));
            boolean isNull = value.type == CellValue.Type.NULL;
            if (operator == Operator.IS_NULL) return isNull;
            if (operator == Operator.IS_NOT_NULL || isNull) return !isNull;
            for (CellValue each : constants) if (isMet(operator, value, each)) return true;
            return false;
        }

        /** Whether a value that is not nil meets a comparison. */
        private static boolean isMet(Operator operator, CellValue value, CellValue constant) {
            int order = value.compare(constant);
            if (operator == Operator.NOT_EQUAL) return order != 0;
            if (operator == Operator.EQUAL || operator == Operator.IN) return order == 0;
            if (value.type == CellValue.Type.OTHER) return false;
            boolean isLess = operator == Operator.LESS || operator == Operator.LESS_OR_EQUAL;
            boolean orEqual = operator == Operator.LESS_OR_EQUAL || operator == Operator.GREATER_OR_EQUAL;
            return order == (isLess ? -1 : 1) || orEqual && order == 0;
        }

        /** Whether no row that statistics describe can meet the condition. */
        boolean isExcluded(long count, PathStatistics known) {
            if (operator == Operator.IS_NULL) return known.nulls() == 0;
            if (known.nulls() == count) return true;
            if (operator == Operator.IS_NOT_NULL) return false;
            CellValue min = CellValue.of(known.min());
            CellValue max = CellValue.of(known.max());
            for (CellValue each : constants) if (!isExcluded(operator, min, max, each)) return false;
            return true;
        }

        private static boolean isExcluded(Operator operator, CellValue min, CellValue max, CellValue each) {
            switch (operator) {
                case LESS:
                case LESS_OR_EQUAL:
                    return min.type != CellValue.Type.NULL && !isMet(operator, min, each);
                case GREATER:
                case GREATER_OR_EQUAL:
                    return max.type != CellValue.Type.NULL && !isMet(operator, max, each);
                case NOT_EQUAL:
                    return isMet(Operator.EQUAL, min, each) && isMet(Operator.EQUAL, max, each);
                default:
                    return isExcluded(Operator.LESS_OR_EQUAL, min, max, each)
                            || isExcluded(Operator.GREATER_OR_EQUAL, min, max, each);
            }
        }

        @Override
        public String toString() {
            boolean isAlone = operator == Operator.IS_NULL || operator == Operator.IS_NOT_NULL;
            return path + " " + operator + (isAlone ? "" : " " + constant);
        }
    }
}
