package packord.typed;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.IntFunction;

/** Makes collections of any class. */
public final class CollectionMaker {
    /** How collections of a size are made. An interface takes the first that implements it. */
    private static final Map<Class<?>, IntFunction<Object>> COMMON = new LinkedHashMap<>();

    static {
        COMMON.put(ArrayList.class, ArrayList::new);
        COMMON.put(LinkedHashSet.class, size -> new LinkedHashSet<>(Math.max(16, size * 4 / 3 + 1)));
        COMMON.put(HashSet.class, size -> new HashSet<>(Math.max(16, size * 4 / 3 + 1)));
        COMMON.put(LinkedHashMap.class, LinkedHashMap::new);
        COMMON.put(HashMap.class, HashMap::new);
        COMMON.put(TreeSet.class, size -> new TreeSet<>());
        COMMON.put(TreeMap.class, size -> new TreeMap<>());
        COMMON.put(ArrayDeque.class, ArrayDeque::new);
        COMMON.put(LinkedList.class, size -> new LinkedList<>());
        COMMON.put(ConcurrentHashMap.class, ConcurrentHashMap::new);
        COMMON.put(ConcurrentSkipListMap.class, size -> new ConcurrentSkipListMap<>());
        COMMON.put(LinkedBlockingDeque.class, size -> new LinkedBlockingDeque<>());
        COMMON.put(LinkedTransferQueue.class, size -> new LinkedTransferQueue<>());
        COMMON.put(ArrayBlockingQueue.class, size -> new ArrayBlockingQueue<>(Math.max(1, size)));
    }

    private CollectionMaker() {}

    /** Returns what makes empty collections of a class, for a size, or null if nothing can. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // The class of keys is known when the program runs.
    public static IntFunction<Object> maker(Class<?> type, Class<?> key) {
        if (type == EnumSet.class) return size -> EnumSet.noneOf(key.asSubclass(Enum.class));
        if (type == EnumMap.class) return size -> new EnumMap<>(key.asSubclass(Enum.class));
        IntFunction<Object> common = COMMON.get(type);
        if (common != null) return common;
        if (Modifier.isAbstract(type.getModifiers())) {
            for (Map.Entry<Class<?>, IntFunction<Object>> each : COMMON.entrySet()) {
                if (type.isAssignableFrom(each.getKey())) return each.getValue();
            }
            return null;
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            return constructor.trySetAccessible() ? size -> made(constructor) : null;
        } catch (NoSuchMethodException exception) {
            return null;
        }
    }

    private static Object made(Constructor<?> constructor) {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException(exception.getCause());
        }
    }
}
