package packord.bench;

import clojure.lang.ITransientMap;
import clojure.lang.LazilyPersistentVector;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentVector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The least that any reader must do: the same data built again from arrays that are ready. */
public final class Floor {
    private Floor() {}

    private static final class MapPlan {
        final Object[] kv;

        MapPlan(int n) {
            kv = new Object[2 * n];
        }
    }

    private static final class VectorPlan {
        final Object[] elements;

        VectorPlan(int n) {
            elements = new Object[n];
        }
    }

    private static final class NumberPlan {
        final boolean whole;
        final long bits;

        NumberPlan(boolean whole, long bits) {
            this.whole = whole;
            this.bits = bits;
        }
    }

    /** A plan that {@link #build} follows: arrays of keys and values, the bytes of strings and numbers. */
    public static Object plan(Object o) {
        if (o instanceof Map) {
            Map<?, ?> m = (Map<?, ?>) o;
            MapPlan plan = new MapPlan(m.size());
            int i = 0;
            for (Map.Entry<?, ?> e : m.entrySet()) {
                plan.kv[i++] = e.getKey();
                plan.kv[i++] = plan(e.getValue());
            }
            return plan;
        }
        if (o instanceof List) {
            List<?> list = (List<?>) o;
            VectorPlan plan = new VectorPlan(list.size());
            for (int i = 0; i < plan.elements.length; i++) plan.elements[i] = plan(list.get(i));
            return plan;
        }
        if (o instanceof Long) return new NumberPlan(true, (Long) o);
        if (o instanceof Double) return new NumberPlan(false, Double.doubleToRawLongBits((Double) o));
        return o instanceof String ? ((String) o).getBytes(StandardCharsets.UTF_8) : o;
    }

    /** Builds the data of a plan. */
    public static Object build(Object o) {
        if (o == null) return null;
        Class<?> c = o.getClass();
        if (c == byte[].class) return new String((byte[]) o, StandardCharsets.UTF_8);
        if (c == MapPlan.class) return map(((MapPlan) o).kv);
        if (c == NumberPlan.class) {
            NumberPlan n = (NumberPlan) o;
            return n.whole ? (Object) n.bits : (Object) Double.longBitsToDouble(n.bits);
        }
        if (c == VectorPlan.class) {
            Object[] from = ((VectorPlan) o).elements;
            if (from.length == 0) return PersistentVector.EMPTY;
            Object[] a = new Object[from.length];
            for (int i = 0; i < a.length; i++) a[i] = build(from[i]);
            return LazilyPersistentVector.createOwning(a);
        }
        return o;
    }

    private static Object map(Object[] from) {
        if (from.length == 0) return PersistentArrayMap.EMPTY;
        if (from.length > 16) {
            ITransientMap m = (ITransientMap) PersistentHashMap.EMPTY.asTransient();
            for (int i = 0; i < from.length; i += 2) m = m.assoc(from[i], build(from[i + 1]));
            return m.persistent();
        }
        Object[] kv = new Object[from.length];
        for (int i = 0; i < kv.length; i += 2) {
            kv[i] = from[i];
            kv[i + 1] = build(from[i + 1]);
        }
        return new PersistentArrayMap(kv);
    }
}
