package packord.decode;

import packord.typed.BeanType;

/** Reads one value of any type, which a class makes an object of. */
final class WholeTarget implements Target {
    private final Class<?> type;
    private final BeanType bean;
    private final Target whole;

    WholeTarget(Class<?> type, BeanType bean, Target whole) {
        this.type = type;
        this.bean = bean;
        this.whole = whole;
    }

    @Override
    public Object read(TypedReader in, int depth, long pending) {
        int markerOffset = in.pos;
        if (in.kind() == TypedReader.Kind.NIL) return in.read(depth, pending);
        return made(in, whole.read(in, depth, pending), markerOffset);
    }

    @Override
    public void checkKey(TypedReader in) {
        whole.checkKey(in);
    }

    @Override
    public Object ofKey(TypedReader in, Object key, int markerOffset) {
        return made(in, whole.ofKey(in, key, markerOffset), markerOffset);
    }

    private Object made(TypedReader in, Object value, int markerOffset) {
        try {
            return bean.make(value);
        } catch (RuntimeException exception) {
            throw BeanTarget.unmade(in, type, markerOffset, exception);
        }
    }
}
