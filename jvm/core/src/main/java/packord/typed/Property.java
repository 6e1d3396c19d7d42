package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Type;

/** A component of a record, or a property of a class with getters. */
public final class Property {
  /** The name on the wire. */
  public final String name;

  /** The declared type, with its arguments. */
  public final Type type;

  /** Takes the object and returns the value; null if the property can only be set. */
  final MethodHandle getter;

  /** Takes the object and the value; null for a component, or if the property can only be got. */
  final MethodHandle setter;

  Property(String name, Type type, MethodHandle getter, MethodHandle setter) {
    this.name = name;
    this.type = type;
    this.getter = getter;
    this.setter = setter;
  }

  /** Whether a value of it is written. */
  public boolean isReadable() {
    return getter != null;
  }

  /** Returns the value of this property of an object. */
  public Object get(Object object) {
    return Calls.invoke(getter, object);
  }

  /** Sets this property of an object. */
  void set(Object object, Object value) {
    Calls.invoke(setter, object, value);
  }
}
