package packord.decode;

import java.math.BigInteger;
import packord.ErrorKind;
import packord.PackordException;
import packord.record.Shape;

/** What values become in the program. Each reader has one of its own. */
public abstract class Host {
    /** Where keys are remembered, or null if they must not be. */
    final KeyCache keys;

    /** The bytes that are read. */
    Input reader;

    Host(KeyCache keys) {
        this.keys = keys;
    }

    /** Called before each message. */
    void begin() {}

    /** Whether code of the program makes keys. */
    boolean runsProgram() {
        return false;
    }

    /** Returns an error at an offset. Detail and cause are null if there is none. */
    RuntimeException fault(ErrorKind kind, long offset, String detail, Throwable cause) {
        return new PackordException(kind, offset, detail, null, cause);
    }

    // ---------------------------------------------------------------- scalars

    /** Whether what scalars become does not depend on their formats. */
    protected boolean hasOwnScalars() {
        return true;
    }

    /** Whether each str becomes its bytes. */
    protected boolean hasRawStrings() {
        return false;
    }

    /** Returns the value of an integer. The format is the bytes of a uint format, or minus those of an int format. */
    protected Object integer(long value, int format) {
        return value;
    }

    /** Returns the value of a float 32. */
    protected Object float32(float value) {
        return (double) value;
    }

    /** Returns the value of a float 64. */
    protected Object float64(double value) {
        return value;
    }

    /** Returns the value of an integer that a long cannot hold. */
    protected Object bigInteger(BigInteger value) {
        return value;
    }

    // ---------------------------------------------------------------- containers

    /** Returns the value of an array; the elements may be kept. */
    abstract Object newArray(Object[] elements);

    /** Returns the map of keys and values in turn; of equal keys the last one wins. */
    abstract Object newMap(Object[] kv);

    /** Returns the set of these elements. */
    abstract Object newSet(Object[] elements);

    /** Returns the map of a record whose keys are distinct. */
    Object newRecord(Shape shape, Object[] kv) {
        return newMap(kv);
    }

    /** Returns a shape of these keys. */
    Shape newShape(Object[] keys) {
        return new Shape(keys);
    }

    /** Whether rows may share a value, because no program can change it. */
    boolean isShared(Object value) {
        return SharedValues.isScalar(value);
    }

    /** Returns what the program gets for what an extension has returned for the ext at an index. */
    Object newValue(Object unpacked, int markerOffset) {
        return unpacked;
    }

    // ---------------------------------------------------------------- keys

    /** Returns what the program gets for a key. */
    Object newKey(Object key, int markerOffset) {
        return key;
    }

    /** Returns what the program gets for a key that an ext was read as. */
    Object newExtKey(Object key, int markerOffset) {
        return newKey(key, markerOffset);
    }

    /** Returns a key as paths show it. */
    Object pathKey(Object key) {
        return key;
    }
}
