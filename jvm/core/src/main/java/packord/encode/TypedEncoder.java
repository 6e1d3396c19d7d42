package packord.encode;

import java.util.Arrays;
import packord.Options;
import packord.PackordException;
import packord.typed.BeanType;
import packord.typed.Property;

/** Writes Java's data: an {@link Encoder} that tells common classes apart by identity, those with properties too. */
public final class TypedEncoder extends Encoder {
    private static final int SLOTS = 64;

    /** A class that was written as a map before, with its packed keys. */
    private static final class Known {
        final Class<?> type;
        final Property[] properties;
        final byte[][] keys;

        Known(Class<?> type, Property[] properties, byte[][] keys) {
            this.type = type;
            this.properties = properties;
            this.keys = keys;
        }
    }

    private final Known[] known = new Known[SLOTS];

    public TypedEncoder(Options options) {
        super(options);
    }

    /** Classes by identity first: a test for an interface that fails is slow. */
    @Override
    public void write(Object value) {
        if (value == null || extensions != null) {
            super.write(value);
            return;
        }
        Class<?> type = value.getClass();
        if (type == String.class) {
            str((String) value);
        } else if (type == Integer.class) {
            integer((Integer) value);
        } else if (type == Long.class) {
            integer((Long) value);
        } else if (type == Double.class) {
            float64OrSmaller((Double) value);
        } else if (type == Boolean.class) {
            bool((Boolean) value);
        } else {
            Known object = known[slot(type)];
            if (object != null && object.type == type) object(object, value);
            else writeCommon(value, type);
        }
    }

    private static int slot(Class<?> type) {
        return System.identityHashCode(type) & SLOTS - 1;
    }

    @Override
    Object formOf(Object value) {
        BeanType bean = beanOf(value);
        return keysFirst || bean.value != null ? super.formOf(value) : learn(bean, value.getClass());
    }

    @Override
    void writeForm(Object form, Object value) {
        if (form instanceof Known) object((Known) form, value);
        else super.writeForm(form, value);
    }

    private Known learn(BeanType bean, Class<?> type) {
        Property[] readable =
                bean.properties.stream().filter(Property::isReadable).toArray(Property[]::new);
        byte[][] keys = new byte[readable.length][];
        hold();
        int start = pos;
        for (int i = 0; i < keys.length; i++) {
            str(readable[i].name);
            keys[i] = Arrays.copyOfRange(buf, start, pos);
            pos = start;
        }
        letGo();
        Known learned = new Known(type, readable, keys);
        known[slot(type)] = learned;
        return learned;
    }

    private void object(Known object, Object value) {
        enter(value);
        Property[] properties = object.properties;
        mapHeader(properties.length);
        int i = 0;
        try {
            for (; i < properties.length; i++) {
                byte[] key = object.keys[i];
                raw(key, 0, key.length);
                write(get(properties[i], value));
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inEntry(value, properties[i].name);
        }
        leave();
    }
}
