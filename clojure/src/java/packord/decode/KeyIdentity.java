package packord.decode;

import java.nio.ByteBuffer;
import packord.Options;
import packord.PackordException;
import packord.encode.Encoder;
import packord.wire.Marker;

/** Tells keys apart: two are the same if the values that are read are equal ({@code spec/format.md} section 5.1). */
final class KeyIdentity {
  private static final Object NIL = new Object();

  private final Options reading;
  private final Options writing;

  /** Makes the identity of keys that are read with these options. */
  KeyIdentity(Options options) {
    reading =
        options.toBuilder()
            .records(false).canonical(false).duplicateKeyError(false).maxNodes(Long.MAX_VALUE).build();
    writing = options.toBuilder().canonical(true).bigint(true).build();
  }

  /** Returns an object that is equal for the same keys. A str stands for itself. */
  Object of(byte[] bytes, int from, int to, Object key) {
    if (Marker.strPayload(bytes, from) >= 0) return key;
    try {
      Object plain = new Decoder(reading).message(bytes, from, to - from);
      Encoder encoder = new Encoder(writing).keepingFloats();
      encoder.message(plain);
      return ByteBuffer.wrap(encoder.toBytes());
    } catch (PackordException error) {
      return key == null ? NIL : key;
    }
  }
}
