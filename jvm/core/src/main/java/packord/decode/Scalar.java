package packord.decode;

import java.util.EnumSet;
import java.util.function.Function;
import packord.ErrorKind;

/** A target that is made of one value which is not a container. */
final class Scalar implements Target {
  /** There is no constant of this name. */
  static final class UnknownVariant extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownVariant(String detail) {
      super(detail, null, false, false);
    }
  }

  private final String name;
  private final Class<?> type;
  private final String expected;
  private final EnumSet<TypedReader.Kind> kinds;
  private final boolean primitive;
  private final Function<Object, Object> make;

  /**
   * Makes a target.
   *
   * @param name its name, where a number is out of range
   * @param type what is made; a value that an extension has read and that is one is taken as it is
   * @param expected the kind of value, with its article
   * @param make makes a value of what was read. Null means that this cannot be; an
   *     ArithmeticException, that a number is out of range
   */
  Scalar(
      String name,
      Class<?> type,
      String expected,
      EnumSet<TypedReader.Kind> kinds,
      boolean primitive,
      Function<Object, Object> make) {
    this.name = name;
    this.type = type;
    this.expected = expected;
    this.kinds = kinds;
    this.primitive = primitive;
    this.make = make;
  }

  @Override
  public Object read(TypedReader in, int depth, long pending) {
    int markerOffset = in.pos();
    checkKind(in, !primitive);
    Object value = in.read(depth, pending);
    return value == null ? null : made(in, value, markerOffset);
  }

  private void checkKind(TypedReader in, boolean orNil) {
    TypedReader.Kind kind = in.kind();
    boolean fits = kinds.contains(kind) || orNil && kind == TypedReader.Kind.NIL;
    if (!fits && !in.isReadByExtension(kind)) {
      throw in.mismatch(expected, kind);
    }
  }

  private Object made(TypedReader in, Object value, int markerOffset) {
    if (type.isInstance(value)) return value;
    try {
      Object made = make.apply(value);
      if (made != null) return made;
    } catch (UnknownVariant unknown) {
      throw in.mismatch(markerOffset, unknown.getMessage());
    } catch (ArithmeticException exception) {
      throw in.error(ErrorKind.OUT_OF_RANGE, markerOffset, value + " does not fit " + name);
    } catch (RuntimeException exception) {
      throw in.error(
          ErrorKind.TYPE_MISMATCH, markerOffset, "expected " + expected, exception);
    }
    throw in.mismatch(markerOffset, "expected " + expected);
  }

  @Override
  public Object absent() {
    return primitive ? REQUIRED : null;
  }

  @Override
  public void checkKey(TypedReader in) {
    checkKind(in, true);
  }

  @Override
  public Object ofKey(TypedReader in, Object key, int markerOffset) {
    if (key instanceof String && !kinds.contains(TypedReader.Kind.STR)) {
      throw in.mismatch(markerOffset, expected, TypedReader.Kind.STR);
    }
    return key == null ? null : made(in, key, markerOffset);
  }
}
