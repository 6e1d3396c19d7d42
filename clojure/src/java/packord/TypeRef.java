package packord;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments, which a class literal cannot hold. Make a subclass without a name:
 *
 * <pre>{@code
 * List<User> users = Unpacker.standard().unpack(bytes, new TypeRef<List<User>>() {});
 * }</pre>
 *
 * @param <T> the type
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

  /**
   * Returns the type.
   *
   * @return a class, or a type with arguments
   */
  public final Type type() {
    return type;
  }
}
