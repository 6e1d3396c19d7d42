package packord;

import clojure.lang.IFn;
import packord.decode.ClojureDecoder;
import packord.encode.ClojureEncoder;

/** Packers and unpackers for Clojure's data; {@code packord.core} is the front to them. */
public final class ClojureData {
  private ClojureData() {}

  /**
   * A packer that also takes keywords as keys, Clojure's collections and BigInt.
   *
   * @param options how to pack
   * @param keyFn maps every key before it is packed, or null
   * @param keywords what becomes of keywords
   * @return a packer
   */
  public static Packer packer(Options options, IFn keyFn, ClojureEncoder.Keywords keywords) {
    return Packer.of(options, () -> new ClojureEncoder(options, keyFn, keywords));
  }

  /**
   * An unpacker that gives vectors, persistent maps and BigInt.
   *
   * @param options how to unpack
   * @param keywords whether str keys become keywords
   * @param keyFn maps every key, or null
   * @return an unpacker
   */
  public static Unpacker unpacker(Options options, boolean keywords, IFn keyFn) {
    return Unpacker.of(options, () -> new ClojureDecoder(options, keywords, keyFn));
  }
}
