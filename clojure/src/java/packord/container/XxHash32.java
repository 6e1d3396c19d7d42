package packord.container;

import packord.wire.Bytes;

/** The checksum of LZ4's frames, with the seed 0. */
final class XxHash32 {
  private static final int P1 = 0x9e3779b1,
      P2 = 0x85ebca77,
      P3 = 0xc2b2ae3d,
      P4 = 0x27d4eb2f,
      P5 = 0x165667b1;

  private XxHash32() {}

  /** Returns the hash of {@code count} bytes. */
  static int of(byte[] bytes, int from, int count) {
    int at = from;
    int end = from + count;
    int hash = P5;
    if (count >= 16) {
      int a = P1 + P2;
      int b = P2;
      int c = 0;
      int d = -P1;
      for (; at <= end - 16; at += 16) {
        a = round(a, bytes, at);
        b = round(b, bytes, at + 4);
        c = round(c, bytes, at + 8);
        d = round(d, bytes, at + 12);
      }
      hash =
          Integer.rotateLeft(a, 1)
              + Integer.rotateLeft(b, 7)
              + Integer.rotateLeft(c, 12)
              + Integer.rotateLeft(d, 18);
    }
    hash += count;
    for (; at <= end - 4; at += 4) {
      hash = Integer.rotateLeft(hash + Bytes.little32(bytes, at) * P3, 17) * P4;
    }
    for (; at < end; at++) hash = Integer.rotateLeft(hash + (bytes[at] & 0xff) * P5, 11) * P1;
    hash = (hash ^ hash >>> 15) * P2;
    hash = (hash ^ hash >>> 13) * P3;
    return hash ^ hash >>> 16;
  }

  private static int round(int lane, byte[] bytes, int at) {
    return Integer.rotateLeft(lane + Bytes.little32(bytes, at) * P2, 13) * P1;
  }
}
