package packord.spark.columns;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.types.DataType;

/**
 * Makes vectors of arrays and maps, which are ranges of their elements, or keys and values. Of a key that a map has
 * twice the last value counts. A map with a key that the type of keys cannot hold does not fit, since a key cannot be
 * null.
 */
final class RangesBuilder extends VectorBuilder {
    RangesBuilder(DataType type, Rules rules, DataType... inner) {
        super(type, rules, inner);
    }

    @Override
    void emptySlot() {
        range(children[0].size);
    }

    private void range(int start) {
        vector.starts[size] = start;
        vector.lengths[size] = children[0].size - start;
    }

    @Override
    void forget(int to) {
        if (to < size) truncateInner(vector.starts[to]);
    }

    private void truncateInner(int to) {
        for (VectorBuilder inner : children) if (inner.size > to) inner.truncate(to);
    }

    @Override
    int array(byte[] bytes, int from, int count) {
        if (children.length > 1) return -1;
        int start = children[0].size;
        int next = from;
        for (int i = 0; i < count; i++) next = children[0].append(bytes, next);
        range(start);
        return next;
    }

    @Override
    int map(byte[] bytes, int from, int count) {
        if (children.length == 1) return -1;
        VectorBuilder keys = children[0];
        int start = keys.size;
        int next = from;
        Map<ByteBuffer, Integer> seen = new HashMap<>();
        boolean repeats = false;
        for (int i = 0; i < count; i++) {
            int keyEnd = PackedValue.skip(bytes, next);
            if (count > 1) repeats |= seen.put(ByteBuffer.wrap(bytes, next, keyEnd - next), i) != null;
            next = keys.append(bytes, next);
            if (keys.vector.nulls[keys.size - 1]) {
                truncateInner(start);
                return -1;
            }
            next = children[1].append(bytes, next);
        }
        if (repeats) {
            truncateInner(start);
            appendLast(bytes, from, count, seen);
        }
        range(start);
        return next;
    }

    private void appendLast(byte[] bytes, int from, int count, Map<ByteBuffer, Integer> last) {
        int next = from;
        for (int i = 0; i < count; i++) {
            int value = PackedValue.skip(bytes, next);
            boolean isLast = last.get(ByteBuffer.wrap(bytes, next, value - next)) == i;
            if (isLast) {
                children[0].append(bytes, next);
                children[1].append(bytes, value);
            }
            next = PackedValue.skip(bytes, value);
        }
    }
}
