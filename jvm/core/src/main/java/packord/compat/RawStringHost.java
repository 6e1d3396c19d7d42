package packord.compat;

import clojure.lang.AFn;
import clojure.lang.IFn;
import packord.decode.ClojureHost;

/** A host that returns each str as its bytes, as before MessagePack told text from bytes. */
public final class RawStringHost extends ClojureHost {
    private static final IFn SAME = new AFn() {
        @Override
        public Object invoke(Object key) {
            return key;
        }
    };

    /** Makes a host. With a function of keys no keys are remembered, all of which are strings. */
    public RawStringHost(IFn keyFn) {
        super(false, keyFn == null ? SAME : keyFn);
    }

    @Override
    protected boolean hasOwnScalars() {
        return false;
    }

    @Override
    protected boolean hasRawStrings() {
        return true;
    }
}
