package packord.ext;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;
import packord.wire.Utf8;

/** The extensions for types that Java has and MessagePack has not: {@code spec/extensions.md} sections 2 and 3. */
public final class RichTypes {
    /** The longest payload of a decimal or ratio, whose digits are not converted in linear time. */
    public static final int LONGEST_NUMBER = 1 << 16;

    /** The bytes of an element of each type of typed arrays; 0 where there is no type. */
    private static final int[] ELEMENTS = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 0, 0, 0, 0, 0, 1, 1};

    /** Characters. A code point beyond 16 bits, which no Character holds, stays an ext; half of one is a str. */
    public static final Extension CHARACTER =
            new Rich<>(82, RichTypes::packCharacter, RichTypes::unpackCharacter, Character.class);

    /** Decimals with their scale. */
    public static final Extension DECIMAL =
            new Rich<>(84, RichTypes::packDecimal, RichTypes::unpackDecimal, BigDecimal.class);

    /** UUIDs, 16 bytes. */
    public static final Extension UUIDS = new Rich<UUID>(
            85,
            (out, value) -> out.packExtension(
                    85,
                    ByteBuffer.allocate(16)
                            .putLong(value.getMostSignificantBits())
                            .putLong(value.getLeastSignificantBits())
                            .array()),
            in -> {
                ByteBuffer payload = fixed(in, 16, "uuid");
                return new UUID(payload.getLong(), payload.getLong());
            },
            UUID.class);

    /** Sets, which keep their order. */
    public static final Extension SET = set(86);

    /** Dates, in 32 bits of days. A date beyond them, some six million years away, is a str. */
    public static final Extension DATE = new Rich<>(
            87,
            RichTypes::packDate,
            in -> LocalDate.ofEpochDay(fixed(in, 4, "date").getInt()),
            LocalDate.class);

    /** Times of day, in nanoseconds since midnight. */
    public static final Extension TIME = new Rich<LocalTime>(
            88,
            (out, value) -> out.packExtension(
                    88, ByteBuffer.allocate(8).putLong(value.toNanoOfDay()).array()),
            in -> LocalTime.ofNanoOfDay(fixed(in, 8, "time").getLong()),
            LocalTime.class);

    /** Durations, in nanoseconds and seconds. */
    public static final Extension DURATION = new Rich<Duration>(
            89,
            (out, value) -> out.packExtension(
                    89,
                    ByteBuffer.allocate(12)
                            .putInt(value.getNano())
                            .putLong(value.getSeconds())
                            .array()),
            RichTypes::unpackDuration,
            Duration.class);

    /** Arrays of short, int, long, float and double. Arrays of types that Java does not have stay exts. */
    public static final Extension NUMBERS = new Rich<>(
            116,
            (out, array) -> out.packExtension(116, numbers(array)),
            RichTypes::unpackNumbers,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class);

    /** All of them. */
    public static final List<Extension> ALL = List.of(CHARACTER, DECIMAL, UUIDS, SET, DATE, TIME, DURATION, NUMBERS);

    private RichTypes() {}

    /** The extension for one ext type and its classes, whose instances are those of {@code T}. */
    private static final class Rich<T> implements Extension {
        private final int type;
        private final BiConsumer<ExtensionPacker, T> pack;
        private final Function<ExtensionUnpacker, Object> unpack;
        private final Class<?>[] classes;

        Rich(
                int type,
                BiConsumer<ExtensionPacker, T> pack,
                Function<ExtensionUnpacker, Object> unpack,
                Class<?>... classes) {
            this.type = type;
            this.pack = pack;
            this.unpack = unpack;
            this.classes = classes;
        }

        @Override
        public boolean isPure() {
            return true;
        }

        @Override
        public Class<?>[] classes() {
            return classes;
        }

        @Override
        public boolean canPack(Object value) {
            for (Class<?> each : classes) if (each.isInstance(value)) return true;
            return false;
        }

        @Override
        public boolean canUnpack(int unpacked) {
            return unpacked == type;
        }

        @Override
        public long maxLength(int unpacked) {
            return this == DECIMAL ? LONGEST_NUMBER : Long.MAX_VALUE;
        }

        @Override
        @SuppressWarnings("unchecked") // It is an instance of one of the classes.
        public void pack(ExtensionPacker out, Object value) {
            pack.accept(out, (T) value);
        }

        @Override
        public Object unpack(ExtensionUnpacker in, ExtensionHeader header) {
            return unpack.apply(in);
        }
    }

    /** Sets, as an ext type. */
    public static Extension set(int type) {
        return new Rich<Set<?>>(
                type,
                (out, value) -> out.packExtensionOf(type, content -> content.packValue(new Elements(value))),
                RichTypes::unpackSet,
                Set.class);
    }

    private static RuntimeException malformed(String what) {
        return new IllegalArgumentException("not a " + what);
    }

    private static byte[] rest(ExtensionUnpacker in) {
        return in.readPayload(in.remaining());
    }

    private static ByteBuffer fixed(ExtensionUnpacker in, int size, String what) {
        if (in.remaining() != size) throw malformed(what);
        return ByteBuffer.wrap(in.readPayload(size));
    }

    private static void packCharacter(ExtensionPacker out, Character value) {
        String text = value.toString();
        if (Character.isSurrogate(value)) out.packValue(text);
        else out.packExtension(82, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Object unpackCharacter(ExtensionUnpacker in) {
        byte[] payload = rest(in);
        String text = Utf8.decode(payload, 0, payload.length);
        if (text == null || text.codePointCount(0, text.length()) != 1) throw malformed("character");
        return text.length() == 1 ? (Object) text.charAt(0) : in.ext();
    }

    private static void packDecimal(ExtensionPacker out, BigDecimal value) {
        out.packExtensionOf(84, content -> {
            content.packScalar(value.scale());
            content.writePayload(value.unscaledValue().toByteArray());
        });
    }

    private static Object unpackDecimal(ExtensionUnpacker in) {
        Object scale = in.unpackScalar();
        byte[] digits = rest(in);
        if (!(scale instanceof Long) || (int) (long) scale != (long) scale || digits.length == 0) {
            throw malformed("decimal");
        }
        BigInteger unscaled = new BigInteger(digits);
        if (unscaled.bitLength() / 8 + 1 != digits.length) throw malformed("decimal");
        return new BigDecimal(unscaled, (int) (long) scale);
    }

    private static Object unpackSet(ExtensionUnpacker in) {
        Object elements = in.unpackValue();
        if (!(elements instanceof List) || in.remaining() > 0) throw malformed("set");
        Object[] all = ((List<?>) elements).toArray();
        Object set = ((SetMaker) in).newSet(all);
        if (((Collection<?>) set).size() != all.length) throw malformed("set");
        return set;
    }

    private static void packDate(ExtensionPacker out, LocalDate value) {
        long day = value.toEpochDay();
        if ((int) day != day) out.packValue(value.toString());
        else out.packExtension(87, ByteBuffer.allocate(4).putInt((int) day).array());
    }

    private static Object unpackDuration(ExtensionUnpacker in) {
        ByteBuffer payload = fixed(in, 12, "duration");
        long nanos = Integer.toUnsignedLong(payload.getInt());
        if (nanos > 999_999_999) throw malformed("duration");
        return Duration.ofSeconds(payload.getLong(), nanos);
    }

    private static byte[] numbers(Object array) {
        Class<?> element = array.getClass().getComponentType();
        int type = element == double.class
                ? 8
                : element == float.class ? 7 : element == long.class ? 9 : element == int.class ? 5 : 3;
        byte[] bytes = new byte[Math.addExact(1, Math.multiplyExact(ELEMENTS[type], Array.getLength(array)))];
        ByteBuffer payload =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).put((byte) type);
        if (type == 8) payload.asDoubleBuffer().put((double[]) array);
        else if (type == 7) payload.asFloatBuffer().put((float[]) array);
        else if (type == 9) payload.asLongBuffer().put((long[]) array);
        else if (type == 5) payload.asIntBuffer().put((int[]) array);
        else payload.asShortBuffer().put((short[]) array);
        return bytes;
    }

    private static Object unpackNumbers(ExtensionUnpacker in) {
        ByteBuffer payload = ByteBuffer.wrap(rest(in)).order(ByteOrder.LITTLE_ENDIAN);
        int type = payload.hasRemaining() ? payload.get() : -1;
        int size = type >= 0 && type < ELEMENTS.length ? ELEMENTS[type] : 0;
        if (size == 0 || payload.remaining() % size != 0) throw malformed("typed array");
        int count = payload.remaining() / size;
        switch (type) {
            case 3:
                return filled(new short[count], payload.asShortBuffer()::get);
            case 5:
                return filled(new int[count], payload.asIntBuffer()::get);
            case 7:
                return filled(new float[count], payload.asFloatBuffer()::get);
            case 8:
                return filled(new double[count], payload.asDoubleBuffer()::get);
            case 9:
                return filled(new long[count], payload.asLongBuffer()::get);
            default:
                return in.ext();
        }
    }

    private static <A> A filled(A array, Consumer<A> fill) {
        fill.accept(array);
        return array;
    }
}
