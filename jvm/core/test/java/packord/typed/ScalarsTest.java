package packord.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;

/** Numbers, strings, points in time, exts. */
class ScalarsTest {
    /** What is refused late takes minutes; a busy machine may take seconds. */
    private static final Duration SOON = Duration.ofSeconds(30);

    record Texts(BigDecimal price, BigInteger big, URI uri, Locale locale, Currency currency, Path path) {}

    @Test
    void textsComeBack() {
        Trip.comesBack(new Texts(
                new BigDecimal("1.50"),
                BigInteger.TEN,
                URI.create("urn:a"),
                Locale.CANADA_FRENCH,
                Currency.getInstance("EUR"),
                Path.of("a", "b")));
    }

    @Test
    void decimalsAreReadOfNumbers() {
        assertEquals(new BigDecimal("0.1"), Trip.read(0.1, BigDecimal.class));
        assertEquals(
                new BigDecimal("18446744073709551615"),
                Trip.read(new BigInteger("18446744073709551615"), BigDecimal.class));
        Trip.fails("type_mismatch", "$", "expected a decimal", Double.NaN, BigDecimal.class);
    }

    @Test
    void theDigitsOfDecimalsAreBounded() {
        String longest = "1".repeat(65_536);
        assertEquals(new BigDecimal(longest), Trip.read(longest, BigDecimal.class));
        for (Object tooLong : List.of(longest + "1", "1".repeat(1_000_000), "\u0661".repeat(32_769))) {
            Trip.fails("length_limit", "$", "max_str_len is 65536", tooLong, BigDecimal.class);
        }
        Unpacker longer = Unpacker.of(Options.builder().maxStrLen(70_000).build());
        assertEquals(
                new BigDecimal(longest + "1"), longer.unpack(Packer.standard().pack(longest + "1"), BigDecimal.class));
    }

    @Test
    void integersOfManyBitsAreNotSpeltOut() {
        Options options = Options.builder().bigint(true).build();
        byte[] large = Packer.of(options).pack(BigInteger.ONE.shiftLeft(20_000_000));
        for (Class<?> type : List.of(int.class, double.class)) {
            Executable read = () -> Unpacker.of(options).unpack(large, type);
            PackordException error = assertThrows(PackordException.class, () -> assertTimeout(SOON, read));
            assertEquals("out_of_range", error.kind().id());
            assertEquals(
                    true,
                    error.getMessage().endsWith("an integer of 20000001 bits does not fit " + type),
                    error.getMessage());
        }
    }

    @Test
    void addressesAreReadWithoutGoingBack() throws Exception {
        assertEquals(InetAddress.getAllByName("::1")[0], Trip.read("::1", InetAddress.class));
        assertEquals(InetAddress.getByName("10.0.0.1"), Trip.read("::ffff:10.0.0.1", InetAddress.class));
        for (String wrong :
                List.of(":".repeat(1_000_000) + "x", ":".repeat(1_000_000), "1".repeat(1_000_000), "localhost")) {
            Executable read = () -> Trip.read(wrong, InetAddress.class);
            PackordException error = assertThrows(PackordException.class, () -> assertTimeout(SOON, read));
            assertEquals("type_mismatch", error.kind().id());
        }
    }

    record Sql(java.sql.Timestamp stamp, java.sql.Date date, java.sql.Time time) {}

    @Test
    void datesOfSqlComeBack() {
        java.sql.Timestamp stamp = new java.sql.Timestamp(1500000000123L);
        stamp.setNanos(123456789);
        Trip.comesBack(new Sql(stamp, java.sql.Date.valueOf("2026-02-28"), java.sql.Time.valueOf("01:02:03")));
        assertEquals(java.sql.Date.valueOf("2026-02-28"), Trip.read("2026-02-28", java.sql.Date.class));
    }

    @Test
    void calendarsAreTheSamePointInTime() {
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
        assertEquals(
                calendar.getTimeInMillis(), Trip.read(calendar, Calendar.class).getTimeInMillis());
    }

    @Test
    void atomicNumbersAreTheirValues() {
        assertEquals(7L, Trip.plain(new AtomicLong(7)));
        assertEquals(-1, Trip.read(new AtomicInteger(-1), AtomicInteger.class).get());
        Trip.fails("out_of_range", "$", "2147483648 does not fit AtomicInteger", 1L << 31, AtomicInteger.class);
    }

    @Test
    void numbersAreConvertedIfNothingIsLost() {
        assertEquals(3.0, Trip.read(3, double.class));
        Trip.fails("out_of_range", "$", "1.0E300 does not fit float", 1e300, float.class);
        Trip.fails("out_of_range", "$", "9007199254740993 does not fit double", (1L << 53) + 1, double.class);
        assertEquals(3L, Trip.read(3.0, long.class));
        assertEquals(-3, Trip.read(-3.0f, int.class));
        assertEquals(BigInteger.ONE.shiftLeft(80), Trip.read(0x1p80, BigInteger.class));
        assertArrayEquals(new long[] {1, 3}, Trip.read(List.of(1, 3.0), long[].class));
        assertArrayEquals(new int[] {1, 3}, Trip.read(List.of(1, 3.0), int[].class));
        assertEquals(0L, Trip.read(-0.0, long.class));
        assertEquals(Long.MIN_VALUE, Trip.read(-0x1p63, long.class));
        assertEquals((1L << 63) - 1024, Trip.read(Math.nextDown(0x1p63), long.class));
        assertEquals(Integer.MAX_VALUE, Trip.read(2147483647.0, int.class));
        assertEquals(Short.MIN_VALUE, Trip.read(-32768.0, short.class));
        assertEquals(Byte.MAX_VALUE, Trip.read(127.0, byte.class));
        Trip.fails("out_of_range", "$", "9.223372036854776E18 does not fit long", 0x1p63, long.class);
        Trip.fails("out_of_range", "$", "1.0E19 does not fit long", 1e19, long.class);
        Trip.fails("out_of_range", "$", "-9.223372036854778E18 does not fit long", Math.nextDown(-0x1p63), long.class);
        Trip.fails("out_of_range", "$", "2.147483648E9 does not fit int", 2147483648.0, int.class);
        Trip.fails("out_of_range", "$", "-32769.0 does not fit short", -32769.0, short.class);
        Trip.fails("out_of_range", "$", "128.0 does not fit byte", 128.0, byte.class);
        Trip.fails("out_of_range", "$[1]", "2.147483648E9 does not fit int", List.of(1, 2147483648.0), int[].class);
        Trip.fails("out_of_range", "$[1]", "1.0E19 does not fit long", List.of(1, 1e19), long[].class);
        for (double other : new double[] {1.5, Double.NaN, Double.POSITIVE_INFINITY}) {
            Trip.fails("type_mismatch", "$", "expected an integer, found float", other, long.class);
        }
    }

    record Loose(int count, boolean on, Instant at, Map<Integer, Long> byNumber, String text, double[] shares) {}

    @Test
    void aLenientReaderTakesWhatOthersWrite() {
        Map<String, Object> map = new java.util.HashMap<>(Map.of(
                "on",
                "true",
                "at",
                "2026-01-01T02:00:00+02:00",
                "byNumber",
                Map.of("-7", 3.0),
                "text",
                5,
                "shares",
                List.of("1.5", 2)));
        map.put("count", null);
        Loose loose = Trip.lenient(map, Loose.class);
        assertEquals(
                "0 true 2026-01-01T00:00:00Z {-7=3} 5 [1.5, 2.0]",
                loose.count + " " + loose.on + " " + loose.at + " " + loose.byNumber + " " + loose.text + " "
                        + Arrays.toString(loose.shares));
        assertEquals(new Loose(0, false, null, null, null, null), Trip.lenient(Map.of(), Loose.class));
        assertEquals(
                List.of(1, 2),
                Unpacker.standard()
                        .lenient()
                        .unpack(Packer.standard().pack(List.of("1", 2.0)), new TypeRef<List<Integer>>() {}));
        byte[] keys = java.util.HexFormat.of().parseHex("83" + "0701" + "cb3ff800000000000002" + "c303");
        assertEquals(
                Map.of("7", 1, "1.5", 2, "true", 3),
                Unpacker.standard().lenient().unpack(keys, new TypeRef<Map<String, Integer>>() {}));
        assertEquals(new BigInteger("36893488147419103232"), Trip.lenient("36893488147419103232", BigInteger.class));
    }

    @Test
    void aLenientReaderLosesNothing() {
        for (Object wrong : List.of(1.5, 1e300, "1.5", "300", "x", "", true)) {
            assertThrows(PackordException.class, () -> Trip.lenient(wrong, byte.class), wrong.toString());
        }
        for (String exponent :
                List.of("1e999999999", "1e-999999999", "-1e2147483647", "1e1000", "9".repeat(1_000_000))) {
            for (Class<?> type : List.of(long.class, BigInteger.class)) {
                Executable read = () -> Trip.lenient(exponent, type);
                PackordException error = assertThrows(PackordException.class, () -> assertTimeout(SOON, read));
                assertEquals("out_of_range", error.kind().id());
            }
        }
        assertEquals(0, Trip.lenient("0e999999999", int.class));
        assertEquals(BigInteger.TEN.pow(999), Trip.lenient("1e999", BigInteger.class));
        assertThrows(PackordException.class, () -> Trip.lenient("yes", boolean.class));
        assertThrows(PackordException.class, () -> Trip.lenient("yesterday", Instant.class));
        assertThrows(PackordException.class, () -> Trip.lenient(List.of(), String.class));
    }

    /** A class that only an extension can make. */
    interface Money {
        long cents();
    }

    record Euro(long cents) implements Money {}

    record Order(Money price, Euro rebate) {}

    private static final Extension MONEY = new Extension() {
        @Override
        public Class<?>[] classes() {
            return new Class<?>[] {Money.class};
        }

        @Override
        public boolean canPack(Object value) {
            return value instanceof Money;
        }

        @Override
        public boolean canUnpack(int type) {
            return type == 12 || type == 13;
        }

        @Override
        public void pack(ExtensionPacker packer, Object value) {
            packer.packExtension(12, new byte[] {(byte) ((Money) value).cents()});
        }

        @Override
        public Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header) {
            return header.getType() == 12 ? new Euro(unpacker.readPayload(1)[0]) : "other";
        }
    };

    @Test
    void propertiesMayBeOfExtensions() {
        Options options = Options.builder().extension(MONEY).build();
        Order order = new Order(new Euro(5), new Euro(6));
        byte[] packed = Packer.of(options).pack(order);
        assertEquals(order, Unpacker.of(options).unpack(packed, Order.class));
        byte[] other = Packer.standard().pack(Map.of("price", new packord.Ext(13, new byte[1])));
        PackordException error =
                assertThrows(PackordException.class, () -> Unpacker.of(options).unpack(other, Order.class));
        assertEquals("$.price", error.path());
        assertThrows(IllegalArgumentException.class, () -> Trip.read(Map.of(), Order.class));
    }
}
