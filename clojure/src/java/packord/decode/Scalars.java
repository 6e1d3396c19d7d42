package packord.decode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import packord.Ext;
import packord.Timestamp;
import packord.decode.TypedDecoder.Kind;

/** The targets of classes that are not containers. */
final class Scalars {
  private static final Map<Class<?>, Scalar> ALL = new HashMap<>();

  static {
    EnumSet<Kind> integer = EnumSet.of(Kind.INT);
    both(byte.class, Byte.class, integer, n -> (byte) within(n, Byte.MIN_VALUE, Byte.MAX_VALUE));
    both(short.class, Short.class, integer, n -> (short) within(n, Short.MIN_VALUE, Short.MAX_VALUE));
    both(int.class, Integer.class, integer, n -> (int) within(n, Integer.MIN_VALUE, Integer.MAX_VALUE));
    both(long.class, Long.class, integer, n -> within(n, Long.MIN_VALUE, Long.MAX_VALUE));
    put(BigInteger.class, EnumSet.of(Kind.INT, Kind.EXT), Scalars::bigInteger);
    EnumSet<Kind> number = EnumSet.of(Kind.INT, Kind.FLOAT);
    both(double.class, Double.class, number, Scalars::exactDouble);
    both(float.class, Float.class, number, Scalars::exactFloat);
    both(boolean.class, Boolean.class, EnumSet.of(Kind.BOOL), only(Boolean.class));
    both(char.class, Character.class, EnumSet.of(Kind.STR), Scalars::character);
    put(Number.class, number, only(Number.class));
    put(String.class, EnumSet.of(Kind.STR), only(String.class));
    put(CharSequence.class, EnumSet.of(Kind.STR), only(String.class));
    put(byte[].class, EnumSet.of(Kind.BIN), only(byte[].class));
    put(ByteBuffer.class, EnumSet.of(Kind.BIN), v -> ByteBuffer.wrap((byte[]) v));
    put(Ext.class, EnumSet.of(Kind.EXT), only(Ext.class));
    put(Instant.class, EnumSet.of(Kind.EXT), Scalars::instant);
    put(Date.class, EnumSet.of(Kind.EXT), v -> v instanceof Date ? v : Date.from(instant(v)));
    put(Timestamp.class, EnumSet.of(Kind.EXT), Scalars::timestamp);
    text(UUID.class, Scalars::uuid);
    text(LocalDate.class, LocalDate::parse);
    text(LocalTime.class, LocalTime::parse);
    text(LocalDateTime.class, LocalDateTime::parse);
    text(OffsetDateTime.class, OffsetDateTime::parse);
    text(OffsetTime.class, OffsetTime::parse);
    text(ZonedDateTime.class, ZonedDateTime::parse);
    text(Duration.class, Duration::parse);
    text(Period.class, Period::parse);
    text(Year.class, Year::parse);
    text(YearMonth.class, YearMonth::parse);
    text(MonthDay.class, MonthDay::parse);
    text(ZoneId.class, ZoneId::of);
    text(ZoneOffset.class, ZoneOffset::of);
  }

  private Scalars() {}

  /** Returns the target of a class, or null. */
  static Target of(Class<?> type) {
    return ALL.get(type);
  }

  /** Returns the target of an enum, whose constants are read by their names. */
  static Target ofEnum(Class<?> type) {
    Map<String, Object> constants = new HashMap<>();
    for (Object constant : type.getEnumConstants()) constants.put(((Enum<?>) constant).name(), constant);
    return new Scalar(type.getSimpleName(), EnumSet.of(Kind.STR), false, constants::get);
  }

  private static void put(Class<?> type, EnumSet<Kind> kinds, Function<Object, Object> make) {
    ALL.put(type, new Scalar(type.getSimpleName(), kinds, type.isPrimitive(), make));
  }

  private static void both(
      Class<?> primitive, Class<?> boxed, EnumSet<Kind> kinds, Function<Object, Object> make) {
    put(primitive, kinds, make);
    put(boxed, kinds, make);
  }

  private static void text(Class<?> type, Function<String, Object> parse) {
    put(type, EnumSet.of(Kind.STR), v -> parse.apply((String) v));
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
    if (!(value instanceof Double) && !isExactly(number, value)) throw new ArithmeticException();
    return number;
  }

  private static boolean isExactly(double number, Object integer) {
    return new BigDecimal(number).compareTo(new BigDecimal(integer.toString())) == 0;
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
