package packord.decode;

import java.util.function.IntFunction;
import packord.PackordException;

/**
 * The targets of arrays of int, long and double, whose elements become no objects on the way. An element that is not in
 * a plain format of its type is left to the target of the element.
 */
final class NumberArrays {
    private NumberArrays() {}

    /** Reads one element into an array. */
    private interface Element<A> {
        void read(TypedReader in, A array, int index, int depth, long pending);
    }

    /** Returns the target of an array of this component, or null if it has none here. */
    static Target of(Class<?> component, Target element) {
        if (component == int.class) {
            return of(component, int[]::new, (in, array, i, depth, pending) -> {
                int start = in.pos;
                if (in.nextInteger() && (int) in.number == in.number) {
                    array[i] = (int) in.number;
                } else {
                    in.pos = start;
                    array[i] = (Integer) element.read(in, depth, pending);
                }
            });
        }
        if (component == long.class) {
            return of(
                    component,
                    long[]::new,
                    (in, array, i, depth, pending) ->
                            array[i] = in.nextInteger() ? in.number : (Long) element.read(in, depth, pending));
        }
        if (component != double.class) return null;
        return of(
                component,
                double[]::new,
                (in, array, i, depth, pending) -> array[i] = in.nextFloat64()
                        ? Double.longBitsToDouble(in.number)
                        : (Double) element.read(in, depth, pending));
    }

    /** Reads an array that is an ext. */
    static Object rich(TypedReader in, Class<?> component, int depth, long pending) {
        int markerOffset = in.pos;
        Object array = in.read(depth, pending);
        if (array.getClass().getComponentType() == component) return array;
        throw in.mismatch(markerOffset, "expected an array, found ext");
    }

    private static <A> Target of(Class<?> component, IntFunction<A> maker, Element<A> element) {
        return (in, depth, pending) -> {
            TypedReader.Kind kind = in.kind();
            if (kind == TypedReader.Kind.NIL) return in.read(depth, pending);
            if (in.isReadByExtension(kind)) return rich(in, component, depth, pending);
            if (kind != TypedReader.Kind.ARRAY) throw in.mismatch("an array", kind);
            int size = in.arraySize(depth, pending);
            A array = maker.apply(size);
            int i = 0;
            try {
                for (; i < size; i++) element.read(in, array, i, depth + 1, pending + (size - 1 - i));
            } catch (RuntimeException error) {
                throw PackordException.of(error).inElement(null, i);
            }
            return array;
        };
    }
}
