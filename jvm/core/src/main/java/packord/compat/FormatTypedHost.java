package packord.compat;

import clojure.lang.IFn;
import java.math.BigInteger;
import packord.decode.ClojureHost;

/**
 * A host whose integers have the Java type that fits their format, as msgpack-clj returns them: Integer, Long from uint
 * 32 and int 64, BigInteger from uint 64. All floats are Float.
 */
public final class FormatTypedHost extends ClojureHost {
    private static final int UINT32 = 4;
    private static final int UINT64 = 8;
    private static final int INT64 = -8;

    /** Makes a host; see {@link ClojureHost}. */
    public FormatTypedHost(boolean keywords, IFn keyFn) {
        super(keywords, keyFn);
    }

    @Override
    protected boolean hasOwnScalars() {
        return false;
    }

    @Override
    protected Object integer(long value, int format) {
        if (format == UINT64) return BigInteger.valueOf(value);
        if (format == UINT32 || format == INT64) return value;
        return (int) value;
    }

    @Override
    protected Object bigInteger(BigInteger value) {
        return value;
    }

    @Override
    protected Object float32(float value) {
        return value;
    }

    @Override
    protected Object float64(double value) {
        return (float) value;
    }
}
