package packord.spark.columns;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Makes vectors of structs, of maps: entries without a field are passed over, fields without one are null. */
final class StructsBuilder extends VectorBuilder {
    private final FieldNames names;

    StructsBuilder(StructType type, Rules rules) {
        super(
                type,
                rules,
                Arrays.stream(type.fields()).map(StructField::dataType).toArray(DataType[]::new));
        names = new FieldNames(Arrays.stream(type.fieldNames())
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new));
    }

    @Override
    void emptySlot() {
        for (VectorBuilder field : children) field.appendNull();
    }

    @Override
    void forget(int to) {
        for (VectorBuilder field : children) field.truncate(to);
    }

    @Override
    int map(byte[] bytes, int from, int count) {
        int next = from;
        int guess = 0;
        for (int i = 0; i < count; i++) {
            int value = PackedValue.skip(bytes, next);
            int field = -1;
            if (PackedValue.type(bytes, next) == PackedValue.Type.STR)
                field = names.find(bytes, PackedValue.content(bytes, next), value, guess);
            if (field < 0) {
                next = PackedValue.skip(bytes, value);
                continue;
            }
            guess = field + 1;
            // The same key twice: the last one counts.
            if (children[field].size > size) children[field].truncate(size);
            next = children[field].append(bytes, value);
        }
        for (VectorBuilder field : children) if (field.size == size) field.appendNull();
        return next;
    }
}
