package packord.compat;

import clojure.lang.AFn;
import clojure.lang.IFn;
import packord.Options;
import packord.decode.ClojureDecoder;

/** A decoder that returns each str as its bytes, as before MessagePack told text from bytes. */
public final class RawStringDecoder extends ClojureDecoder {
  private static final IFn SAME =
      new AFn() {
        @Override
        public Object invoke(Object key) {
          return key;
        }
      };

  /** Makes a decoder. With a function of keys no keys are remembered, all of which are strings. */
  public RawStringDecoder(Options options, IFn keyFn) {
    super(options, false, keyFn == null ? SAME : keyFn);
  }

  @Override
  protected boolean hasOwnScalars() {
    return false;
  }

  @Override
  protected Object string(long size, int markerOffset) {
    return stringBytes(size, markerOffset);
  }
}
