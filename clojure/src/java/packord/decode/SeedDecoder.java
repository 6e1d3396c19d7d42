package packord.decode;

import clojure.lang.IFn;
import java.math.BigInteger;
import packord.Options;

/** A decoder whose numbers have the types that msgpack-clj gives them. */
public final class SeedDecoder extends ClojureDecoder {
  private static final int UINT32 = 4;
  private static final int UINT64 = 8;
  private static final int INT64 = -8;

  /** Makes a decoder; see {@link ClojureDecoder}. */
  public SeedDecoder(Options options, boolean keywords, IFn keyFn) {
    super(options, keywords, keyFn);
  }

  @Override
  protected Object integer(long v, int format) {
    if (format == UINT64) return BigInteger.valueOf(v);
    if (format == UINT32 || format == INT64) return v;
    return (int) v;
  }

  @Override
  protected Object bigInteger(BigInteger v) {
    return v;
  }

  @Override
  protected Object float32(float v) {
    return v;
  }

  @Override
  protected Object float64(double v) {
    return (float) v;
  }
}
