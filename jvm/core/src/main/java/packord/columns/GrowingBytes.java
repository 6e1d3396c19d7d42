package packord.columns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow as they are written, with little-endian numbers. */
class GrowingBytes {
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The bytes, up to {@link #size}. */
  byte[] bytes;

  /** The number of bytes that were written. */
  int size;

  GrowingBytes(int capacity) {
    bytes = new byte[capacity];
  }

  /** Makes room for {@code count} more bytes. */
  final void room(long count) {
    if (bytes.length - size >= count) return;
    long wanted = Math.max(2L * bytes.length, size + count);
    MalformedColumns.need(size + count <= MAX_ARRAY);
    bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, MAX_ARRAY));
  }

  /** Returns what was written. */
  final byte[] toBytes() {
    return bytes.length == size ? bytes : Arrays.copyOf(bytes, size);
  }

  /** Returns the array in which it was written, up to {@link #size}. */
  final byte[] array() {
    return bytes;
  }

  /** Adds bytes as they are. */
  final void raw(byte[] from, int at, int count) {
    room(count);
    // Most are shorter than what a call that copies arrays is worth.
    if (count < 12) for (int i = 0; i < count; i++) bytes[size + i] = from[at + i];
    else System.arraycopy(from, at, bytes, size, count);
    size += count;
  }

  /** Adds bytes 00. */
  final void zeros(int count) {
    room(count);
    Arrays.fill(bytes, size, size + count, (byte) 0);
    size += count;
  }

  /** Adds one byte. */
  final void u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  /** Adds the low {@code width} bytes of a number: 1, 2, 4 or 8. There must be room. */
  final void little(long value, int width) {
    switch (width) {
      case 1:
        bytes[size] = (byte) value;
        break;
      case 2:
        SHORT.set(bytes, size, (short) value);
        break;
      case 4:
        INT.set(bytes, size, (int) value);
        break;
      default:
        LONG.set(bytes, size, value);
    }
    size += width;
  }
}
