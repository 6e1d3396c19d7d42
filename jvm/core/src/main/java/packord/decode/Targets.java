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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import packord.ErrorKind;
import packord.Options;
import packord.typed.BeanType;
import packord.typed.CollectionMaker;
import packord.typed.Subtypes;

/** Finds what values of a type are read into. Threads may share it. */
public final class Targets {
    private static final Target ANYTHING = new Target() {
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
    private final boolean lenient;
    private final boolean hasExtensions;

    /** Makes an empty table. Lenient targets take what {@link Scalar#lenient} says. */
    public Targets(Options options, boolean lenient) {
        this.lenient = lenient;
        hasExtensions = options.rich || !options.extensions.isEmpty();
    }

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
            return ofClass((Class<?>) parameterized.getRawType(), parameterized.getActualTypeArguments(), variables);
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
        Scalar scalar = type.isEnum() ? Scalars.ofEnum(type) : Scalars.of(type);
        if (scalar != null) return lenient ? scalar.lenient() : scalar;
        if (type.isArray()) return ofArray(type.getComponentType(), make(type.getComponentType(), variables));
        Map<TypeVariable<?>, Type> own = TypeArguments.of(type, arguments, variables);
        if (type == Optional.class) return holder(make(type.getTypeParameters()[0], own), Optional::ofNullable);
        if (type == AtomicReference.class) return holder(make(type.getTypeParameters()[0], own), AtomicReference::new);
        Target number = ofOptionalNumber(type);
        if (number != null) return number;
        if (type == Iterable.class || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
            Target collection = ofCollection(type, own);
            if (collection != null) return collection;
        }
        Subtypes subtypes = Subtypes.of(type);
        if (subtypes.tag != null) return ofTagged(type, subtypes);
        BeanType bean = BeanType.of(type);
        if (bean.canBeMade()) return ofBean(type, bean, own);
        if (!hasExtensions) {
            throw new IllegalArgumentException("cannot read into " + type.getName()
                    + ": it is not a record, and has neither a constructor without arguments"
                    + " nor one whose parameters are known to be its properties");
        }
        return (in, depth, pending) -> {
            TypedReader.Kind kind = in.kind();
            if (kind != TypedReader.Kind.NIL && !in.isReadByExtension(kind)) throw in.mismatch("an ext", kind);
            return in.ofExtension(type, "another ext", depth, pending);
        };
    }

    private Target ofOptionalNumber(Class<?> type) {
        if (type == OptionalInt.class) {
            return holder(of(Integer.class), v -> v == null ? OptionalInt.empty() : OptionalInt.of((Integer) v));
        }
        if (type == OptionalLong.class) {
            return holder(of(Long.class), v -> v == null ? OptionalLong.empty() : OptionalLong.of((Long) v));
        }
        if (type != OptionalDouble.class) return null;
        return holder(of(Double.class), v -> v == null ? OptionalDouble.empty() : OptionalDouble.of((Double) v));
    }

    /** Returns the target of a collection or map, or null if the type is none that can be made. */
    private Target ofCollection(Class<?> type, Map<TypeVariable<?>, Type> variables) {
        boolean isMap = Map.class.isAssignableFrom(type);
        TypeVariable<?>[] parameters = (isMap ? Map.class : Iterable.class).getTypeParameters();
        IntFunction<Object> maker = CollectionMaker.maker(type, classOf(parameters[0], variables));
        if (maker == null) return null;
        Target[] parts = new Target[parameters.length];
        for (int i = 0; i < parts.length; i++) {
            Type part = parameters[i];
            // A class of the program may hold itself.
            parts[i] =
                    type.getClassLoader() == null ? make(part, variables) : new LazyTarget(() -> make(part, variables));
        }
        boolean isSorted = SortedMap.class.isAssignableFrom(type) || SortedSet.class.isAssignableFrom(type);
        if (isMap) return ofMap(parts[0], parts[1], maker);
        return ofCollection(parts[0], Set.class.isAssignableFrom(type) && !isSorted, maker);
    }

    private Target ofTagged(Class<?> type, Subtypes subtypes) {
        Map<String, BeanTarget> targets = new HashMap<>();
        subtypes.classes.forEach((name, each) -> {
            Target target = ofClass(each, new Type[0], Map.of());
            if (!(target instanceof BeanTarget))
                throw new IllegalArgumentException("cannot read into " + each.getName());
            targets.put(name, (BeanTarget) target);
        });
        return new TaggedTarget(type, subtypes.tag, targets);
    }

    private Target ofBean(Class<?> type, BeanType bean, Map<TypeVariable<?>, Type> own) {
        Function<Type, Target> find = own.isEmpty() ? this::of : part -> make(part, own);
        if (bean.delegate() == null) return new BeanTarget(type, bean, find);
        return new WholeTarget(type, bean, new LazyTarget(() -> find.apply(bean.delegate())));
    }

    @SuppressWarnings("unchecked") // Elements were read into the types of the collection.
    private static Target ofCollection(Target element, boolean hashed, IntFunction<Object> maker) {
        return (in, depth, pending) -> {
            int markerOffset = in.pos;
            TypedReader.Kind kind = in.kind();
            if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
            Object[] elements = in.isReadByExtension(kind)
                    ? elementsOfSet(in, element, depth, pending)
                    : in.elements(element, depth, pending, kind);
            if (hashed) refuseCollisions(in, markerOffset, elements, 1);
            return filled(in, markerOffset, () -> {
                Collection<Object> all = (Collection<Object>) maker.apply(elements.length);
                all.addAll(Arrays.asList(elements));
                return all;
            });
        };
    }

    /** The elements of a set that is an ext. They have been read when it is there. */
    private static Object[] elementsOfSet(TypedReader in, Target element, int depth, long pending) {
        int markerOffset = in.pos;
        Object set = in.read(depth, pending);
        if (!(set instanceof Set)) throw in.mismatch(markerOffset, "expected an array, found ext");
        return ((Set<?>) set)
                .stream().map(each -> element.ofKey(in, each, markerOffset)).toArray();
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

    @SuppressWarnings("unchecked") // Keys and values were read into the types of the map.
    private static Target ofMap(Target key, Target value, IntFunction<Object> maker) {
        return (in, depth, pending) -> {
            int markerOffset = in.pos;
            TypedReader.Kind kind = in.kind();
            if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
            if (kind != TypedReader.Kind.MAP) throw in.mismatch("a map", kind);
            List<Object> kv = new ArrayList<>();
            Set<Object> seen = in.refusesTwice() ? new HashSet<>() : null;
            in.entries(
                    new TypedReader.Entries() {
                        @Override
                        public Target keys() {
                            return key;
                        }

                        @Override
                        public void key(Object name, int keyOffset) {
                            Object made = key.ofKey(in, name, keyOffset);
                            // Other keys may have been made to collide, and are counted in the end.
                            if (seen != null && made instanceof Comparable && !seen.add(made)) {
                                throw in.error(ErrorKind.DUPLICATE_KEY, keyOffset, null);
                            }
                            kv.add(made);
                        }

                        @Override
                        public void value(int within, long after) {
                            kv.add(in.read(value, within, after));
                        }
                    },
                    depth,
                    pending);
            Object[] entries = kv.toArray();
            refuseCollisions(in, markerOffset, entries, 2);
            Map<Object, Object> map = filled(in, markerOffset, () -> {
                Map<Object, Object> all = (Map<Object, Object>) maker.apply(entries.length);
                for (int i = 0; i < entries.length; i += 2) all.put(entries[i], entries[i + 1]);
                return all;
            });
            if (seen == null || map.size() == entries.length / 2) return map;
            throw in.error(ErrorKind.DUPLICATE_KEY, markerOffset, null);
        };
    }

    /** Makes a collection. A sorted one holds neither nil nor what cannot be compared; a deque no nil. */
    private static <T> T filled(TypedReader in, int markerOffset, Supplier<T> fill) {
        try {
            return fill.get();
        } catch (RuntimeException exception) {
            throw in.error(ErrorKind.TYPE_MISMATCH, markerOffset, "elements cannot be kept so", exception);
        }
    }

    /** Java's tables are slow for keys that share a hash and cannot be compared. */
    private static void refuseCollisions(TypedReader in, int markerOffset, Object[] keys, int step) {
        if (keys.length == 0 || keys[0] instanceof Comparable) return;
        Object[] kv = new Object[keys.length / step * 2];
        for (int i = 0; i < kv.length; i += 2) kv[i] = keys[i / 2 * step];
        if (HashGuard.isAttack(kv, Object::hashCode)) {
            throw in.error(ErrorKind.LENGTH_LIMIT, markerOffset, "keys with colliding hashes");
        }
    }

    /** Returns the target of what holds a value or none, which becomes null on the way. */
    private static Target holder(Target of, Function<Object, Object> make) {
        return new Target() {
            @Override
            public Object read(TypedReader in, int depth, long pending) {
                return make.apply(
                        in.kind() == TypedReader.Kind.NIL ? in.read(depth, pending) : of.read(in, depth, pending));
            }

            @Override
            public Object absent() {
                return make.apply(null);
            }
        };
    }
}
