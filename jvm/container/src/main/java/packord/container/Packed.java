package packord.container;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import packord.wire.Bytes;
import packord.wire.Marker;

/** Grows by values in their smallest formats: headers, blocks and indexes. */
final class Packed {
  private static final int FIRST = 256;

  byte[] bytes = new byte[FIRST];
  int size;

  private void room(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, Math.max(2L * bytes.length, size + (long) count)));
    }
  }

  /** Forgets what was written, and the array if it is too large to keep. */
  void clear(int kept) {
    size = 0;
    if (bytes.length > kept) bytes = new byte[FIRST];
  }

  void raw(byte[] more, int from, int count) {
    room(count);
    System.arraycopy(more, from, bytes, size, count);
    size += count;
  }

  void raw(byte[] more) {
    raw(more, 0, more.length);
  }

  void nil() {
    put(Marker.NIL, 0, 0);
  }

  void bool(boolean value) {
    put(value ? Marker.TRUE : Marker.FALSE, 0, 0);
  }

  void uint(long value) {
    if (value < 128) put((int) value, 0, 0);
    else if (value < 1 << 8) put(Marker.UINT8, value, 1);
    else if (value < 1 << 16) put(Marker.UINT16, value, 2);
    else if (value < 1L << 32) put(Marker.UINT32, value, 4);
    else put(Marker.UINT64, value, 8);
  }

  void array(int count) {
    if (count < 16) put(Marker.FIXARRAY | count, 0, 0);
    else if (count < 1 << 16) put(Marker.ARRAY16, count, 2);
    else put(Marker.ARRAY32, count, 4);
  }

  void map(int count) {
    if (count < 16) put(Marker.FIXMAP | count, 0, 0);
    else if (count < 1 << 16) put(Marker.MAP16, count, 2);
    else put(Marker.MAP32, count, 4);
  }

  void str(String string) {
    byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
    int count = utf8.length;
    if (count < 32) put(Marker.FIXSTR | count, 0, 0);
    else if (count < 1 << 8) put(Marker.STR8, count, 1);
    else if (count < 1 << 16) put(Marker.STR16, count, 2);
    else put(Marker.STR32, count, 4);
    raw(utf8, 0, count);
  }

  /** Writes the header of a bin. */
  void bin(int count) {
    if (count < 1 << 8) put(Marker.BIN8, count, 1);
    else if (count < 1 << 16) put(Marker.BIN16, count, 2);
    else put(Marker.BIN32, count, 4);
  }

  private void put(int marker, long number, int width) {
    room(9);
    bytes[size] = (byte) marker;
    if (width == 1) bytes[size + 1] = (byte) number;
    else if (width == 2) Bytes.put16(bytes, size + 1, (int) number);
    else if (width == 4) Bytes.put32(bytes, size + 1, (int) number);
    else if (width == 8) Bytes.put64(bytes, size + 1, number);
    size += 1 + width;
  }

  /** Returns a copy of what was written. */
  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
