package packord.typed;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The constructor or static method that makes objects of a class. */
final class Creator {
    private static final MethodType MAKE = MethodType.methodType(Object.class, Object.class);

    final Executable executable;

    /** The names of the parameters, keys or names in Java; null if the one parameter stands for the object. */
    final List<String> names;

    private final MethodHandle handle;

    /** Takes the parameters and masks of those that are missing, as Kotlin compiles defaults; or null. */
    private final MethodHandle defaults;

    private Creator(Executable executable, List<String> names) throws ReflectiveOperationException {
        this.executable = executable;
        this.names = names;
        handle = handle(executable);
        Constructor<?> other = withDefaults(executable);
        defaults = other == null ? null : handle(other);
    }

    private static MethodHandle handle(Executable executable) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle handle = executable instanceof Method
                ? lookup.unreflect((Method) executable)
                : lookup.unreflectConstructor((Constructor<?>) executable);
        int count = executable.getParameterCount();
        if (count > 0) return handle.asSpreader(Object[].class, count).asType(MAKE);
        return MethodHandles.dropArguments(handle.asType(MethodType.methodType(Object.class)), 0, Object.class);
    }

    /** Finds the way to make objects of a class; null if there is none that this library may use. */
    static Creator of(Class<?> type, Members members) throws ReflectiveOperationException {
        List<Executable> all = new ArrayList<>(Arrays.asList(type.getDeclaredConstructors()));
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType()))
                all.add(method);
        }
        for (Executable each : all) {
            if (!Annotations.isCreator(each) || !each.trySetAccessible()) continue;
            if (isWhole(each, members)) return new Creator(each, null);
            List<String> names = annotatedNames(each, members);
            return names == null ? null : new Creator(each, names);
        }
        if (Modifier.isAbstract(type.getModifiers())) return null;
        Executable best = null;
        for (Executable each : type.getDeclaredConstructors()) {
            boolean fits = each.getParameterCount() == 0 || names(each, members) != null;
            if (fits && !each.isSynthetic() && (best == null || isBetter(each, best, members))) best = each;
        }
        return best == null || !best.trySetAccessible() ? null : new Creator(best, names(best, members));
    }

    /** One without parameters is the better one if no property needs another, and else the one with more. */
    private static boolean isBetter(Executable one, Executable other, Members members) {
        if (one.getParameterCount() > 0 && other.getParameterCount() > 0) {
            return one.getParameterCount() > other.getParameterCount();
        }
        boolean canBeSet = members.properties().stream().allMatch(each -> each.setter != null || !isFinal(each.field));
        return canBeSet == (one.getParameterCount() == 0);
    }

    private static boolean isFinal(Field field) {
        return field != null && Modifier.isFinal(field.getModifiers());
    }

    /** Returns the creator of a record, which has a parameter for each component. */
    static Creator ofRecord(Class<?> type, Members members) throws ReflectiveOperationException {
        Creator chosen = of(type, members);
        if (chosen != null && Annotations.isCreator(chosen.executable)) return chosen;
        Class<?>[] types = members.ownFields().stream().map(Field::getType).toArray(Class<?>[]::new);
        List<String> names = new ArrayList<>();
        for (Field field : members.ownFields()) names.add(field.getName());
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        return constructor.trySetAccessible() ? new Creator(constructor, names) : null;
    }

    /** Whether the only parameter of an annotated creator stands for the object. */
    private static boolean isWhole(Executable executable, Members members) {
        if (executable.getParameterCount() != 1
                || !Annotations.parameters(executable).isEmpty()) return false;
        Parameter parameter = executable.getParameters()[0];
        String mode = Annotations.mode(executable);
        if (mode != null && !mode.equals("DEFAULT")) return mode.equals("DELEGATING");
        boolean isNamed = parameter.isNamePresent() && members.has(parameter.getName());
        return !isNamed && Annotations.name(parameter) == null;
    }

    /** Returns what the parameters of an annotated creator are called; null if this is not known. */
    private static List<String> annotatedNames(Executable executable, Members members) {
        List<String> names = new ArrayList<>(Annotations.parameters(executable));
        if (!names.isEmpty()) return names;
        for (Parameter parameter : executable.getParameters()) {
            String name = Annotations.name(parameter);
            names.add(name == null && parameter.isNamePresent() ? parameter.getName() : name);
        }
        return names.contains(null) ? byOrder(executable, members) : names;
    }

    /** Returns the names of the properties that a constructor takes; null if they are not known for sure. */
    private static List<String> names(Executable executable, Members members) {
        Parameter[] parameters = executable.getParameters();
        if (parameters.length == 0) return List.of();
        if (!parameters[0].isNamePresent()) return byOrder(executable, members);
        List<String> names = new ArrayList<>();
        for (Parameter parameter : parameters) {
            String name = parameter.getName();
            if (!members.has(name)) return null;
            names.add(name);
        }
        return names;
    }

    /** The parameters of a constructor whose types are those of the fields, one for each, are these fields. */
    private static List<String> byOrder(Executable executable, Members members) {
        Class<?>[] types = executable.getParameterTypes();
        List<Field> fields = members.ownFields();
        Class<?> type = executable.getDeclaringClass();
        boolean isWhole = type.getSuperclass().getDeclaredFields().length == 0 && types.length == fields.size();
        // The fields of Kotlin's primary constructor are the first ones.
        if (!isWhole && !(Members.isKotlin(type) && types.length <= fields.size())) return null;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            if (fields.get(i).getType() != types[i]) return null;
            names.add(fields.get(i).getName());
        }
        return names;
    }

    private static Constructor<?> withDefaults(Executable executable) {
        int count = executable.getParameterCount();
        for (Constructor<?> each : executable.getDeclaringClass().getDeclaredConstructors()) {
            Class<?>[] types = each.getParameterTypes();
            boolean fits = executable instanceof Constructor && types.length == count + (count + 31) / 32 + 1;
            String last = fits ? types[types.length - 1].getName() : "";
            if (last.equals("kotlin.jvm.internal.DefaultConstructorMarker") && each.trySetAccessible()) {
                return each;
            }
        }
        return null;
    }

    /** Whether an argument may be missing whatever its type. */
    boolean hasDefaults() {
        return defaults != null;
    }

    Object make(Object[] arguments) {
        return Calls.invoke(handle, arguments);
    }

    /** Makes an object, arguments that are missing as the program wants them. */
    Object makeWithDefaults(Object[] arguments, boolean[] present) {
        int count = arguments.length;
        Object[] all = Arrays.copyOf(arguments, count + (count + 31) / 32 + 1);
        int[] masks = new int[(count + 31) / 32];
        for (int i = 0; i < count; i++) {
            if (present[i]) continue;
            masks[i / 32] |= 1 << i;
            all[i] = Property.zero(executable.getParameterTypes()[i]);
        }
        for (int i = 0; i < masks.length; i++) all[count + i] = masks[i];
        return Calls.invoke(defaults, all);
    }
}
