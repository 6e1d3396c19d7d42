package packord.decode;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import packord.Ext;
import packord.Timestamp;

/** Values of a dictionary of columns, which many rows have. */
final class SharedValues {
    private SharedValues() {}

    /** Whether it is a value without parts that no program can change. */
    static boolean isScalar(Object value) {
        return value == null
                || value instanceof String
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof BigInteger
                || value instanceof Instant
                || value instanceof Timestamp;
    }

    /**
     * Returns a value of its own for one more row: the value itself if no program can change it. Null for a value that
     * only an extension knows, which is not null itself.
     */
    static Object another(Object value) {
        if (isScalar(value)) return value;
        Class<?> type = value.getClass();
        if (type == ArrayList.class) return another((List<?>) value);
        if (type == LinkedHashMap.class) return another((Map<?, ?>) value);
        if (type == byte[].class) return ((byte[]) value).clone();
        if (type == Date.class) return new Date(((Date) value).getTime());
        if (type == Ext.class)
            return new Ext(((Ext) value).type(), ((Ext) value).data().clone());
        return null;
    }

    private static Object another(List<?> list) {
        List<Object> copy = new ArrayList<>(list);
        for (int i = 0; i < copy.size(); i++) {
            Object element = copy.get(i);
            if (isScalar(element)) continue;
            Object own = another(element);
            if (own == null) return null;
            copy.set(i, own);
        }
        return copy;
    }

    private static Object another(Map<?, ?> map) {
        Map<Object, Object> copy = new LinkedHashMap<>(map);
        for (Map.Entry<Object, Object> entry : copy.entrySet()) {
            if (!isScalar(entry.getKey())) return null;
            if (isScalar(entry.getValue())) continue;
            Object own = another(entry.getValue());
            if (own == null) return null;
            entry.setValue(own);
        }
        return copy;
    }
}
