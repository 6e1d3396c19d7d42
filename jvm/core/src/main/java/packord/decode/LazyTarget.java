package packord.decode;

import java.util.function.Supplier;

/** A target that is found when it is first used, for types that hold themselves. */
final class LazyTarget implements Target {
    private final Supplier<Target> find;
    private volatile Target found;

    LazyTarget(Supplier<Target> find) {
        this.find = find;
    }

    private Target target() {
        Target target = found;
        if (target == null) found = target = find.get();
        return target;
    }

    @Override
    public Object read(TypedReader in, int depth, long pending) {
        return target().read(in, depth, pending);
    }

    @Override
    public Object absent() {
        return target().absent();
    }

    @Override
    public void checkKey(TypedReader in) {
        target().checkKey(in);
    }

    @Override
    public Object ofKey(TypedReader in, Object key, int markerOffset) {
        return target().ofKey(in, key, markerOffset);
    }
}
