package packord;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how a class, or a part of one, is written as a map. On a constructor or a static method it chooses what objects
 * are made by. A property takes it on its field, getter, setter, parameter or component.
 *
 * <pre>{@code
 * record User(@Packed(name = "user_id", aliases = "uid") long id, @Packed(ignored = true) String password) {}
 *
 * @Packed(tag = "kind")
 * sealed interface Shape permits Circle, Square {}
 *
 * @Packed(name = "circle")
 * record Circle(double radius) implements Shape {}
 * }</pre>
 *
 * <p>The annotations of Jackson and of JSON-B that mean the same are known too.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.PARAMETER})
public @interface Packed {
    /**
     * The key of a property, the str of a constant of an enum, or the tag of a class; empty for the default. By default
     * the name in Java.
     */
    String name() default "";

    /** Other keys that a property is read from. */
    String[] aliases() default {};

    /** Whether a property is neither written nor read. */
    boolean ignored() default false;

    /** The key, before all others, of the entry that tells the classes below this one apart; empty if there is none. */
    String tag() default "";

    /** The classes below this one, of a class that is not sealed and has a tag; those that are permitted by default. */
    Class<?>[] subtypes() default {};
}
