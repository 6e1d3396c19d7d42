package packord.decode;

import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;
import packord.ErrorKind;
import packord.PackordException;
import packord.typed.BeanType;
import packord.typed.Property;

/** Reads a map into a record, or into another object with properties. Entries of other names are skipped. */
final class BeanTarget implements Target {
    /** Of properties that are only written, or neither. */
    private static final Target SKIPPED = TypedReader::read;

    /** What keys are read into. */
    static final Target NAMES = Scalars.of(String.class);

    private final Class<?> type;
    private final BeanType bean;
    private final Function<Type, Target> find;

    /** Found when the first object is read, because a class may have properties of itself. */
    private volatile Target[] targets;

    /** The key of each property when it was read last. Keys that are remembered are one object. */
    private final Object[] recentKeys;

    BeanTarget(Class<?> type, BeanType bean, Function<Type, Target> find) {
        this.type = type;
        this.bean = bean;
        this.find = find;
        recentKeys = new Object[bean.properties.size()];
    }

    private Target[] targets() {
        Target[] found = targets;
        if (found == null) {
            List<Property> properties = bean.properties;
            found = new Target[properties.size()];
            for (int i = 0; i < found.length; i++) {
                found[i] = properties.get(i).isTaken() ? find.apply(properties.get(i).type) : SKIPPED;
            }
            targets = found;
        }
        return found;
    }

    @Override
    public Object read(TypedReader in, int depth, long pending) {
        if (!in.isMap()) return in.ofExtension(type, "a map", depth, pending);
        int markerOffset = in.pos;
        Fields fields = fields(in);
        in.entries(fields, depth, pending);
        return fields.make(markerOffset);
    }

    /** Whether an entry of this key is a property. */
    boolean hasProperty(String key) {
        return bean.indexOf(key) >= 0;
    }

    /** Takes the entries of one map. */
    Fields fields(TypedReader in) {
        return new Fields(in, targets());
    }

    final class Fields implements TypedReader.Entries {
        private final Object[] values;
        private final boolean[] present;
        private final TypedReader in;
        private final Target[] all;
        private int index = -1;

        Fields(TypedReader in, Target[] all) {
            this.in = in;
            this.all = all;
            values = new Object[all.length];
            present = new boolean[all.length];
        }

        @Override
        public Target keys() {
            return NAMES;
        }

        @Override
        public void key(Object key, int keyOffset) {
            int guess = index + 1;
            if (guess < recentKeys.length && recentKeys[guess] == key) {
                index = guess;
            } else {
                index = key instanceof String ? bean.indexOf((String) key) : -1;
                if (index >= 0) recentKeys[index] = key;
            }
            if (index >= 0 && present[index] && in.refusesTwice()) {
                throw in.error(ErrorKind.DUPLICATE_KEY, keyOffset, null);
            }
        }

        @Override
        public void value(int depth, long pending) {
            if (index < 0 || in.isUndefined()) {
                in.read(depth, pending);
            } else {
                values[index] = in.read(all[index], depth, pending);
                present[index] = true;
            }
        }

        private void fill(int markerOffset) {
            for (int i = 0; i < values.length; i++) {
                if (present[i] || !bean.isNeeded(i)) continue;
                Property property = bean.properties.get(i);
                values[i] = all[i] == SKIPPED ? property.zero() : all[i].absent();
                if (values[i] == REQUIRED) {
                    throw in.mismatch(markerOffset, PackordException.detail("missing field", property.name));
                }
            }
        }

        /** Makes the object of the map at an index. */
        Object make(int markerOffset) {
            if (bean.hasArguments()) fill(markerOffset);
            try {
                return bean.make(values, present);
            } catch (RuntimeException exception) {
                throw unmade(in, type, markerOffset, exception);
            }
        }
    }

    /** Returns the error for an object whose class has thrown an exception. */
    static RuntimeException unmade(TypedReader in, Class<?> type, int markerOffset, RuntimeException exception) {
        String detail = type.getSimpleName() + " cannot be made: " + exception.getMessage();
        return in.error(ErrorKind.TYPE_MISMATCH, markerOffset, detail, exception);
    }
}
