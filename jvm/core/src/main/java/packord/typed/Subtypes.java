package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;

/** The classes below one that an entry of the map, the tag, tells apart. */
public final class Subtypes {
    private static final ClassValue<Subtypes> KNOWN = new ClassValue<Subtypes>() {
        @Override
        protected Subtypes computeValue(Class<?> type) {
            return new Subtypes(type);
        }
    };

    /** The key of the tag, or null if the class has none. */
    public final String tag;

    /** The classes by the values of the tag. */
    public final Map<String, Class<?>> classes = new LinkedHashMap<>();

    private Subtypes(Class<?> base) {
        tag = Annotations.tag(base);
        if (tag == null) return;
        for (Object entry : Annotations.subtypes(base)) add(Annotations.subtype(entry), Annotations.subtypeName(entry));
        if (classes.isEmpty()) addPermitted(base);
    }

    /** Returns the classes below one. */
    public static Subtypes of(Class<?> base) {
        return KNOWN.get(base);
    }

    private void add(Class<?> type, String name) {
        String own = name == null ? Annotations.typeName(type) : name;
        classes.put(own == null ? type.getSimpleName() : own, type);
    }

    /** Sealed classes are newer than the Java that this library is built for. */
    private void addPermitted(Class<?> base) {
        Class<?>[] permitted = null;
        try {
            Method method = Class.class.getMethod("getPermittedSubclasses");
            permitted = (Class<?>[]) method.invoke(base);
        } catch (ReflectiveOperationException older) {
            // The class has named its subtypes, or has none.
        }
        if (permitted == null) return;
        for (Class<?> each : permitted) {
            if (each.isInterface() || Modifier.isAbstract(each.getModifiers())) addPermitted(each);
            else add(each, null);
        }
    }

    /** Returns the property that is the tag of a class, or null if none above it has one. */
    static Property tagOf(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            Property tag = tagOf(type, above);
            if (tag != null) return tag;
        }
        return null;
    }

    private static Property tagOf(Class<?> type, Class<?> above) {
        Subtypes subtypes = of(above);
        for (Map.Entry<String, Class<?>> entry : subtypes.classes.entrySet()) {
            if (entry.getValue() == type) {
                MethodHandle constant = MethodHandles.constant(Object.class, entry.getKey());
                MethodHandle getter = MethodHandles.dropArguments(constant, 0, Object.class);
                return new Property(subtypes.tag, String.class, getter, null, false, -1);
            }
        }
        for (Class<?> each : above.getInterfaces()) {
            Property tag = tagOf(type, each);
            if (tag != null) return tag;
        }
        return null;
    }
}
