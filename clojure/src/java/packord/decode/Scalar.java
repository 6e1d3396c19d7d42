package packord.decode;

import java.util.EnumSet;
import java.util.function.Function;
import packord.ErrorKind;
import packord.PackordException;

/** A target that is made of one value which is not a container. */
final class Scalar implements Target {
  private final String expected;
  private final EnumSet<TypedDecoder.Kind> kinds;
  private final boolean primitive;
  private final Function<Object, Object> make;

  /**
   * Makes a target.
   *
   * @param expected its name in errors
   * @param make makes a value of what was read. Null means that this cannot be; an
   *     ArithmeticException, that a number is out of range
   */
  Scalar(
      String expected,
      EnumSet<TypedDecoder.Kind> kinds,
      boolean primitive,
      Function<Object, Object> make) {
    this.expected = expected;
    this.kinds = kinds;
    this.primitive = primitive;
    this.make = make;
  }

  @Override
  public Object read(TypedDecoder in, int depth, long pending) {
    int markerOffset = in.pos;
    TypedDecoder.Kind kind = in.kind();
    if (!kinds.contains(kind) && (primitive || kind != TypedDecoder.Kind.NIL)) {
      throw in.mismatch(expected, kind);
    }
    Object value = in.read(depth, pending);
    return value == null ? null : made(in, value, markerOffset);
  }

  private Object made(TypedDecoder in, Object value, int markerOffset) {
    try {
      Object made = make.apply(value);
      if (made != null) return made;
    } catch (ArithmeticException exception) {
      throw outOfRange(in, value, markerOffset);
    } catch (RuntimeException exception) {
      throw in.error(
          ErrorKind.TYPE_MISMATCH, markerOffset, "expected " + expected, exception);
    }
    throw in.mismatch(markerOffset, expected);
  }

  private PackordException outOfRange(TypedDecoder in, Object value, int markerOffset) {
    return in.error(ErrorKind.OUT_OF_RANGE, markerOffset, value + " for " + expected);
  }

  @Override
  public Object absent() {
    return primitive ? REQUIRED : null;
  }

  @Override
  public Object ofKey(TypedDecoder in, Object key, int markerOffset) {
    return key == null ? null : made(in, key, markerOffset);
  }
}
