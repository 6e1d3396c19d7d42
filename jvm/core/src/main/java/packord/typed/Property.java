package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;

/** A component of a record, or a property of a class. */
public final class Property {
    /** The name on the wire; null if the property is a parameter that is neither written nor read. */
    public final String name;

    /** The type of what is read, with its arguments. */
    public final Type type;

    /** Takes the object and returns the value; null if the property can only be set. */
    final MethodHandle getter;

    /** Takes the object and the value; null for a parameter, or if the property can only be got. */
    final MethodHandle setter;

    /** Whether it is a collection that the class has made, which can only be filled. */
    final boolean fills;

    /** Its place among the parameters of what makes objects, or -1. */
    final int argument;

    Property(String name, Type type, MethodHandle getter, MethodHandle setter, boolean fills, int argument) {
        this.name = name;
        this.type = type;
        this.getter = getter;
        this.setter = setter;
        this.fills = fills;
        this.argument = argument;
    }

    /** Whether a value of it is written. */
    public boolean isReadable() {
        return getter != null;
    }

    /** Returns the value of this property of an object. */
    public Object get(Object object) {
        return Calls.invoke(getter, object);
    }

    /** Whether it is set after the object is made. */
    boolean isSet() {
        return setter != null || fills;
    }

    /** Sets this property of an object. */
    void set(Object object, Object value) {
        if (fills) fill(object, value);
        else Calls.invoke(setter, object, value);
    }

    @SuppressWarnings("unchecked") // The value was read into the type of the property.
    private void fill(Object object, Object value) {
        if (value instanceof Map) ((Map<Object, Object>) get(object)).putAll((Map<?, ?>) value);
        else if (value != null) ((Collection<Object>) get(object)).addAll((Collection<?>) value);
    }

    /** Whether a value of it is read. */
    public boolean isTaken() {
        return name != null && (argument >= 0 || isSet());
    }

    /** Returns what a field of its type is before it is set. */
    public Object zero() {
        return type instanceof Class ? zero((Class<?>) type) : null;
    }

    /** Returns what a field of this class is before it is set. */
    public static Object zero(Class<?> type) {
        return Array.get(Array.newInstance(type, 1), 0);
    }
}
