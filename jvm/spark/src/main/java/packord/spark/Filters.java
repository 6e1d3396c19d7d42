package packord.spark;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import packord.spark.BlockFilter.Condition;

/** Makes conditions of container files of Spark's predicates, as far as they say something of a block. */
final class Filters {
    private static final Map<String, String> OPERATORS =
            Map.of("=", "==", "<=>", "==", "<>", "!=", "<", "<", "<=", "<=", ">", ">", ">=", ">=");
    private static final Map<String, String> TURNED =
            Map.of("==", "==", "!=", "!=", "<", ">", "<=", ">=", ">", "<", ">=", "<=");

    /** From here on, several integers are one double. */
    private static final double EXACT = 0x1p53;

    private final StructType schema;
    private final List<Condition> conditions = new ArrayList<>();

    private Filters(StructType schema) {
        this.schema = schema;
    }

    /** A column that a predicate names. */
    private record Column(List<String> path, DataType type) {}

    /** Returns the conditions that all rows meet for which all predicates are true. */
    static List<Condition> conditions(Predicate[] predicates, StructType schema) {
        Filters filters = new Filters(schema);
        for (Predicate predicate : predicates) filters.add(predicate);
        return filters.conditions;
    }

    /** Returns whether a predicate says something of a block. */
    static boolean isUseful(Predicate predicate, StructType schema) {
        return !conditions(new Predicate[] {predicate}, schema).isEmpty();
    }

    private void add(Expression predicate) {
        if (!(predicate instanceof Predicate)) return;
        String name = ((Predicate) predicate).name();
        Expression[] children = predicate.children();
        switch (name) {
            case "AND" -> {
                add(children[0]);
                add(children[1]);
            }
            case "OR" -> either(predicate);
            case "NOT" -> not(children[0]);
            case "IS_NULL" -> isNull(column(children[0]), "is_null");
            case "IS_NOT_NULL" -> isNull(column(children[0]), "is_not_null");
            case "IN" -> in(column(children[0]), Arrays.asList(children).subList(1, children.length));
            case "STARTS_WITH" -> startsWith(column(children[0]), children[1]);
            default -> {
                if (OPERATORS.containsKey(name)) compare(name, children[0], children[1]);
            }
        }
    }

    private void not(Expression inner) {
        if (!(inner instanceof Predicate)) return;
        Expression[] children = inner.children();
        switch (((Predicate) inner).name()) {
            case "=" -> compare("<>", children[0], children[1]);
            case "<>" -> compare("=", children[0], children[1]);
            case "IS_NULL" -> isNull(column(children[0]), "is_not_null");
            case "IS_NOT_NULL" -> isNull(column(children[0]), "is_null");
            default -> {}
        }
    }

    /** Whether a predicate is true for no row, because it says of a constant that it is null. */
    private static boolean isNever(Expression expression) {
        if (!(expression instanceof Predicate predicate)) return false;
        Expression[] children = predicate.children();
        return switch (predicate.name()) {
            case "AND" -> isNever(children[0]) || isNever(children[1]);
            case "OR" -> isNever(children[0]) && isNever(children[1]);
            case "IS_NULL" -> children[0] instanceof Literal<?> literal && literal.value() != null;
            default -> false;
        };
    }

    /** Uses alternatives that all name the same column and its values, and the only one that can be true. */
    private void either(Expression or) {
        for (int i = 0; i < 2; i++) {
            if (!isNever(or.children()[i])) continue;
            add(or.children()[1 - i]);
            return;
        }
        List<Expression> values = new ArrayList<>();
        Column column = alternatives(or, null, values);
        if (column != null) in(column, values);
    }

    private Column alternatives(Expression expression, Column before, List<Expression> values) {
        if (!(expression instanceof Predicate predicate)) return null;
        Expression[] children = predicate.children();
        if (predicate.name().equals("OR")) {
            Column first = alternatives(children[0], before, values);
            return first == null ? null : alternatives(children[1], first, values);
        }
        if (!predicate.name().equals("=") && !predicate.name().equals("IN")) return null;
        Column column = column(children[0]);
        if (column == null || before != null && !before.equals(column)) return null;
        values.addAll(Arrays.asList(children).subList(1, children.length));
        return column;
    }

    /** Returns the column that is named, or null if it is none whose values have a path. */
    private Column column(Expression expression) {
        if (!(expression instanceof NamedReference reference)) return null;
        DataType type = schema;
        for (String part : reference.fieldNames()) {
            if (part.isEmpty() || part.indexOf('.') >= 0 || part.contains("[]")) return null;
            if (!(type instanceof StructType struct)
                    || !Arrays.asList(struct.fieldNames()).contains(part)) return null;
            type = struct.apply(part).dataType();
        }
        return new Column(List.of(reference.fieldNames()), type);
    }

    private void add(Column column, String operator, Object constant, Set<String> sound) {
        conditions.add(new Condition(column.path, operator, constant, sound));
    }

    private void isNull(Column column, String operator) {
        if (column == null) return;
        Set<String> sound = neverNull(column.type);
        if (!sound.isEmpty()) add(column, operator, null, sound);
    }

    /** Returns the types of values that are never null in a column of a type. */
    private static Set<String> neverNull(DataType type) {
        if (type instanceof BooleanType) return Set.of("bool");
        if (type instanceof LongType) return Set.of("int");
        if (type instanceof DoubleType) return Set.of("int", "uint", "float");
        if (type instanceof BinaryType) return Set.of("bin", "ext");
        if (type instanceof ArrayType) return Set.of("array");
        if (type instanceof StructType) return Set.of("map");
        if (isWhole(type) && ((DecimalType) type).precision() >= 20) return Set.of("int", "uint");
        return type.equals(DataTypes.StringType) ? Set.of("str") : Set.of();
    }

    private static boolean isWhole(DataType type) {
        return type instanceof DecimalType decimal && decimal.scale() == 0;
    }

    private void compare(String name, Expression left, Expression right) {
        String operator = OPERATORS.get(name);
        Column column = column(left);
        Expression constant = right;
        if (column == null) {
            column = column(right);
            constant = left;
            operator = TURNED.get(operator);
        }
        if (column == null || !(constant instanceof Literal<?> literal)) return;
        if (literal.value() == null) {
            if (name.equals("<=>")) isNull(column, "is_null");
            return;
        }
        if (isTime(column.type)) {
            compareTime(column, operator, (Long) literal.value());
            return;
        }
        Object value = constant(column.type, literal.value());
        Set<String> sound = sound(column.type, List.of(literal.value()));
        if (value != null && !sound.isEmpty()) add(column, operator, value, sound);
    }

    private static boolean isTime(DataType type) {
        return type instanceof TimestampType || type instanceof TimestampNTZType;
    }

    /** Spark has microseconds, of which the file may have parts. */
    private void compareTime(Column column, String operator, long micros) {
        Set<String> sound = Set.of("timestamp");
        Instant begin = RowPacker.instant(micros);
        Instant end = begin.plusNanos(1000);
        if (operator.equals("==") || operator.equals(">=")) add(column, ">=", begin, sound);
        if (operator.equals("==") || operator.equals("<=")) add(column, "<", end, sound);
        if (operator.equals("<")) add(column, "<", begin, sound);
        if (operator.equals(">")) add(column, ">=", end, sound);
    }

    private void in(Column column, List<Expression> expressions) {
        if (column == null) return;
        List<Object> values = new ArrayList<>();
        for (Expression expression : expressions) {
            if (!(expression instanceof Literal<?> literal)) return;
            if (literal.value() != null) values.add(literal.value());
        }
        if (values.isEmpty()) return;
        if (isTime(column.type)) {
            List<Long> times = values.stream()
                    .map(Long.class::cast)
                    .sorted(Comparator.naturalOrder())
                    .toList();
            compareTime(column, ">=", times.get(0));
            compareTime(column, "<=", times.get(times.size() - 1));
            return;
        }
        List<Object> constants = new ArrayList<>();
        for (Object value : values) {
            Object constant = constant(column.type, value);
            if (constant == null) return;
            constants.add(constant);
        }
        Set<String> sound = sound(column.type, values);
        if (!sound.isEmpty()) add(column, "in", constants, sound);
    }

    private void startsWith(Column column, Expression prefix) {
        boolean isText = column != null && column.type.equals(DataTypes.StringType);
        if (!isText || !(prefix instanceof Literal<?> literal) || literal.value() == null) return;
        String text = literal.value().toString();
        add(column, ">=", text, Set.of("str"));
        String above = above(text);
        if (above != null) add(column, "<", above, Set.of("str"));
    }

    /** Returns the smallest string that is above all that begin with a prefix, or null if there is none. */
    private static String above(String prefix) {
        int[] characters = prefix.codePoints().toArray();
        int last = characters.length - 1;
        while (last >= 0 && characters[last] == Character.MAX_CODE_POINT) last--;
        if (last < 0) return null;
        characters[last]++;
        if (characters[last] == Character.MIN_SURROGATE) characters[last] = Character.MAX_SURROGATE + 1;
        return new String(characters, 0, last + 1);
    }

    /**
     * Returns the types of a file whose values compare with constants as those of the column do; none if no type does.
     */
    private static Set<String> sound(DataType type, List<Object> constants) {
        if (type instanceof ByteType
                || type instanceof ShortType
                || type instanceof IntegerType
                || type instanceof LongType) {
            return Set.of("int");
        }
        if (type instanceof DoubleType) {
            boolean isExact = constants.stream().allMatch(value -> Math.abs((Double) value) < EXACT);
            return isExact ? Set.of("int", "uint", "float") : Set.of("float");
        }
        if (isWhole(type)) return Set.of("int", "uint");
        return type.equals(DataTypes.StringType) ? Set.of("str") : Set.of();
    }

    /** Returns a constant of Spark as container files have it, or null if they compare it otherwise. */
    private static Object constant(DataType type, Object value) {
        if (value instanceof UTF8String) return value.toString();
        if (value instanceof Double number) return number.isNaN() ? null : number;
        if (value instanceof Decimal decimal) return whole(decimal.toJavaBigDecimal());
        boolean isInteger =
                value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long;
        return isInteger && !(type instanceof MapType) ? ((Number) value).longValue() : null;
    }

    private static BigInteger whole(BigDecimal value) {
        try {
            return value.toBigIntegerExact();
        } catch (ArithmeticException exception) {
            return null;
        }
    }
}
