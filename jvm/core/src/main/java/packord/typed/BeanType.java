package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

/**
 * What is known of a record or of a class with getters: its properties, and how it is made. Records
 * are looked at by reflection, because they are newer than the Java that this library is built for.
 */
public final class BeanType {
  private static final ClassValue<BeanType> KNOWN =
      new ClassValue<BeanType>() {
        @Override
        protected BeanType computeValue(Class<?> type) {
          return new BeanType(type);
        }
      };

  private static final MethodType GET = MethodType.methodType(Object.class, Object.class);
  private static final MethodType SET = GET.appendParameterTypes(Object.class);

  private final Class<?> type;
  private final List<Property> properties = new ArrayList<>();
  private final Map<String, Integer> indexes = new HashMap<>();
  private final boolean isRecord;
  private boolean isOpen = true;
  private MethodHandle maker;

  private BeanType(Class<?> type) {
    this.type = type;
    Class<?> parent = type.getSuperclass();
    isRecord = parent != null && parent.getName().equals("java.lang.Record");
    try {
      if (isRecord) findComponents();
      else if (isData(type)) findProperties();
    } catch (ReflectiveOperationException exception) {
      throw new IllegalStateException("cannot look into " + type.getName(), exception);
    }
    for (int i = 0; i < properties.size(); i++) indexes.put(properties.get(i).name, i);
  }

  /** Classes of the JDK, and those that stand for work, have getters too. */
  private static boolean isData(Class<?> type) {
    return !type.isInterface()
        && type.getClassLoader() != null
        && type.getClassLoader() != ClassLoader.getPlatformClassLoader()
        && !Throwable.class.isAssignableFrom(type)
        && !Future.class.isAssignableFrom(type)
        && !Reference.class.isAssignableFrom(type)
        && !Thread.class.isAssignableFrom(type);
  }

  /** Returns what is known of a class. */
  public static BeanType of(Class<?> type) {
    return KNOWN.get(type);
  }

  /** Whether it has any property, so that it can be written as a map. */
  public boolean isBean() {
    return isRecord || !properties.isEmpty();
  }

  /** Whether the program lets this library read each of its properties. */
  public boolean isOpen() {
    return isOpen;
  }

  /** Whether it can be made of values. */
  public boolean canBeMade() {
    return maker != null;
  }

  /** Returns the components or properties, in the order in which they are written. */
  public List<Property> properties() {
    return properties;
  }

  /** Returns the index of a property, or -1. */
  public int indexOf(String name) {
    Integer index = indexes.get(name);
    return index == null ? -1 : index;
  }

  /**
   * Makes an object.
   *
   * @param values the value of each property
   * @param present whether it was there; a property that was not keeps what the constructor made it
   */
  public Object make(Object[] values, boolean[] present) {
    if (isRecord) return Calls.invoke(maker, values);
    Object object = Calls.invoke(maker, null);
    for (int i = 0; i < values.length; i++) {
      if (present[i] && properties.get(i).setter != null) properties.get(i).set(object, values[i]);
    }
    return object;
  }

  /** Whether every property needs a value, as the components of a record do. */
  public boolean isRecord() {
    return isRecord;
  }

  private void findComponents() throws ReflectiveOperationException {
    Object components = Class.class.getMethod("getRecordComponents").invoke(type);
    int count = Array.getLength(components);
    Class<?>[] types = new Class<?>[count];
    for (int i = 0; i < count; i++) {
      Object component = Array.get(components, i);
      Class<?> about = component.getClass();
      types[i] = (Class<?>) about.getMethod("getType").invoke(component);
      Method accessor = (Method) about.getMethod("getAccessor").invoke(component);
      Type declared = (Type) about.getMethod("getGenericType").invoke(component);
      String name = (String) about.getMethod("getName").invoke(component);
      properties.add(new Property(name, declared, getter(accessor), null));
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    if (!open(constructor)) return;
    maker =
        MethodHandles.lookup()
            .unreflectConstructor(constructor)
            .asSpreader(Object[].class, count)
            .asType(GET);
  }

  private void findProperties() throws ReflectiveOperationException {
    Map<String, Method> getters = new LinkedHashMap<>();
    Map<String, Method> setters = new HashMap<>();
    for (Method method : type.getMethods()) {
      if (Modifier.isStatic(method.getModifiers()) || method.isBridge()) continue;
      if (method.getDeclaringClass() == Object.class) continue;
      String name = method.getName();
      if (method.getParameterCount() == 0 && method.getReturnType() != void.class) {
        boolean truth = method.getReturnType() == boolean.class;
        String property = truth ? after(name, "is") : null;
        if (property == null) property = after(name, "get");
        if (property != null) getters.put(property, method);
      } else if (method.getParameterCount() == 1 && after(name, "set") != null) {
        setters.put(after(name, "set"), method);
      }
    }
    for (String name : inOrderOfFields(getters)) {
      Method get = getters.get(name);
      Method set = setters.get(name);
      MethodHandle setter = set == null || !open(set) ? null : handle(set).asType(SET);
      properties.add(new Property(name, get.getGenericReturnType(), getter(get), setter));
      setters.remove(name);
    }
    for (Field field : type.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) || getters.containsKey(field.getName())) continue;
      if (!canRead(field)) continue;
      MethodHandle get = MethodHandles.lookup().unreflectGetter(field).asType(GET);
      MethodHandle set =
          Modifier.isFinal(field.getModifiers())
              ? null
              : MethodHandles.lookup().unreflectSetter(field).asType(SET);
      properties.add(new Property(field.getName(), field.getGenericType(), get, set));
      setters.remove(field.getName());
    }
    for (Map.Entry<String, Method> only : setters.entrySet()) {
      if (!open(only.getValue())) continue;
      MethodHandle set = handle(only.getValue()).asType(SET);
      Type declared = only.getValue().getGenericParameterTypes()[0];
      properties.add(new Property(only.getKey(), declared, null, set));
    }
    if (properties.isEmpty() || Modifier.isAbstract(type.getModifiers())) return;
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() != 0 || !open(constructor)) continue;
      MethodHandle made = MethodHandles.lookup().unreflectConstructor(constructor);
      maker = MethodHandles.dropArguments(made.asType(MethodType.methodType(Object.class)), 0,
          Object.class);
    }
  }

  /** The JVM lists methods in any order, but fields mostly as they are written. */
  private List<String> inOrderOfFields(Map<String, Method> getters) {
    List<String> order = new ArrayList<>();
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) classes.add(0, c);
    for (Class<?> c : classes) {
      for (Field field : c.getDeclaredFields()) {
        String name = field.getName();
        if (getters.containsKey(name) && !order.contains(name)) order.add(name);
      }
    }
    getters.keySet().stream().sorted().filter(name -> !order.contains(name)).forEach(order::add);
    return order;
  }

  private static String after(String name, String prefix) {
    if (!name.startsWith(prefix) || name.length() == prefix.length()) return null;
    String rest = name.substring(prefix.length());
    if (!Character.isUpperCase(rest.charAt(0))) return null;
    boolean acronym = rest.length() > 1 && Character.isUpperCase(rest.charAt(1));
    return acronym ? rest : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
  }

  private MethodHandle getter(Method method) throws ReflectiveOperationException {
    return canRead(method) ? handle(method).asType(GET) : null;
  }

  private boolean canRead(AccessibleObject member) {
    boolean can = open(member);
    isOpen &= can;
    return can;
  }

  private static MethodHandle handle(Method method) throws ReflectiveOperationException {
    return MethodHandles.lookup().unreflect(method);
  }

  /** Whether the program lets this library call it; a module must open its package for that. */
  private static boolean open(AccessibleObject member) {
    return member.trySetAccessible();
  }
}
