package packord.container;

import java.util.Arrays;
import packord.wire.Bytes;

/** One frame of the LZ4 frame format. */
final class Lz4Codec extends Codec {
  private static final int MAGIC = 0x184d2204;
  private static final int VERSION = 0x40, INDEPENDENT = 0x20, BLOCK_CHECKSUM = 0x10;
  private static final int CONTENT_SIZE = 8, CONTENT_CHECKSUM = 4, RESERVED = 2, DICTIONARY = 1;
  private static final int SMALLEST_BLOCK = 4, LARGEST_BLOCK = 7;
  private static final int MOST_PER_BYTE = 255;

  /** Magic, descriptor with the size, and its checksum. */
  private static final int HEADER = 15;

  private final Lz4Block blocks = new Lz4Block();

  @Override
  byte[] compress(byte[] body, int size) {
    byte[] data = new byte[size];
    if (size <= HEADER + 8) return null;
    Bytes.putLittle32(data, 0, MAGIC);
    data[4] = VERSION | INDEPENDENT | CONTENT_SIZE;
    data[5] = LARGEST_BLOCK << 4;
    Bytes.putLittle32(data, 6, size);
    data[14] = (byte) (XxHash32.of(data, 4, 10) >>> 8);
    int at = HEADER;
    int most = blockSize(LARGEST_BLOCK);
    for (int from = 0; from < size; from += most) {
      int to = Math.min(size, from + most);
      if (at + 4 > size) return null;
      int end = blocks.compress(body, from, to, data, at + 4);
      if (end >= 0 && end - at - 4 < to - from) {
        Bytes.putLittle32(data, at, end - at - 4);
        at = end;
      } else {
        if (at + 4 + to - from > size) return null;
        Bytes.putLittle32(data, at, to - from | 1 << 31);
        System.arraycopy(body, from, data, at + 4, to - from);
        at += 4 + to - from;
      }
    }
    if (at + 4 >= size) return null;
    Bytes.putLittle32(data, at, 0);
    return Arrays.copyOf(data, at + 4);
  }

  private static int blockSize(int code) {
    return 1 << 8 + 2 * code;
  }

  @Override
  long most(int size) {
    return (long) MOST_PER_BYTE * size;
  }

  private static CodecException wrong(String what) {
    return new CodecException("lz4: " + what, null);
  }

  private static void need(byte[] data, int at, int count) throws CodecException {
    if (count > data.length - at) throw wrong("the frame is cut");
  }

  @Override
  void unpack(byte[] data, byte[] body) throws CodecException {
    need(data, 0, 7);
    if (Bytes.little32(data, 0) != MAGIC) throw wrong("the data are not a frame");
    int flags = data[4];
    int blockCode = data[5] >> 4;
    boolean isKnown =
        (flags & 0xc0) == VERSION
            && (flags & RESERVED) == 0
            && (data[5] & 0x8f) == 0
            && blockCode >= SMALLEST_BLOCK;
    if (!isKnown) throw wrong("the descriptor is not known");
    if ((flags & DICTIONARY) != 0) throw wrong("the frame needs a dictionary");
    int at = (flags & CONTENT_SIZE) != 0 ? 14 : 6;
    need(data, at, 1);
    if (data[at] != (byte) (XxHash32.of(data, 4, at - 4) >>> 8)) {
      throw wrong("the checksum of the descriptor is wrong");
    }
    boolean isSized = at == 14;
    if (isSized && (Bytes.little32(data, 6) != body.length || Bytes.i32(data, 10) != 0)) {
      throw wrong("the content has another size");
    }
    int out = 0;
    for (at++; ; ) {
      need(data, at, 4);
      int size = Bytes.little32(data, at);
      at += 4;
      if (size == 0) break;
      boolean isPlain = size < 0;
      size &= Integer.MAX_VALUE;
      int after = (flags & BLOCK_CHECKSUM) != 0 ? 4 : 0;
      if (size > blockSize(blockCode)) throw wrong("a block is too large");
      need(data, at, size + after);
      if (after > 0 && Bytes.little32(data, at + size) != XxHash32.of(data, at, size)) {
        throw wrong("the checksum of a block is wrong");
      }
      int most = Math.min(blockSize(blockCode), body.length - out);
      if (isPlain) {
        if (size > most) throw wrong("the content is too large");
        System.arraycopy(data, at, body, out, size);
        out += size;
      } else {
        int first = (flags & INDEPENDENT) != 0 ? out : 0;
        out = Lz4Block.unpack(data, at, at + size, body, first, out, out + most);
        if (out < 0) throw wrong("a block is malformed");
      }
      at += size + after;
    }
    if ((flags & CONTENT_CHECKSUM) != 0) {
      need(data, at, 4);
      if (Bytes.little32(data, at) != XxHash32.of(body, 0, out)) throw wrong("the checksum of the content is wrong");
      at += 4;
    }
    if (out != body.length) throw wrong("the content has " + out + " bytes");
    if (at != data.length) throw wrong("bytes follow the frame");
  }
}
