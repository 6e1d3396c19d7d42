package packord.spark;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import packord.container.PathType;
import packord.spark.columns.PackedValue;
import packord.spark.columns.PackedValue.Type;

/**
 * The types of the values at one place of all rows, and of what is in them: of an index, or of the rows themselves.
 * From these follows the type that a column has in Spark.
 */
final class ColumnTypes {
    /** Values that are nested deeper become JSON. */
    private static final int MOST_LEVELS = 64;

    private static final String ELEMENTS = "[]";
    private static final Set<Type> NUMBERS = EnumSet.of(Type.INT, Type.UINT, Type.FLOAT);

    private final EnumSet<Type> types = EnumSet.noneOf(Type.class);
    private final Map<String, ColumnTypes> fields = new LinkedHashMap<>();
    private ColumnTypes elements;

    void addIndex(Map<String, PathType> schema) {
        if (!schema.isEmpty()) types.add(Type.MAP);
        schema.forEach((path, type) -> {
            ColumnTypes place = at(path);
            if (place != null)
                for (String name : type.types()) place.types.add(Type.valueOf(name.toUpperCase(Locale.ROOT)));
        });
    }

    /** Returns the place of a path, or null if it is too deep. */
    private ColumnTypes at(String path) {
        ColumnTypes place = this;
        int level = 0;
        for (String part : path.split("\\.")) {
            String name = part;
            int arrays = 0;
            while (name.endsWith(ELEMENTS)) {
                name = name.substring(0, name.length() - ELEMENTS.length());
                arrays++;
            }
            level += 1 + arrays;
            if (level > MOST_LEVELS) return null;
            place = place.field(name);
            for (int i = 0; i < arrays; i++) place = place.element();
        }
        return place;
    }

    private ColumnTypes field(String name) {
        return fields.computeIfAbsent(name, n -> new ColumnTypes());
    }

    private ColumnTypes element() {
        if (elements == null) elements = new ColumnTypes();
        return elements;
    }

    /** Adds a value that is plain MessagePack, and returns the index after it. */
    int add(byte[] bytes, int at) {
        return add(bytes, at, 0);
    }

    private int add(byte[] bytes, int at, int level) {
        Type type = PackedValue.type(bytes, at);
        if (type != Type.NIL) types.add(type);
        boolean isLooked = level < MOST_LEVELS && (type == Type.MAP || type == Type.ARRAY);
        if (!isLooked) return PackedValue.skip(bytes, at);
        int next = PackedValue.content(bytes, at);
        int count = PackedValue.size(bytes, at);
        for (int i = 0; i < count; i++) {
            if (type == Type.ARRAY) {
                next = element().add(bytes, next, level + 1);
                continue;
            }
            int value = PackedValue.skip(bytes, next);
            if (PackedValue.type(bytes, next) == Type.STR) {
                int from = PackedValue.content(bytes, next);
                String name = new String(bytes, from, value - from, StandardCharsets.UTF_8);
                next = field(name).add(bytes, value, level + 1);
            } else {
                next = PackedValue.skip(bytes, value);
            }
        }
        return next;
    }

    /** Whether there are no values but nil. */
    boolean isEmpty() {
        return types.isEmpty();
    }

    /** Returns the columns of a table whose rows these are. */
    StructType columns() {
        StructType columns = new StructType();
        for (Map.Entry<String, ColumnTypes> field : fields.entrySet()) {
            columns = columns.add(field.getKey(), field.getValue().spark());
        }
        return columns;
    }

    /** Returns the type that holds all values. Values of several types are strings, see the README. */
    private DataType spark() {
        if (types.isEmpty()) return DataTypes.StringType;
        if (NUMBERS.containsAll(types)) {
            if (types.contains(Type.FLOAT)) return DataTypes.DoubleType;
            return types.contains(Type.UINT) ? DataTypes.createDecimalType(20, 0) : DataTypes.LongType;
        }
        if (types.size() > 1) return DataTypes.StringType;
        return switch (types.iterator().next()) {
            case BOOL -> DataTypes.BooleanType;
            case BIN, EXT -> DataTypes.BinaryType;
            case TIMESTAMP -> DataTypes.TimestampType;
            case ARRAY -> DataTypes.createArrayType(elements == null ? DataTypes.StringType : elements.spark());
            case MAP -> fields.isEmpty() ? DataTypes.StringType : columns();
            default -> DataTypes.StringType;
        };
    }
}
