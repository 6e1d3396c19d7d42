package packord.decode;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.encode.Encoder;
import packord.wire.Marker;

/** Finds a key that is there twice, or out of canonical order, in one map. */
final class KeyChecker {
  private static final Options PLAIN = Options.builder().bigint(true).maxDepth(1 << 20).build();
  private static final Options CANONICAL =
      Options.builder().canonical(true).bigint(true).maxDepth(1 << 20).build();

  private final boolean ordered;
  private final Set<Object> seen;
  private int[] ranges = new int[16];
  private int keys;

  KeyChecker(boolean ordered, int expected) {
    this.ordered = ordered;
    this.seen = ordered ? null : new HashSet<>(Math.min(expected * 2, 1 << 16));
  }

  /** The fault of the key that was read from {@code b[from, to)}, or null. */
  ErrorKind check(byte[] b, int from, int to, Object key) {
    if (!ordered) return seen.add(identity(b, from, to, key)) ? null : ErrorKind.DUPLICATE_KEY;
    int order = keys == 0 ? -1 : compareWith(keys - 1, b, from, to);
    if (order > 0) return isRepeated(b, from, to) ? ErrorKind.DUPLICATE_KEY : ErrorKind.NOT_CANONICAL;
    if (2 * keys == ranges.length) ranges = Arrays.copyOf(ranges, 4 * keys);
    ranges[2 * keys] = from;
    ranges[2 * keys + 1] = to;
    keys++;
    return order < 0 ? null : ErrorKind.DUPLICATE_KEY;
  }

  private int compareWith(int i, byte[] b, int from, int to) {
    return compare(b, ranges[2 * i], ranges[2 * i + 1], from, to);
  }

  private boolean isRepeated(byte[] b, int from, int to) {
    for (int i = 0; i < keys; i++) {
      if (compareWith(i, b, from, to) == 0) return true;
    }
    return false;
  }

  private static int compare(byte[] b, int from1, int to1, int from2, int to2) {
    int text1 = textStart(b, from1);
    int text2 = textStart(b, from2);
    if (text1 < 0 != text2 < 0) return text1 < 0 ? 1 : -1;
    return Arrays.compareUnsigned(
        b, Math.max(text1, from1), to1, b, Math.max(text2, from2), to2);
  }

  private static int textStart(byte[] b, int at) {
    int marker = b[at] & 0xff;
    if (marker >= Marker.FIXSTR && marker < Marker.NIL) return at + 1;
    return marker < Marker.STR8 || marker > Marker.STR32 ? -1 : at + 1 + Marker.bytesAfter(marker);
  }

  /** Two keys are the same when their canonical encodings are the same; text is its own. */
  private static Object identity(byte[] b, int from, int to, Object key) {
    if (textStart(b, from) >= 0) return key;
    try {
      Object plain = new Decoder(PLAIN).message(b, from, to - from);
      Encoder e = new Encoder(CANONICAL);
      e.message(plain);
      return ByteBuffer.wrap(e.toBytes());
    } catch (PackordException e) {
      return key == null ? KeyChecker.class : key;
    }
  }
}
