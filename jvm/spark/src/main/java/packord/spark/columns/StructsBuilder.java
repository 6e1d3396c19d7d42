package packord.spark.columns;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of structs, of maps: entries without a field are passed over, fields without one are null. */
final class StructsBuilder extends VectorBuilder {
    private final VectorBuilder[] fields;
    private final FieldNames names;

    StructsBuilder(StructType type, Rules rules) {
        super(type, rules);
        fields = new VectorBuilder[type.size()];
        byte[][] keys = new byte[fields.length][];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = of(type.fields()[i].dataType(), rules);
            keys[i] = type.fields()[i].name().getBytes(StandardCharsets.UTF_8);
        }
        names = new FieldNames(keys);
    }

    @Override
    ColumnVector vector() {
        ColumnVector[] vectors = Arrays.stream(fields).map(VectorBuilder::build).toArray(ColumnVector[]::new);
        return new Vector.Structs(type, vectors, nulls, nullCount);
    }

    @Override
    void emptySlot() {
        for (VectorBuilder field : fields) field.appendNull();
    }

    @Override
    void forget(int to) {
        for (VectorBuilder field : fields) field.truncate(to);
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
            if (fields[field].size() > size) fields[field].truncate(size);
            next = fields[field].append(bytes, value);
        }
        for (VectorBuilder field : fields) if (field.size() == size) field.appendNull();
        return next;
    }
}
