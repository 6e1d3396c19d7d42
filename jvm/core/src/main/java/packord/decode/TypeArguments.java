package packord.decode;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What the type variables of a class, and of those that it inherits from, stand for. */
final class TypeArguments {
    private TypeArguments() {}

    /** A generic type whose arguments are known. */
    private static final class Known implements ParameterizedType {
        private final ParameterizedType type;
        private final Type[] arguments;

        Known(ParameterizedType type, Type[] arguments) {
            this.type = type;
            this.arguments = arguments;
        }

        @Override
        public Type[] getActualTypeArguments() {
            return arguments;
        }

        @Override
        public Type getRawType() {
            return type.getRawType();
        }

        @Override
        public Type getOwnerType() {
            return type.getOwnerType();
        }
    }

    /** Returns what the variables of a class with these arguments stand for; {@code outer} are those around it. */
    static Map<TypeVariable<?>, Type> of(Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> outer) {
        Map<TypeVariable<?>, Type> found = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            found.put(type.getTypeParameters()[i], resolved(arguments[i], outer));
        }
        inherit(type, found);
        return found;
    }

    private static void inherit(Class<?> type, Map<TypeVariable<?>, Type> found) {
        if (type.getGenericSuperclass() != null) inheritFrom(type.getGenericSuperclass(), found);
        for (Type parent : type.getGenericInterfaces()) inheritFrom(parent, found);
    }

    private static void inheritFrom(Type parent, Map<TypeVariable<?>, Type> found) {
        if (parent instanceof ParameterizedType) {
            ParameterizedType generic = (ParameterizedType) parent;
            Class<?> raw = (Class<?>) generic.getRawType();
            Type[] arguments = generic.getActualTypeArguments();
            for (int i = 0; i < arguments.length; i++) {
                found.put(raw.getTypeParameters()[i], resolved(arguments[i], found));
            }
            inherit(raw, found);
        } else {
            inherit((Class<?>) parent, found);
        }
    }

    private static Type resolved(Type type, Map<TypeVariable<?>, Type> known) {
        if (type instanceof TypeVariable) return known.getOrDefault(type, type);
        if (type instanceof WildcardType) return resolved(((WildcardType) type).getUpperBounds()[0], known);
        if (type instanceof GenericArrayType) {
            Type component = resolved(((GenericArrayType) type).getGenericComponentType(), known);
            if (component instanceof Class)
                return Array.newInstance((Class<?>) component, 0).getClass();
            return (GenericArrayType) () -> component;
        }
        if (!(type instanceof ParameterizedType)) return type;
        ParameterizedType generic = (ParameterizedType) type;
        Type[] arguments = Arrays.stream(generic.getActualTypeArguments())
                .map(argument -> resolved(argument, known))
                .toArray(Type[]::new);
        return new Known(generic, arguments);
    }
}
