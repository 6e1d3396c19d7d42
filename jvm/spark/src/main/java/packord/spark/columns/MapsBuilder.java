package packord.spark.columns;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Makes vectors of maps. Of a key that a map has twice the last value counts. A map with a key that the type of keys
 * cannot hold does not fit, since a key cannot be null.
 */
final class MapsBuilder extends VectorBuilder {
    private final VectorBuilder keys;
    private final VectorBuilder values;
    private int[] starts = new int[nulls.length];
    private int[] lengths = new int[nulls.length];

    MapsBuilder(MapType type, Rules rules) {
        super(type, rules);
        keys = of(type.keyType(), rules);
        values = of(type.valueType(), rules);
    }

    @Override
    void grow(int capacity) {
        starts = Arrays.copyOf(starts, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }

    @Override
    ColumnVector vector() {
        return new Vector.Maps(type, starts, lengths, keys.build(), values.build(), nulls, nullCount);
    }

    @Override
    void emptySlot() {
        starts[size] = keys.size();
        lengths[size] = 0;
    }

    @Override
    void forget(int to) {
        if (to == size) return;
        keys.truncate(starts[to]);
        values.truncate(starts[to]);
    }

    @Override
    int map(byte[] bytes, int from, int count) {
        int start = keys.size();
        int next = from;
        Map<ByteBuffer, Integer> seen = new HashMap<>();
        boolean repeats = false;
        for (int i = 0; i < count; i++) {
            int keyEnd = PackedValue.skip(bytes, next);
            if (count > 1) repeats |= seen.put(ByteBuffer.wrap(bytes, next, keyEnd - next), i) != null;
            next = keys.append(bytes, next);
            if (keys.nulls[keys.size() - 1]) {
                truncate(start, start);
                return -1;
            }
            next = values.append(bytes, next);
        }
        if (repeats) {
            truncate(start, start);
            appendLast(bytes, from, count, seen);
        }
        starts[size] = start;
        lengths[size] = keys.size() - start;
        return next;
    }

    private void truncate(int keysTo, int valuesTo) {
        keys.truncate(keysTo);
        if (values.size() > valuesTo) values.truncate(valuesTo);
    }

    private void appendLast(byte[] bytes, int from, int count, Map<ByteBuffer, Integer> last) {
        int next = from;
        for (int i = 0; i < count; i++) {
            int value = PackedValue.skip(bytes, next);
            boolean isLast = last.get(ByteBuffer.wrap(bytes, next, value - next)) == i;
            if (isLast) {
                keys.append(bytes, next);
                values.append(bytes, value);
            }
            next = PackedValue.skip(bytes, value);
        }
    }
}
