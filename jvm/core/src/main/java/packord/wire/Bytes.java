package packord.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in byte arrays, big-endian where nothing else is said. */
public final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle LITTLE_SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LITTLE_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LITTLE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle NATIVE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Bytes() {}

    /** Reads 16 bits at {@code index}, 0 to 65535. */
    public static int u16(byte[] bytes, int index) {
        return (short) SHORT.get(bytes, index) & 0xffff;
    }

    /** Reads 32 bits at {@code index}. */
    public static int i32(byte[] bytes, int index) {
        return (int) INT.get(bytes, index);
    }

    /** Reads 32 bits at {@code index}, 0 to 2^32 - 1. */
    public static long u32(byte[] bytes, int index) {
        return (int) INT.get(bytes, index) & 0xffffffffL;
    }

    /** Reads 64 bits at {@code index}. */
    public static long i64(byte[] bytes, int index) {
        return (long) LONG.get(bytes, index);
    }

    /** Writes the low 16 bits of {@code value} at {@code index}. */
    public static void put16(byte[] bytes, int index, int value) {
        SHORT.set(bytes, index, (short) value);
    }

    /** Writes 32 bits at {@code index}. */
    public static void put32(byte[] bytes, int index, int value) {
        INT.set(bytes, index, value);
    }

    /** Writes 64 bits at {@code index}. */
    public static void put64(byte[] bytes, int index, long value) {
        LONG.set(bytes, index, value);
    }

    /** Reads 16 bits at {@code index}, 0 to 65535, little-endian. */
    public static int little16(byte[] bytes, int index) {
        return (short) LITTLE_SHORT.get(bytes, index) & 0xffff;
    }

    /** Reads 32 bits at {@code index}, little-endian. */
    public static int little32(byte[] bytes, int index) {
        return (int) LITTLE_INT.get(bytes, index);
    }

    /** Reads 64 bits at {@code index}, little-endian. */
    public static long little64(byte[] bytes, int index) {
        return (long) LITTLE_LONG.get(bytes, index);
    }

    /** Writes the low 16 bits of {@code value} at {@code index}, little-endian. */
    public static void putLittle16(byte[] bytes, int index, int value) {
        LITTLE_SHORT.set(bytes, index, (short) value);
    }

    /** Writes 64 bits at {@code index}, little-endian. */
    public static void putLittle64(byte[] bytes, int index, long value) {
        LITTLE_LONG.set(bytes, index, value);
    }

    /** Writes 32 bits at {@code index}, little-endian. */
    public static void putLittle32(byte[] bytes, int index, int value) {
        LITTLE_INT.set(bytes, index, value);
    }

    /** Reads 64 bits at {@code index} in the order of the machine, which is faster than another. */
    static long native64(byte[] bytes, int index) {
        return (long) NATIVE_LONG.get(bytes, index);
    }
}
