package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What is known of a record or of a class with properties: these, and how objects are made of them. */
public final class BeanType {
    private static final ClassValue<BeanType> KNOWN = new ClassValue<BeanType>() {
        @Override
        protected BeanType computeValue(Class<?> type) {
            return new BeanType(type);
        }
    };

    private static final MethodType GET = MethodType.methodType(Object.class, Object.class);
    private static final MethodType SET = GET.appendParameterTypes(Object.class);

    /** The components or properties, in the order in which they are written. */
    public final List<Property> properties = new ArrayList<>();

    private final Map<String, Integer> indexes = new HashMap<>();

    /** Whether it can be written. */
    public boolean isBean;

    /** Whether the program lets this library read each of its properties. */
    public boolean isOpen = true;

    /** The property that is written for an object; null if it is a map of all. */
    public Property value;

    private Creator creator;

    /** The property of each argument of the creator; null if they are all properties in their order. */
    private int[] arguments;

    /** The properties that are set after the object is made, at their indexes; null if there are none. */
    private Property[] setters;

    private BeanType(Class<?> type) {
        boolean isRecord =
                type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
        if (!isRecord && !isData(type)) return;
        try {
            Members members = isRecord ? Members.ofRecord(type) : Members.ofClass(type);
            creator = isRecord ? Creator.ofRecord(type, members) : Creator.of(type, members);
            if (creator != null && creator.names != null) members.join(creator.executable, creator.names);
            Method method = members.value;
            if (method != null) value = new Property(method.getName(), Object.class, getter(method), null, false, -1);
            addProperties(members, Subtypes.tagOf(type));
        } catch (ReflectiveOperationException exception) {
            throw new IllegalStateException("cannot look into " + type.getName(), exception);
        }
        isBean = isRecord || !properties.isEmpty() || value != null || delegate() != null;
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

    private void addProperties(Members members, Property tag) throws ReflectiveOperationException {
        int arity = creator == null || creator.names == null ? 0 : creator.names.size();
        int[] places = IntStream.range(0, arity).toArray();
        List<Members.Member> all = members.properties();
        if (tag != null && all.stream().noneMatch(each -> each.key().equals(tag.name))) properties.add(tag);
        boolean inOrder = true;
        for (Members.Member member : all) {
            int index = properties.size();
            Property property = property(member, members.isIgnored(member));
            if (property.getter == null && !property.isSet() && property.argument < 0) continue;
            properties.add(property);
            inOrder &= property.argument == index;
            if (property.argument >= 0) places[property.argument] = index;
            if (property.name == null) continue;
            indexes.put(property.name, index);
            for (String alias : member.aliases()) indexes.putIfAbsent(alias, index);
        }
        boolean hasSetters = properties.stream().anyMatch(Property::isSet);
        setters = hasSetters
                ? properties.stream().map(each -> each.isSet() ? each : null).toArray(Property[]::new)
                : null;
        arguments = inOrder && properties.size() == places.length ? null : places;
    }

    private Property property(Members.Member member, boolean isIgnored) throws ReflectiveOperationException {
        if (isIgnored) return new Property(null, member.type(), null, null, false, member.argument);
        MethodHandle setter = member.argument < 0 ? setter(member) : null;
        MethodHandle getter = getter(member);
        boolean fills = member.argument < 0 && setter == null && getter != null && isCollection(member.type());
        return new Property(member.key(), member.type(), getter, setter, fills, member.argument);
    }

    private MethodHandle getter(Members.Member member) throws ReflectiveOperationException {
        if (member.getter != null) return getter(member.getter);
        if (!member.hasOpenField() || !canRead(member.field)) return null;
        return MethodHandles.lookup().unreflectGetter(member.field).asType(GET);
    }

    private MethodHandle getter(Method method) throws ReflectiveOperationException {
        return canRead(method) ? MethodHandles.lookup().unreflect(method).asType(GET) : null;
    }

    private static MethodHandle setter(Members.Member member) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        if (member.setter != null)
            return member.setter.trySetAccessible()
                    ? lookup.unreflect(member.setter).asType(SET)
                    : null;
        Field field = member.field;
        boolean isConstant = field == null || Modifier.isFinal(field.getModifiers());
        return isConstant || !field.trySetAccessible()
                ? null
                : lookup.unreflectSetter(field).asType(SET);
    }

    private static boolean isCollection(Type type) {
        Type raw = type instanceof ParameterizedType ? ((ParameterizedType) type).getRawType() : type;
        return raw instanceof Class
                && (Collection.class.isAssignableFrom((Class<?>) raw) || Map.class.isAssignableFrom((Class<?>) raw));
    }

    private boolean canRead(AccessibleObject member) {
        boolean can = member.trySetAccessible();
        isOpen &= can;
        return can;
    }

    /** Returns what is known of a class. */
    public static BeanType of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** Whether it can be made of values. */
    public boolean canBeMade() {
        return isBean && creator != null;
    }

    /** Returns the type of the one value that objects are made of; null if it is a map of the properties. */
    public Type delegate() {
        boolean isWhole = creator != null && creator.names == null;
        return isWhole ? creator.executable.getGenericParameterTypes()[0] : null;
    }

    /** Returns the index of a property by its key or another name, or -1. */
    public int indexOf(String name) {
        Integer index = indexes.get(name);
        return index == null ? -1 : index;
    }

    /** Whether objects are made of properties, and not set afterwards alone. */
    public boolean hasArguments() {
        return arguments == null || arguments.length > 0;
    }

    /** Whether objects cannot be made without a value of a property. */
    public boolean isNeeded(int index) {
        return properties.get(index).argument >= 0 && !creator.hasDefaults();
    }

    /** Makes an object of the one value that stands for it. */
    public Object make(Object whole) {
        return creator.make(new Object[] {whole});
    }

    /** Makes an object. A property that was not present keeps what the constructor made it. */
    public Object make(Object[] values, boolean[] present) {
        Object object = arguments == null ? created(values, present) : createdOfSome(values, present);
        if (setters == null) return object;
        for (int i = 0; i < setters.length; i++) {
            if (present[i] && setters[i] != null) setters[i].set(object, values[i]);
        }
        return object;
    }

    private Object created(Object[] values, boolean[] present) {
        return creator.hasDefaults() ? creator.makeWithDefaults(values, present) : creator.make(values);
    }

    private Object createdOfSome(Object[] values, boolean[] present) {
        if (arguments.length == 0) return creator.make(null);
        Object[] some = new Object[arguments.length];
        boolean[] there = new boolean[arguments.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = values[arguments[i]];
            there[i] = present[arguments[i]];
        }
        return created(some, there);
    }
}
