package packord.typed;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The fields, getters, setters and parameters of a class, joined by the names of the properties in Java. Components of
 * records are looked at by reflection: they are newer than the Java that this library is built for.
 */
final class Members {
    /** What makes up one property. */
    static final class Member {
        final String name;
        Field field;
        Method getter;
        Method setter;

        /** Of the constructor or static method, with its place there, or null. */
        Parameter parameter;

        int argument = -1;

        Member(String name) {
            this.name = name;
        }

        private List<AnnotatedElement> elements() {
            List<AnnotatedElement> elements = new ArrayList<>(Arrays.asList(parameter, field, getter, setter));
            elements.removeIf(Objects::isNull);
            return elements;
        }

        /** Returns the key in maps. */
        String key() {
            return elements().stream()
                    .map(Annotations::name)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(name);
        }

        String[] aliases() {
            return elements().stream()
                    .flatMap(each -> Annotations.aliases(each).stream())
                    .toArray(String[]::new);
        }

        boolean isIgnored() {
            boolean isTransient = field != null && Modifier.isTransient(field.getModifiers());
            return isTransient || elements().stream().anyMatch(Annotations::isIgnored);
        }

        /** Whether more than a field that is the business of its class alone. */
        boolean isProperty() {
            return getter != null || setter != null || parameter != null || hasOpenField();
        }

        boolean hasOpenField() {
            return field != null && (Modifier.isPublic(field.getModifiers()) || Annotations.isNamed(field));
        }

        /** Returns the type that a value is read into, which a getter may wrap or narrow. */
        Type type() {
            if (parameter != null) return parameter.getParameterizedType();
            if (setter != null) return setter.getGenericParameterTypes()[0];
            return field != null ? field.getGenericType() : getter.getGenericReturnType();
        }
    }

    private final Class<?> type;
    private final boolean isKotlin;
    private final Map<String, Member> all = new LinkedHashMap<>();

    /** The getter of the value that stands for an object, or null. */
    Method value;

    private Members(Class<?> type) {
        this.type = type;
        isKotlin = isKotlin(type);
    }

    static Members ofRecord(Class<?> type) throws ReflectiveOperationException {
        Members members = new Members(type);
        Object components = Class.class.getMethod("getRecordComponents").invoke(type);
        for (int i = 0; i < Array.getLength(components); i++) {
            Object component = Array.get(components, i);
            Member member = members.of(
                    (String) component.getClass().getMethod("getName").invoke(component));
            member.getter =
                    (Method) component.getClass().getMethod("getAccessor").invoke(component);
            member.field = type.getDeclaredField(member.name);
        }
        members.findValue();
        return members;
    }

    static Members ofClass(Class<?> type) {
        Members members = new Members(type);
        members.findFields(type);
        members.findMethods();
        members.findValue();
        return members;
    }

    static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals("kotlin.Metadata"));
    }

    /** Returns the member of a name, a new one if there is none. */
    Member of(String name) {
        return all.computeIfAbsent(name, Member::new);
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    /** Returns the fields of the class itself that hold its state. */
    List<Field> ownFields() {
        List<Field> fields = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (isState(field) && !Modifier.isTransient(field.getModifiers())) fields.add(field);
        }
        return fields;
    }

    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
    }

    /** The JVM lists methods in any order, but fields mostly as they are written: these set the order. */
    private void findFields(Class<?> owner) {
        if (owner.getClassLoader() == null) return;
        findFields(owner.getSuperclass());
        for (Field field : owner.getDeclaredFields()) if (isState(field)) of(field.getName()).field = field;
    }

    private void findMethods() {
        Map<String, Method> others = new TreeMap<>();
        for (Method method : type.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || method.isBridge()) continue;
            if (method.getDeclaringClass() == Object.class) continue;
            boolean sets = method.getParameterCount() == 1;
            if (!sets && (method.getParameterCount() > 0 || method.getReturnType() == void.class)) continue;
            String name = sets ? after(method.getName(), "set") : got(method);
            if (name == null && Annotations.isNamed(method)) name = method.getName();
            if (name == null) continue;
            if (!has(name)) others.put((sets ? "set " : "get ") + name, method);
            else if (sets) setter(of(name), method);
            else of(name).getter = method;
        }
        // Getters without a field come in the order of their names, and then what can only be set.
        others.forEach((name, method) -> {
            if (name.startsWith("get ")) of(name.substring(4)).getter = method;
            else setter(of(name.substring(4)), method);
        });
    }

    /** Of several setters, that of the type that the getter or field has. */
    private static void setter(Member member, Method method) {
        Class<?> type = method.getParameterTypes()[0];
        boolean fitsField = member.field != null && member.field.getType() == type;
        boolean fitsGetter = member.field == null && member.getter != null && member.getter.getReturnType() == type;
        if (member.setter == null || fitsField || fitsGetter) member.setter = method;
    }

    private String got(Method method) {
        boolean truth = method.getReturnType() == boolean.class || method.getReturnType() == Boolean.class;
        if (isKotlin && truth && all.containsKey(method.getName())) return method.getName();
        String property = truth ? after(method.getName(), "is") : null;
        return property == null ? after(method.getName(), "get") : property;
    }

    private static String after(String name, String prefix) {
        if (!name.startsWith(prefix) || name.length() == prefix.length()) return null;
        String rest = name.substring(prefix.length());
        if (!Character.isUpperCase(rest.charAt(0))) return null;
        boolean acronym = rest.length() > 1 && Character.isUpperCase(rest.charAt(1));
        return acronym ? rest : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
    }

    private void findValue() {
        for (Method method : type.getMethods()) {
            if (method.getParameterCount() == 0 && !method.isBridge() && Annotations.isValue(method)) value = method;
        }
    }

    /** Gives parameters to the members of these names. */
    void join(Executable executable, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            Parameter parameter = executable.getParameters()[i];
            Member member = withKey(names.get(i));
            member.parameter = parameter;
            member.argument = i;
        }
    }

    private Member withKey(String name) {
        if (has(name)) return of(name);
        return all.values().stream()
                .filter(each -> each.isProperty() && each.key().equals(name))
                .findFirst()
                .orElseGet(() -> of(name));
    }

    /** Returns the properties in the order in which they are written; those of parameters even if they are ignored. */
    List<Member> properties() {
        List<Member> properties = new ArrayList<>(all.values());
        properties.removeIf(each -> !each.isProperty() || each.argument < 0 && isIgnored(each));
        List<String> order = Annotations.order(type);
        properties.sort((a, b) -> Integer.compare(place(order, a), place(order, b)));
        return properties;
    }

    private static int place(List<String> order, Member member) {
        int place = Math.max(order.indexOf(member.key()), order.indexOf(member.name));
        return place < 0 ? order.size() : place;
    }

    /** Whether a property is neither written nor read. */
    boolean isIgnored(Member member) {
        return member.isIgnored() || Annotations.ignoredNames(type).contains(member.key());
    }
}
