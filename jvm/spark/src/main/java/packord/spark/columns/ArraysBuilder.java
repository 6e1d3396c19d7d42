package packord.spark.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Makes vectors of arrays. */
final class ArraysBuilder extends VectorBuilder {
    private final VectorBuilder elements;
    private int[] starts = new int[nulls.length];
    private int[] lengths = new int[nulls.length];

    ArraysBuilder(ArrayType type, Rules rules) {
        super(type, rules);
        elements = of(type.elementType(), rules);
    }

    @Override
    void grow(int capacity) {
        starts = Arrays.copyOf(starts, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }

    @Override
    ColumnVector vector() {
        return new Vector.Arrays(type, starts, lengths, elements.build(), nulls, nullCount);
    }

    @Override
    void emptySlot() {
        starts[size] = elements.size();
        lengths[size] = 0;
    }

    @Override
    void forget(int to) {
        if (to < size) elements.truncate(starts[to]);
    }

    @Override
    int array(byte[] bytes, int from, int count) {
        starts[size] = elements.size();
        lengths[size] = count;
        int next = from;
        for (int i = 0; i < count; i++) next = elements.append(bytes, next);
        return next;
    }
}
