package packord.notation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import packord.Options;

/**
 * The structures that are defined at a place of the notation, by their number of keys ({@code
 * spec/records.md} section 1). An id is its number in the notation, 64 + index.
 */
final class RecordIds {
  private static final int FIRST = 0x40;
  private static final int FIRST_TWO_BYTE = 0x60;
  private static final int HIGHS = 255;

  private final Map<Integer, Long> fields = new HashMap<>();
  private final boolean[] twoByte = new boolean[0x80];

  /** Makes the structures of a message that begins. */
  RecordIds(Options options) {
    if (options.structures == null) return;
    List<? extends List<String>> shared = options.structures.get();
    for (int i = 0; i < Math.min(shared.size(), Options.MAX_STRUCTURES); i++) {
      fields.put(FIRST + i, (long) shared.get(i).size());
      if (i >= 32) twoByte[FIRST_TWO_BYTE + i % 32] = true;
    }
  }

  static boolean exists(int id, boolean twoByte) {
    return twoByte
        ? id >= FIRST_TWO_BYTE && id < FIRST_TWO_BYTE + 32 * HIGHS
        : id >= FIRST && id < 2 * FIRST;
  }

  private static int low(int id, boolean twoByte) {
    return twoByte ? FIRST_TWO_BYTE + id % 32 : id;
  }

  static void put(PackedText out, int id, boolean twoByte) {
    out.put(low(id, twoByte));
    if (twoByte) out.put((id - FIRST_TWO_BYTE) / 32);
  }

  void define(int id, boolean isTwoByte, long keys) {
    fields.put(id, keys);
    if (low(id, isTwoByte) >= FIRST_TWO_BYTE) twoByte[low(id, isTwoByte)] = isTwoByte;
  }

  /** Returns the number of keys of the structure that this id means here, or -1. */
  long fields(int id, boolean isTwoByte) {
    return twoByte[low(id, isTwoByte)] == isTwoByte ? fields.getOrDefault(id, -1L) : -1;
  }

  /** Whether a decoder reads this byte as the beginning of a record. */
  boolean meansRecord(int low) {
    return twoByte[low] || fields.containsKey(low);
  }
}
