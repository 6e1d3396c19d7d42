package packord.record;

import java.util.Arrays;
import java.util.List;

/** A list of keys that an encoder knows, with its index while it has one. */
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

    /** Returns the number of keys. */
    public int size() {
        return keys.length;
    }

    /** Returns a key. */
    public String key(int index) {
        return keys[index];
    }

    /** Returns the keys in order. */
    public List<String> keys() {
        return Arrays.asList(keys);
    }

    /** Returns the packed list of keys if {@link #rememberPacked} was called, else null. */
    public byte[] packedKeys() {
        return packedKeys;
    }

    /** Keeps the packed list of keys for the next definition. */
    public void rememberPacked(byte[] bytes) {
        packedKeys = bytes;
    }
}
