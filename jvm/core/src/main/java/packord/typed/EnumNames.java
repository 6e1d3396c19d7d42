package packord.typed;

/** What constants of enums are written as, which annotations may set. */
public final class EnumNames {
    private static final ClassValue<String[]> KNOWN = new ClassValue<String[]>() {
        @Override
        protected String[] computeValue(Class<?> type) {
            Object[] constants = type.getEnumConstants();
            String[] names = new String[constants.length];
            for (int i = 0; i < names.length; i++) names[i] = name(type, ((Enum<?>) constants[i]).name());
            return names;
        }
    };

    private EnumNames() {}

    private static String name(Class<?> type, String constant) {
        try {
            String name = Annotations.name(type.getField(constant));
            return name == null ? constant : name;
        } catch (NoSuchFieldException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns the text of a constant. */
    public static String of(Enum<?> constant) {
        return KNOWN.get(constant.getDeclaringClass())[constant.ordinal()];
    }
}
