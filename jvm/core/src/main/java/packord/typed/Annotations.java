package packord.typed;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What annotations say: those of this library, and those of Jackson, of JSON-B and of the JDK that mean the same. They
 * are known by their names, so that none of these libraries is needed.
 */
final class Annotations {
    private static final Set<String> PACKAGES = Set.of(
            "packord",
            "com.fasterxml.jackson.annotation",
            "jakarta.json.bind.annotation",
            "javax.json.bind.annotation",
            "java.beans");

    /** The attribute that has a meaning, for each annotation that has it. Those without one say it by being there. */
    private static final String[] NAME = {"Packed.name", "JsonProperty.value", "JsonbProperty.value"},
            ALIASES = {"Packed.aliases", "JsonAlias.value"},
            IGNORED = {"Packed.ignored", "JsonIgnore.value", "Transient.value", "JsonbTransient"},
            IGNORED_NAMES = {"JsonIgnoreProperties.value"},
            ORDER = {"JsonPropertyOrder.value", "JsonbPropertyOrder.value"},
            CREATOR = {"Packed", "JsonCreator", "JsonbCreator", "ConstructorProperties"},
            MODE = {"JsonCreator.mode"},
            PARAMETERS = {"ConstructorProperties.value"},
            VALUE = {"JsonValue.value"},
            OWN_TAG = {"Packed.tag"},
            TAG = {"JsonTypeInfo.property", "JsonbTypeInfo.key"},
            SUBTYPES = {"Packed.subtypes", "JsonSubTypes.value", "JsonbTypeInfo.value"},
            SUBTYPE = {"Type.value", "JsonbSubtype.type"},
            SUBTYPE_NAME = {"Type.name", "JsonbSubtype.alias"},
            TYPE_NAME = {"Packed.name", "JsonTypeName.value"};

    private Annotations() {}

    /** Returns the name that is given to a member or parameter, or null. */
    static String name(AnnotatedElement element) {
        return text(find(element, NAME));
    }

    /** Whether a member is a property for its annotations alone. */
    static boolean isNamed(AnnotatedElement element) {
        return find(element, NAME) != null && !isIgnored(element);
    }

    static List<String> aliases(AnnotatedElement element) {
        return strings(find(element, ALIASES));
    }

    static boolean isIgnored(AnnotatedElement element) {
        return Boolean.TRUE.equals(find(element, IGNORED));
    }

    /** Returns the names of properties that a class ignores. */
    static List<String> ignoredNames(Class<?> type) {
        return strings(find(type, IGNORED_NAMES));
    }

    /** Returns the names of properties in the order in which a class wants them. */
    static List<String> order(Class<?> type) {
        return strings(find(type, ORDER));
    }

    /** Whether objects are to be made by a constructor or static method. */
    static boolean isCreator(Executable executable) {
        return find(executable, CREATOR) != null && !"DISABLED".equals(mode(executable));
    }

    /** Returns DELEGATING, PROPERTIES, another word or null. */
    static String mode(Executable executable) {
        Object mode = find(executable, MODE);
        return mode == null ? null : mode.toString();
    }

    /** Returns the names of the parameters of a constructor. */
    static List<String> parameters(Executable executable) {
        return strings(find(executable, PARAMETERS));
    }

    /** Whether a method returns the value that stands for its object. */
    static boolean isValue(Method method) {
        return Boolean.TRUE.equals(find(method, VALUE));
    }

    /** Returns the key of the entry that tells the subtypes of a class apart, or null. */
    static String tag(Class<?> type) {
        String own = text(find(type, OWN_TAG));
        Object other = own == null ? find(type, TAG) : own;
        return other == null || text(other) != null ? (String) other : "@type";
    }

    /** Returns the classes, or the annotations of a class each, that a class names as its subtypes. */
    static Object[] subtypes(Class<?> type) {
        Object found = find(type, SUBTYPES);
        return found == null ? new Object[0] : (Object[]) found;
    }

    /** Returns the class that an entry of {@link #subtypes} names. */
    static Class<?> subtype(Object entry) {
        return entry instanceof Class ? (Class<?>) entry : (Class<?>) attribute((Annotation) entry, SUBTYPE);
    }

    /** Returns the name of the class that an entry of {@link #subtypes} gives it, or null. */
    static String subtypeName(Object entry) {
        return entry instanceof Class ? null : text(attribute((Annotation) entry, SUBTYPE_NAME));
    }

    /** Returns the name of a class as a tag has it, or null. */
    static String typeName(Class<?> type) {
        return text(find(type, TYPE_NAME));
    }

    private static String text(Object value) {
        return value == null || value.equals("") ? null : (String) value;
    }

    private static List<String> strings(Object value) {
        return value == null ? List.of() : Arrays.asList((String[]) value);
    }

    /** Returns the first of these attributes that an annotation of the element has, or null. */
    private static Object find(AnnotatedElement element, String[] wanted) {
        for (Annotation annotation : element.getAnnotations()) {
            if (!PACKAGES.contains(annotation.annotationType().getPackageName())) continue;
            Object value = attribute(annotation, wanted);
            if (value != null) return value;
        }
        return null;
    }

    private static Object attribute(Annotation annotation, String[] wanted) {
        Class<?> type = annotation.annotationType();
        for (String each : wanted) {
            String[] parts = each.split("\\.");
            if (!parts[0].equals(type.getSimpleName())) continue;
            if (parts.length == 1) return true;
            try {
                Method method = type.getMethod(parts[1]);
                method.trySetAccessible();
                return method.invoke(annotation);
            } catch (ReflectiveOperationException exception) {
                return null; // Of another version, which does not have it.
            }
        }
        return null;
    }
}
