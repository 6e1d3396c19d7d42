package packord.spark.columns;

import org.apache.spark.sql.types.DataType;
import packord.spark.columns.PackedValue.Type;
import packord.wire.Marker;

/** Makes vectors of strings: of a str what it has, where it is, and of all other values their JSON. */
final class StringsBuilder extends ScalarBuilders.Binaries {
    private JsonText made = new JsonText();

    StringsBuilder(DataType type, Rules rules) {
        super(type, rules);
    }

    @Override
    void finish() {
        vector.made = made.out.buf;
        made = new JsonText();
    }

    @Override
    void forget(int to) {
        for (int i = to; i < size; i++) {
            if (vector.nulls[i] || vector.starts[i] >= 0) continue;
            made.out.pos = ~vector.starts[i];
            return;
        }
    }

    @Override
    int add(Type found, byte[] bytes, int at) {
        int from = PackedValue.content(bytes, at);
        if (found == Type.STR) {
            int length = PackedValue.size(bytes, at);
            binary(bytes, from, length);
            return from + length;
        }
        if (found == Type.FLOAT && number(Marker.number(bytes, at))) return from;
        int start = made.out.pos;
        int end = made.value(bytes, at);
        made(start);
        return end;
    }

    private boolean made(int start) {
        vector.starts[size] = ~start;
        vector.lengths[size] = made.out.pos - start;
        return true;
    }

    @Override
    boolean integer(long value) {
        int start = made.out.pos;
        made.ascii(Long.toString(value));
        return made(start);
    }

    @Override
    boolean number(double value) {
        int start = made.out.pos;
        if (Double.isFinite(value)) made.number(value);
        else made.ascii(Double.toString(value)); // As Spark shows it.
        return made(start);
    }
}
