package packord.ext;

/** The extension for values with a name: {@code spec/extensions.md} section 2.1. */
public final class NamedValues {
  /** Its ext type. */
  public static final int TYPE = 94;

  private NamedValues() {}
}
