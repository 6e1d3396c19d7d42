package packord.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in byte arrays. */
public final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  /** Reads 16 bits at index {@code i}, 0 to 65535. */
  public static int u16(byte[] b, int i) {
    return (short) SHORT.get(b, i) & 0xffff;
  }

  /** Reads 32 bits at index {@code i}. */
  public static int i32(byte[] b, int i) {
    return (int) INT.get(b, i);
  }

  /** Reads 32 bits at index {@code i}, 0 to 2^32 - 1. */
  public static long u32(byte[] b, int i) {
    return (int) INT.get(b, i) & 0xffffffffL;
  }

  /** Reads 64 bits at index {@code i}. */
  public static long i64(byte[] b, int i) {
    return (long) LONG.get(b, i);
  }

  /** Writes the low 16 bits of {@code v} at index {@code i}. */
  public static void put16(byte[] b, int i, int v) {
    SHORT.set(b, i, (short) v);
  }

  /** Writes 32 bits at index {@code i}. */
  public static void put32(byte[] b, int i, int v) {
    INT.set(b, i, v);
  }

  /** Writes 64 bits at index {@code i}. */
  public static void put64(byte[] b, int i, long v) {
    LONG.set(b, i, v);
  }
}
