package packord.decode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import packord.encode.Encoder;

/** Makes Java's own collections. */
public final class JavaHost extends Host {
    public JavaHost() {
        super(KeyCache.STRINGS);
    }

    @Override
    Object newArray(Object[] elements) {
        List<Object> list = new ArrayList<>(elements.length);
        Collections.addAll(list, elements);
        return list;
    }

    @Override
    Object newMap(Object[] kv) {
        Map<Object, Object> map = HashGuard.isAttack(kv, Object::hashCode)
                ? new TreeMap<>(new KeyOrder(() -> new Encoder(KeyOrder.OPTIONS).keepingFloats()))
                : new LinkedHashMap<>(Math.max(4, kv.length * 2 / 3 + 1));
        BinKeys.unify(kv);
        for (int i = 0; i < kv.length; i += 2) map.put(kv[i], kv[i + 1]);
        return map;
    }

    @Override
    Object newSet(Object[] elements) {
        Object[] kv = new Object[2 * elements.length];
        for (int i = 0; i < elements.length; i++) kv[2 * i] = kv[2 * i + 1] = elements[i];
        Set<?> keys = ((Map<?, ?>) newMap(kv)).keySet();
        return keys instanceof SortedSet ? keys : new LinkedHashSet<>(keys);
    }
}
