package packord.decode;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import packord.Ext;
import packord.PackordException;
import packord.Timestamp;
import packord.decode.TypedReader.Kind;
import packord.typed.EnumNames;
import packord.typed.Property;
import packord.typed.TextForm;

/** The targets of classes that are not containers. */
final class Scalars {
    private static final Map<Class<?>, Scalar> ALL = new ConcurrentHashMap<>();

    static {
        integer(byte.class, Byte.class, n -> (byte) within(n, Byte.MIN_VALUE, Byte.MAX_VALUE));
        integer(short.class, Short.class, n -> (short) within(n, Short.MIN_VALUE, Short.MAX_VALUE));
        integer(int.class, Integer.class, Scalars::int32);
        integer(long.class, Long.class, n -> within(n, Long.MIN_VALUE, Long.MAX_VALUE));
        put(BigInteger.class, "an integer", Kind.INT, Scalars::bigInteger);
        put(AtomicInteger.class, "an integer", Kind.INT, n -> new AtomicInteger(int32(n)));
        put(AtomicLong.class, "an integer", Kind.INT, n -> new AtomicLong(within(n, Long.MIN_VALUE, Long.MAX_VALUE)));
        put(AtomicBoolean.class, "a bool", Kind.BOOL, v -> new AtomicBoolean((Boolean) v));
        EnumSet<Kind> number = EnumSet.of(Kind.INT, Kind.FLOAT);
        both(double.class, Double.class, "a float", number, Scalars::exactDouble);
        both(float.class, Float.class, "a float", number, Scalars::exactFloat);
        both(boolean.class, Boolean.class, "a bool", EnumSet.of(Kind.BOOL), only(Boolean.class));
        both(char.class, Character.class, "a character", EnumSet.of(Kind.STR), Scalars::character);
        ALL.put(Number.class, new Scalar("Number", Number.class, "a number", number, null, only(Number.class)));
        put(String.class, "a str", Kind.STR, only(String.class));
        put(CharSequence.class, "a str", Kind.STR, only(String.class));
        put(byte[].class, "a bin", Kind.BIN, only(byte[].class));
        put(ByteBuffer.class, "a bin", Kind.BIN, v -> ByteBuffer.wrap((byte[]) v));
        put(Ext.class, "an ext", Kind.EXT, only(Ext.class));
        put(Instant.class, "a timestamp", Kind.TIMESTAMP, Scalars::instant);
        put(Date.class, "a timestamp", Kind.TIMESTAMP, v -> v instanceof Date ? v : Date.from(instant(v)));
        put(Timestamp.class, "a timestamp", Kind.TIMESTAMP, Scalars::timestamp);
        either(OffsetDateTime.class, "a timestamp", OffsetDateTime::parse, i -> i.atOffset(ZoneOffset.UTC));
        either(ZonedDateTime.class, "a timestamp", ZonedDateTime::parse, i -> i.atZone(ZoneOffset.UTC));
        put(
                Calendar.class,
                "a timestamp",
                Kind.TIMESTAMP,
                v -> GregorianCalendar.from(instant(v).atZone(ZoneOffset.UTC)));
        text(UUID.class, "a uuid", Scalars::uuid);
        several(BigDecimal.class, "a decimal", Scalars::decimal, Kind.STR, Kind.INT, Kind.FLOAT);
        text(StringBuilder.class, "a str", StringBuilder::new);
        text(URI.class, "a URI", URI::create);
        text(URL.class, "a URL", Scalars::url);
        text(Path.class, "a path", Path::of);
        text(File.class, "a path", File::new);
        text(InetAddress.class, "an IP address", TextForm::address);
        text(
                Locale.class,
                "a locale",
                tag -> new Locale.Builder().setLanguageTag(tag).build());
        text(Currency.class, "a currency", Currency::getInstance);
        text(LocalDate.class, "a date", LocalDate::parse);
        text(LocalTime.class, "a time", LocalTime::parse);
        text(LocalDateTime.class, "a date and time", LocalDateTime::parse);
        text(OffsetTime.class, "a time with an offset", OffsetTime::parse);
        text(Duration.class, "a duration", TextForm::duration);
        text(Period.class, "a period", Period::parse);
        text(Year.class, "a year", TextForm::year);
        text(YearMonth.class, "a month of a year", TextForm::yearMonth);
        text(MonthDay.class, "a day of a month", MonthDay::parse);
        text(ZoneId.class, "a zone", ZoneId::of);
        text(ZoneOffset.class, "an offset", ZoneOffset::of);
    }

    private Scalars() {}

    /** What a program has only with the module java.sql, which this library does not need. */
    private static final class Sql {
        static void put() {
            Scalars.put(
                    java.sql.Timestamp.class, "a timestamp", Kind.TIMESTAMP, v -> java.sql.Timestamp.from(instant(v)));
            either(java.sql.Date.class, "a date", java.sql.Date::valueOf, i -> new java.sql.Date(i.toEpochMilli()));
            either(java.sql.Time.class, "a time", java.sql.Time::valueOf, i -> new java.sql.Time(i.toEpochMilli()));
        }
    }

    /** Returns the target of a class, or null. */
    static Scalar of(Class<?> type) {
        if (!ALL.containsKey(type) && type.getName().startsWith("java.sql.")) Sql.put();
        return ALL.get(type);
    }

    /** Returns the target of an enum, whose constants are read by their names. */
    static Scalar ofEnum(Class<?> type) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : type.getEnumConstants()) constants.put(EnumNames.of((Enum<?>) constant), constant);
        Function<Object, Object> make = name -> {
            Object constant = constants.get(name);
            if (constant != null) return constant;
            throw new Scalar.UnknownVariant(PackordException.detail("unknown variant", (String) name));
        };
        return new Scalar(type.getSimpleName(), type, "a variant", EnumSet.of(Kind.STR), null, make);
    }

    private static void put(Class<?> type, String expected, Kind kind, Function<Object, Object> make) {
        several(type, expected, make, kind);
    }

    private static void several(
            Class<?> type, String expected, Function<Object, Object> make, Kind first, Kind... rest) {
        ALL.put(type, new Scalar(type.getSimpleName(), type, expected, EnumSet.of(first, rest), null, make));
    }

    private static void both(
            Class<?> primitive, Class<?> boxed, String expected, EnumSet<Kind> kinds, Function<Object, Object> make) {
        String name = primitive.getSimpleName();
        ALL.put(primitive, new Scalar(name, boxed, expected, kinds, Property.zero(primitive), make));
        ALL.put(boxed, new Scalar(name, boxed, expected, kinds, null, make));
    }

    private static void integer(Class<?> primitive, Class<?> boxed, Function<Object, Object> make) {
        both(primitive, boxed, "an integer", EnumSet.of(Kind.INT), make);
    }

    private static void text(Class<?> type, String expected, Function<String, Object> parse) {
        put(type, expected, Kind.STR, v -> parse.apply((String) v));
    }

    private static void either(
            Class<?> type, String expected, Function<String, Object> parse, Function<Instant, Object> make) {
        Function<Object, Object> of = v -> v instanceof String ? parse.apply((String) v) : make.apply(instant(v));
        several(type, expected, of, Kind.STR, Kind.TIMESTAMP);
    }

    private static Function<Object, Object> only(Class<?> type) {
        return value -> type.isInstance(value) ? value : null;
    }

    private static long within(Object value, long min, long max) {
        if (!(value instanceof Long)) throw new ArithmeticException();
        long number = (Long) value;
        if (number < min || number > max) throw new ArithmeticException();
        return number;
    }

    private static int int32(Object value) {
        return (int) within(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static Object bigInteger(Object value) {
        if (value instanceof BigInteger) return value;
        return value instanceof Long ? BigInteger.valueOf((Long) value) : null;
    }

    private static Object exactDouble(Object value) {
        if (value instanceof Double) return value;
        double number = ((Number) value).doubleValue();
        if (!isExactly(number, value)) throw new ArithmeticException();
        return number;
    }

    private static Object exactFloat(Object value) {
        float number = ((Number) value).floatValue();
        boolean fits = value instanceof Double
                ? Float.isInfinite(number) == ((Double) value).isInfinite()
                : isExactly(number, value);
        if (!fits) throw new ArithmeticException();
        return number;
    }

    private static boolean isExactly(double number, Object integer) {
        return !Double.isInfinite(number) && new BigDecimal(number).compareTo(decimal(integer)) == 0;
    }

    private static BigDecimal decimal(Object value) {
        return value instanceof BigInteger ? new BigDecimal((BigInteger) value) : new BigDecimal(value.toString());
    }

    private static Object character(Object value) {
        String string = (String) value;
        return string.length() == 1 ? string.charAt(0) : null;
    }

    /** Unlike UUID.fromString, takes nothing but the one form that is written. */
    private static Object uuid(String string) {
        UUID uuid = UUID.fromString(string);
        return uuid.toString().equalsIgnoreCase(string) ? uuid : null;
    }

    private static Object url(String string) {
        try {
            return new URL(string);
        } catch (MalformedURLException exception) {
            return null;
        }
    }

    private static Instant instant(Object value) {
        if (value instanceof Instant) return (Instant) value;
        if (value instanceof Date) return ((Date) value).toInstant();
        Timestamp timestamp = (Timestamp) value;
        return Instant.ofEpochSecond(timestamp.seconds(), timestamp.nanos());
    }

    private static Object timestamp(Object value) {
        if (value instanceof Timestamp) return value;
        Instant instant = instant(value);
        return new Timestamp(instant.getEpochSecond(), instant.getNano());
    }
}
