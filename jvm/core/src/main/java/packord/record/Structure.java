package packord.record;

import java.util.List;

/** A list of keys that an encoder knows, with its index while it has one. */
public final class Structure {
    /** The ext type of definitions. */
    public static final int EXT_TYPE = 0x72;

    /** The keys in order. */
    public final List<String> keys;

    /** The index, or -1 while the structure is not defined. */
    int index = -1;

    /** The packed list of keys for the next definition, once there was one. */
    public byte[] packedKeys;

    Structure(List<String> keys) {
        this.keys = keys;
    }
}
