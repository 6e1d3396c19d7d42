package packord;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;

/**
 * A type with its arguments, which a class literal cannot hold. Make a subclass without a name:
 *
 * <pre>{@code
 * List<User> users = Unpacker.standard().unpack(bytes, new TypeRef<List<User>>() {});
 * }</pre>
 */
public abstract class TypeRef<T> {
    private final Type type;

    /** For a subclass that names the type. */
    protected TypeRef() {
        Type parent = getClass().getGenericSuperclass();
        if (!(parent instanceof ParameterizedType)) {
            throw new IllegalArgumentException("a TypeRef needs its type: new TypeRef<List<User>>() {}");
        }
        type = ((ParameterizedType) parent).getActualTypeArguments()[0];
    }

    private TypeRef(Type type) {
        this.type = type;
    }

    /** Returns a class as a type. */
    public static <T> TypeRef<T> of(Class<T> type) {
        return new Of<>(type);
    }

    /** Returns the type of lists of this type. */
    public final TypeRef<List<T>> list() {
        return new Of<>(new ListType(type));
    }

    private static final class Of<T> extends TypeRef<T> {
        Of(Type type) {
            super(type);
        }
    }

    private static final class ListType implements ParameterizedType {
        private final Type element;

        ListType(Type element) {
            this.element = element;
        }

        @Override
        public Type[] getActualTypeArguments() {
            return new Type[] {element};
        }

        @Override
        public Type getRawType() {
            return List.class;
        }

        @Override
        public Type getOwnerType() {
            return null;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ListType && ((ListType) other).element.equals(element);
        }

        @Override
        public int hashCode() {
            return element.hashCode() ^ 1;
        }
    }

    /** Returns the type: a class, or a type with arguments. */
    public final Type type() {
        return type;
    }
}
