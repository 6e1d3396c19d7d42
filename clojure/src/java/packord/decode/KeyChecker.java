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

/** Finds a key that occurs twice, or out of canonical order, in one map. */
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

  /** Returns the fault of the key that was read from {@code bytes[from, to)}, or null. */
  ErrorKind check(byte[] bytes, int from, int to, Object key) {
    if (!ordered) return seen.add(identity(bytes, from, to, key)) ? null : ErrorKind.DUPLICATE_KEY;
    int order = keys == 0 ? -1 : compareWith(keys - 1, bytes, from, to);
    if (order > 0) {
      return isRepeated(bytes, from, to) ? ErrorKind.DUPLICATE_KEY : ErrorKind.NOT_CANONICAL;
    }
    if (2 * keys == ranges.length) ranges = Arrays.copyOf(ranges, 4 * keys);
    ranges[2 * keys] = from;
    ranges[2 * keys + 1] = to;
    keys++;
    return order < 0 ? null : ErrorKind.DUPLICATE_KEY;
  }

  private int compareWith(int index, byte[] bytes, int from, int to) {
    return compare(bytes, ranges[2 * index], ranges[2 * index + 1], from, to);
  }

  private boolean isRepeated(byte[] bytes, int from, int to) {
    for (int i = 0; i < keys; i++) {
      if (compareWith(i, bytes, from, to) == 0) return true;
    }
    return false;
  }

  private static int compare(byte[] bytes, int from1, int to1, int from2, int to2) {
    int str1 = Marker.strPayload(bytes, from1);
    int str2 = Marker.strPayload(bytes, from2);
    if (str1 < 0 != str2 < 0) return str1 < 0 ? 1 : -1;
    return Arrays.compareUnsigned(
        bytes, Math.max(str1, from1), to1, bytes, Math.max(str2, from2), to2);
  }

  /** Two keys are the same if their canonical encodings are. A str stands for itself. */
  private static Object identity(byte[] bytes, int from, int to, Object key) {
    if (Marker.strPayload(bytes, from) >= 0) return key;
    try {
      Object plain = new Decoder(PLAIN).message(bytes, from, to - from);
      Encoder encoder = new Encoder(CANONICAL);
      encoder.message(plain);
      return ByteBuffer.wrap(encoder.toBytes());
    } catch (PackordException error) {
      return key == null ? KeyChecker.class : key;
    }
  }
}
