package packord.connect;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import packord.Ext;
import packord.Timestamp;

/** What messages call the type of a value. */
final class TypeNames {
    private TypeNames() {}

    /** Returns the type of a value that was unpacked, or its class. */
    static String of(Object value) {
        if (value == null) return "nil";
        if (value instanceof Boolean) return "bool";
        if (value instanceof Long || value instanceof BigInteger) return "int";
        if (value instanceof Double) return "float";
        if (value instanceof String) return "str";
        if (value instanceof byte[]) return "bin";
        if (value instanceof List) return "array";
        if (value instanceof Map) return "map";
        if (value instanceof Instant || value instanceof Timestamp) return "timestamp";
        if (value instanceof Ext) return "ext " + ((Ext) value).type();
        return value.getClass().getName();
    }
}
