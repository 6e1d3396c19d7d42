package packord.decode;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import packord.ErrorKind;
import packord.typed.BeanType;

/** Finds what values of a type are read into. Threads may share it. */
public final class Targets {
  private static final Target ANYTHING =
      new Target() {
        @Override
        public Object read(TypedReader in, int depth, long pending) {
          return in.read(depth, pending);
        }

        @Override
        public Object ofKey(TypedReader in, Object key, int markerOffset) {
          return key;
        }
      };

  private final Map<Type, Target> known = new ConcurrentHashMap<>();

  /** Makes an empty table. */
  public Targets() {}

  /** Returns the target of a type. */
  public Target of(Type type) {
    Target target = known.get(type);
    if (target == null) {
      target = make(type, Map.of());
      known.put(type, target);
    }
    return target;
  }

  private Target make(Type type, Map<TypeVariable<?>, Type> variables) {
    if (type instanceof Class) return ofClass((Class<?>) type, new Type[0], variables);
    if (type instanceof ParameterizedType) {
      ParameterizedType parameterized = (ParameterizedType) type;
      return ofClass(
          (Class<?>) parameterized.getRawType(), parameterized.getActualTypeArguments(), variables);
    }
    if (type instanceof GenericArrayType) {
      Type component = ((GenericArrayType) type).getGenericComponentType();
      return ofArray(classOf(component, variables), make(component, variables));
    }
    if (type instanceof WildcardType) {
      return make(((WildcardType) type).getUpperBounds()[0], variables);
    }
    Type bound = variables.get(type);
    return bound != null ? make(bound, Map.of()) : make(((TypeVariable<?>) type).getBounds()[0], variables);
  }

  private static Class<?> classOf(Type type, Map<TypeVariable<?>, Type> variables) {
    if (type instanceof Class) return (Class<?>) type;
    if (type instanceof ParameterizedType) return (Class<?>) ((ParameterizedType) type).getRawType();
    if (type instanceof TypeVariable && variables.get(type) != null) {
      return classOf(variables.get(type), Map.of());
    }
    return Object.class;
  }

  private Target ofClass(Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> variables) {
    if (type == Object.class) return ANYTHING;
    Target scalar = Scalars.of(type);
    if (scalar != null) return scalar;
    if (type.isEnum()) return Scalars.ofEnum(type);
    if (type.isArray()) {
      return ofArray(type.getComponentType(), make(type.getComponentType(), variables));
    }
    if (type == Optional.class) return ofOptional(argument(arguments, 0, variables), Optional.empty(), Optional::of);
    if (type == OptionalInt.class) {
      return ofOptional(Scalars.of(Integer.class), OptionalInt.empty(), v -> OptionalInt.of((Integer) v));
    }
    if (type == OptionalLong.class) {
      return ofOptional(Scalars.of(Long.class), OptionalLong.empty(), v -> OptionalLong.of((Long) v));
    }
    if (type == OptionalDouble.class) {
      return ofOptional(
          Scalars.of(Double.class), OptionalDouble.empty(), v -> OptionalDouble.of((Double) v));
    }
    Function<List<Object>, Object> collection = collection(type);
    if (collection != null) {
      boolean hashed = type == Set.class || type == LinkedHashSet.class;
      return ofCollection(argument(arguments, 0, variables), hashed, collection);
    }
    if (type.isAssignableFrom(LinkedHashMap.class) || type == SortedMap.class || type == TreeMap.class) {
      boolean sorted = SortedMap.class.isAssignableFrom(type);
      return ofMap(argument(arguments, 0, variables), argument(arguments, 1, variables), sorted);
    }
    BeanType bean = BeanType.of(type);
    if (!bean.isBean() || !bean.canBeMade()) {
      throw new IllegalArgumentException(
          "cannot read into " + type.getName()
              + ": it is neither a record nor a class with a constructor without arguments");
    }
    Map<TypeVariable<?>, Type> own = TypeArguments.of(type, arguments, variables);
    return new BeanTarget(type.getSimpleName(), bean, own.isEmpty() ? this::of : t -> make(t, own));
  }

  private Target argument(Type[] arguments, int index, Map<TypeVariable<?>, Type> variables) {
    return index < arguments.length ? make(arguments[index], variables) : ANYTHING;
  }

  private static Function<List<Object>, Object> collection(Class<?> type) {
    if (type == Set.class || type == LinkedHashSet.class) return LinkedHashSet::new;
    if (type == SortedSet.class || type == TreeSet.class) return TreeSet::new;
    if (type == Deque.class || type == ArrayDeque.class) return ArrayDeque::new;
    if (type == List.class || type == ArrayList.class) return ArrayList::new;
    return type == Collection.class || type == Iterable.class ? ArrayList::new : null;
  }

  private static Target ofCollection(
      Target element, boolean hashed, Function<List<Object>, Object> make) {
    return (in, depth, pending) -> {
      int markerOffset = in.pos();
      TypedReader.Kind kind = in.kind();
      if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
      Object[] elements =
          in.isReadByExtension(kind)
              ? elementsOfSet(in, element, depth, pending)
              : in.elements(element, depth, pending, kind);
      if (hashed) refuseCollisions(in, markerOffset, elements, 1);
      return made(in, markerOffset, () -> make.apply(Arrays.asList(elements)));
    };
  }

  /** The elements of a set that is an ext. They have been read when it is there. */
  private static Object[] elementsOfSet(TypedReader in, Target element, int depth, long pending) {
    int markerOffset = in.pos();
    Object set = in.read(depth, pending);
    if (!(set instanceof Set)) throw in.mismatch(markerOffset, "expected an array, found ext");
    return ((Set<?>) set).stream().map(each -> element.ofKey(in, each, markerOffset)).toArray();
  }

  private static Object made(
      TypedReader in, int markerOffset, Supplier<Object> make) {
    try {
      return make.get();
    } catch (NullPointerException | ClassCastException exception) {
      // A sorted collection holds neither nil nor what cannot be compared; a deque no nil.
      throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, "elements cannot be kept so", exception);
    }
  }

  private static Target ofArray(Class<?> component, Target element) {
    Target numbers = NumberArrays.of(component, element);
    if (numbers != null) return numbers;
    return (in, depth, pending) -> {
      TypedReader.Kind kind = in.kind();
      if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
      if (in.isReadByExtension(kind)) return NumberArrays.rich(in, component, depth, pending);
      Object[] elements = in.elements(element, depth, pending, kind);
      Object array = Array.newInstance(component, elements.length);
      for (int i = 0; i < elements.length; i++) Array.set(array, i, elements[i]);
      return array;
    };
  }

  private static Target ofMap(Target key, Target value, boolean sorted) {
    return (in, depth, pending) -> {
      int markerOffset = in.pos();
      TypedReader.Kind kind = in.kind();
      if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
      if (kind != TypedReader.Kind.MAP) throw in.mismatch("a map", kind);
      List<Object> kv = new ArrayList<>();
      in.entries(
          new TypedReader.Entries() {
            @Override
            public Target keys() {
              return key;
            }

            @Override
            public void key(Object name, int keyOffset) {
              kv.add(key.ofKey(in, name, keyOffset));
            }

            @Override
            public void value(int within, long after) {
              kv.add(in.read(value, within, after));
            }
          },
          depth,
          pending);
      refuseCollisions(in, markerOffset, kv.toArray(), 2);
      Map<Object, Object> map = sorted ? new TreeMap<>() : new LinkedHashMap<>(kv.size());
      return made(
          in,
          markerOffset,
          () -> {
            for (int i = 0; i < kv.size(); i += 2) map.put(kv.get(i), kv.get(i + 1));
            return map;
          });
    };
  }

  /** Java's tables are slow for keys that share a hash and cannot be compared. */
  private static void refuseCollisions(
      TypedReader in, int markerOffset, Object[] keys, int step) {
    if (keys.length == 0 || keys[0] instanceof Comparable) return;
    Object[] kv = new Object[keys.length / step * 2];
    for (int i = 0; i < kv.length; i += 2) kv[i] = keys[i / 2 * step];
    if (HashGuard.isAttack(kv, Object::hashCode)) {
      throw in.error(ErrorKind.LENGTH_LIMIT, markerOffset, "keys with colliding hashes");
    }
  }

  private static Target ofOptional(Target of, Object empty, Function<Object, Object> make) {
    return new Target() {
      @Override
      public Object read(TypedReader in, int depth, long pending) {
        Object value = in.kind() == TypedReader.Kind.NIL ? in.read(depth, pending) : of.read(in, depth, pending);
        return value == null ? empty : make.apply(value);
      }

      @Override
      public Object absent() {
        return empty;
      }
    };
  }
}
