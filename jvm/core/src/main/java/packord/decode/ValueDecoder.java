package packord.decode;

import packord.Options;
import packord.record.Shape;

/** What the containers that are read become. */
abstract class ValueDecoder extends KeyDecoder {
  ValueDecoder(Options options, KeyCache keyCache) {
    super(options, keyCache);
  }

  /** Returns the value of an array; the elements may be kept. */
  abstract Object newArray(Object[] elements);

  /** Returns the map of keys and values in turn; of equal keys the last one wins. */
  abstract Object newMap(Object[] kv);

  /** Returns the map of a record whose keys are distinct. */
  Object newRecord(Shape shape, Object[] kv) {
    return newMap(kv);
  }

  /** Returns a shape of these keys. */
  Shape newShape(Object[] keys) {
    return new Shape(keys);
  }

  /** Whether rows may share a value, because no program can change it. */
  abstract boolean isShared(Object value);
}
