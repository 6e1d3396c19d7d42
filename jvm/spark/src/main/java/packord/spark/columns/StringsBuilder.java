package packord.spark.columns;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import packord.spark.columns.PackedValue.Type;

/** Makes vectors of strings: of a str what it has, where it is, and of all other values their JSON. */
final class StringsBuilder extends BytesBuilder {
    private JsonText made = new JsonText();

    StringsBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    void reset() {
        super.reset();
        made = new JsonText();
    }

    @Override
    ColumnVector vector() {
        return new Vector.Bytes(type, source, made.bytes(), starts, lengths, nulls, nullCount);
    }

    @Override
    void forget(int to) {
        for (int i = to; i < size; i++) {
            if (nulls[i] || starts[i] >= 0) continue;
            made.truncate(~starts[i]);
            return;
        }
    }

    @Override
    int add(Type found, byte[] bytes, int at) {
        if (found == Type.STR) {
            int from = PackedValue.content(bytes, at);
            int length = PackedValue.size(bytes, at);
            slice(bytes, from, length);
            return from + length;
        }
        if (found == Type.FLOAT && number(PackedValue.number(bytes, at))) return PackedValue.content(bytes, at);
        int start = made.size();
        int end = made.value(bytes, at);
        made(start);
        return end;
    }

    private boolean made(int start) {
        starts[size] = ~start;
        lengths[size] = made.size() - start;
        return true;
    }

    @Override
    boolean integer(long value) {
        int start = made.size();
        made.integer(value);
        return made(start);
    }

    @Override
    boolean number(double value) {
        int start = made.size();
        if (Double.isFinite(value)) made.number(value);
        else made.ascii(Double.toString(value)); // As Spark shows it.
        return made(start);
    }
}
