package packord;

import java.util.Arrays;

/**
 * An extension value that nobody registered a handler for: a type and bytes. It packs to the same
 * bytes again (with a minimal header). Two are equal when type and bytes are.
 *
 * <pre>{@code
 * byte[] packed = Packer.standard().pack(new Ext(5, new byte[] {0}));  // d4 05 00
 * }</pre>
 */
public final class Ext {
  /**
   * Nobody can choose payloads that collide without knowing it. In a class of its own, which a
   * program that is compiled ahead of time initialises when it runs, so that processes differ.
   */
  private static final class Seed {
    static final long VALUE = System.nanoTime() * 0x9E3779B97F4A7C15L;
  }

  private final byte type;
  private final byte[] data;

  /**
   * Makes an ext value. The bytes are not copied.
   *
   * @param type -128 to 127; below 0 belongs to MessagePack itself
   * @param data the payload
   * @throws IllegalArgumentException when the type is out of range
   */
  public Ext(int type, byte[] data) {
    if (type < -128 || type > 127) throw new IllegalArgumentException("ext type " + type);
    this.type = (byte) type;
    this.data = data;
  }

  /**
   * The type.
   *
   * @return -128 to 127
   */
  public int type() {
    return type;
  }

  /**
   * The payload itself, not a copy.
   *
   * @return the bytes
   */
  public byte[] data() {
    return data;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ext
        && type == ((Ext) other).type
        && Arrays.equals(data, ((Ext) other).data);
  }

  @Override
  public int hashCode() {
    long hash = Seed.VALUE ^ type;
    for (byte element : data) {
      hash = (hash ^ element) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return (int) hash;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("ext(").append(type).append(", h'");
    int shown = Math.min(data.length, 64);
    for (int i = 0; i < shown; i++) out.append(String.format("%02x", data[i]));
    return out.append(shown < data.length ? "…')" : "')").toString();
  }
}
