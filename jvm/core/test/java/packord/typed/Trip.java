package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import packord.Packer;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;

/** Packs and unpacks what the tests are about. */
final class Trip {
    private Trip() {}

    /** Returns a value as it is without its type: maps, lists and scalars. */
    static Object plain(Object value) {
        return Unpacker.standard().unpack(Packer.standard().pack(value));
    }

    /** Reads a value, packed as it is, into a type. */
    static <T> T read(Object value, Class<T> type) {
        return Unpacker.standard().unpack(Packer.standard().pack(value), type);
    }

    static <T> T read(Object value, TypeRef<T> type) {
        return Unpacker.standard().unpack(Packer.standard().pack(value), type);
    }

    static <T> T lenient(Object value, Class<T> type) {
        return Unpacker.standard().lenient().unpack(Packer.standard().pack(value), type);
    }

    static void comesBack(Object value) {
        assertEquals(value, read(value, value.getClass()));
    }

    /** Checks the kind and path of the error, and what it says at its end. */
    static void fails(String kind, String path, String end, Object value, Class<?> type) {
        PackordException error = assertThrows(PackordException.class, () -> read(value, type));
        assertEquals(kind + " at " + path, error.kind().id() + " at " + error.path());
        assertEquals(
                end, error.getMessage().substring(Math.max(0, error.getMessage().length() - end.length())));
    }
}
