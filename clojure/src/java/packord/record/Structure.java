package packord.record;

import java.util.Arrays;
import java.util.List;

/** A record structure that a writer knows: its keys, and its index while it has one. */
public final class Structure {
  /** The ext type of definitions. */
  public static final int EXT_TYPE = 0x72;

  private final String[] keys;

  /** The index, or -1 while the structure is not defined. */
  int index = -1;

  private byte[] packedKeys;

  Structure(String[] keys) {
    this.keys = keys;
  }

  /** How many keys there are. */
  public int size() {
    return keys.length;
  }

  /** Key {@code i}. */
  public String key(int i) {
    return keys[i];
  }

  /** The keys in order. */
  public List<String> keys() {
    return Arrays.asList(keys);
  }

  /** The packed list of keys if {@link #rememberPacked} was called, else null. */
  public byte[] packedKeys() {
    return packedKeys;
  }

  /** Keeps the packed list of keys for the next definition. */
  public void rememberPacked(byte[] bytes) {
    packedKeys = bytes;
  }
}
