import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.*;
import java.util.*;
import packord.*;

/** Packs and unpacks the types of a program; prints each check that fails, and how many passed. */
public class TypedProgram {
    enum Colour {
        RED,
        GREEN {
            @Override
            boolean dark() {
                return true;
            }
        };

        boolean dark() {
            return false;
        }
    }

    record Point(int x, int y) {}

    record User(int id, String name, Optional<Instant> seen, List<Point> track, Map<Colour, Integer> votes) {}

    record Row(boolean ok, int at, String c, Optional<Double> t) {}

    record Pair<A, B>(A first, B second) {}

    public static class Box<T> {
        public T value;

        @Override
        public boolean equals(Object other) {
            return other != null && other.getClass() == getClass() && Objects.equals(value, ((Box<?>) other).value);
        }
    }

    public static class PointBox extends Box<Point> {}

    public static class PairBox<T> extends Box<List<Pair<T, Point>>> {}

    record Parts<A>(Pair<List<A>, Map<String, A[]>> parts) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Parts<?> o
                    && parts.first().equals(o.parts.first())
                    && Arrays.equals(
                            parts.second().get("k"), (Object[]) o.parts.second().get("k"));
        }
    }

    private static <B extends Box<T>, T> B box(B box, T value) {
        box.value = value;
        return box;
    }

    record Node(String name, Node next) {}

    record Wide(long id, String text, boolean flag, double number) {}

    record Checked(int positive) {
        Checked {
            if (positive <= 0) throw new IllegalArgumentException("not positive: " + positive);
        }
    }

    record Times(
            Instant instant,
            Date date,
            LocalDate day,
            LocalTime time,
            LocalDateTime local,
            OffsetDateTime offset,
            OffsetTime offsetTime,
            ZonedDateTime zoned,
            Duration duration,
            Period period,
            Year year,
            YearMonth month,
            MonthDay birthday,
            ZoneId zone,
            ZoneOffset east) {}

    record Scalars(
            byte b,
            short s,
            int i,
            long l,
            float f,
            double d,
            char c,
            boolean t,
            BigInteger big,
            UUID uuid,
            byte[] bytes,
            int[] ints,
            String[] strings,
            double[][] grid,
            Ext ext) {}

    record Texts(
            BigDecimal price,
            URI uri,
            URL url,
            Path path,
            InetAddress four,
            InetAddress six,
            Locale locale,
            Currency currency,
            Duration longest,
            Year early,
            YearMonth late,
            LocalDate farthest,
            Set<UUID> ids,
            Set<Long> numbers,
            char[] letters) {
        /** An array is equal to itself alone. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Texts t
                    && Arrays.equals(letters, t.letters)
                    && without(this).equals(without(t));
        }

        private static List<Object> without(Texts t) {
            return List.of(
                    t.price,
                    t.uri,
                    t.url,
                    t.path,
                    t.four,
                    t.six,
                    t.locale,
                    t.currency,
                    t.longest,
                    t.early,
                    t.late,
                    t.farthest,
                    t.ids,
                    t.numbers);
        }
    }

    public static class Person {
        private String name;
        private int age = 18;
        private boolean active;
        private List<Person> children = new ArrayList<>();
        public String note;
        private String secret = "hidden";

        public String getName() {
            return name;
        }

        public void setName(String value) {
            name = value;
        }

        public int getAge() {
            return age;
        }

        public void setAge(int value) {
            age = value;
        }

        public boolean isActive() {
            return active;
        }

        public void setActive(boolean value) {
            active = value;
        }

        public List<Person> getChildren() {
            return children;
        }

        public void setChildren(List<Person> value) {
            children = value;
        }

        public String getURL() {
            return "u:" + name;
        }
    }

    public static class Broken {
        public int getValue() {
            throw new IllegalStateException("no value");
        }
    }

    private static int passed;

    private static void check(Object expected, Object actual) {
        boolean same = Objects.deepEquals(expected, actual);
        if (same) passed++;
        else System.out.println("expected " + expected + ", was " + actual);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static final Packer packer = Packer.standard();
    private static final Unpacker unpacker = Unpacker.standard();

    private static String text(Object value) {
        return (String) unpacker.unpack(packer.pack(value));
    }

    private static void fails(String expected, String hex, Class<?> type) {
        try {
            check(expected, unpacker.unpack(bytes(hex), type));
        } catch (PackordException error) {
            check(expected, error.getMessage());
        }
    }

    private static <T> void comesBack(T value, TypeRef<T> type) throws Exception {
        for (Options options : List.of(
                Options.builder().build(),
                Options.builder().records(true).build(),
                Options.builder().canonical(true).build(),
                Options.builder().rich(true).build(),
                Options.builder()
                        .duplicateKey(Options.DuplicateKey.ERROR)
                        .maxNodes(1000)
                        .build())) {
            byte[] packed = Packer.of(options).pack(value);
            check(value, Unpacker.of(options).unpack(packed, type));
            check(value, Unpacker.of(options).unpack(new ByteArrayInputStream(packed), type));
            ByteBuffer buffer =
                    ByteBuffer.allocateDirect(packed.length).put(packed).flip();
            check(value, Unpacker.of(options).unpack(buffer, type));
            check(packed.length, buffer.position());
            for (int length = 0; length < packed.length; length++) {
                try {
                    check("eof", Unpacker.of(options).unpack(Arrays.copyOf(packed, length), type));
                } catch (PackordException error) {
                    check(ErrorKind.EOF, error.kind());
                }
            }
        }
    }

    /** The worked example of spec/columns.md: 24 rows that are stored by column. */
    private static final String ROWS =
            "c801065c01cd02a6ccd9022b07180120180804a26f6ba26174a163a174010018013209cd03e845730a0202160101"
                    + "000203020123d1fea2c3c2c3c2c3c3c3c3c3c2c3c3c3c3c3c2c2c3c3c3c3c3c3c301010102000101010101010101"
                    + "010101010101010101014f736c6f004772617a21004f736c6f00426f6e6e00506f00526f6d6500004c696d610057"
                    + "69656e004d65747a004e6963650042617269004c6f647a00436f726b004265726e0042726e6f004b69656c004c79"
                    + "6f6e005069736100596f726b004c696e7a00426173656c00556c6d005769656e00fbefffc0c000000703c2015802"
                    + "71029001b6034c04e1007e048a02f401e2047701a901ee02200352038403e8031a04b004";

    private static void columns() {
        Unpacker unpacker = Unpacker.of(Options.builder().columns(true).build());
        List<Row> rows = unpacker.unpack(bytes(ROWS), new TypeRef<List<Row>>() {});
        check(24, rows.size());
        check(new Row(false, 1010, "Graz!", Optional.of(4.25)), rows.get(1));
        check(new Row(true, 1120, "Lodz", Optional.empty()), rows.get(12));
        byte[] written = Packer.of(Options.builder().columns(true).build()).pack(rows);
        check(ROWS, hex(written));
        Options records = Options.builder().columns(true).records(true).build();
        check(rows, unpacker.unpack(Packer.of(records).pack(rows), new TypeRef<List<Row>>() {}));
        Pair<String, List<Row>> pair = unpacker.unpack(
                bytes("82a56669727374a178a67365636f6e64" + ROWS), new TypeRef<Pair<String, List<Row>>>() {});
        check(new Pair<>("x", rows), pair);
        try {
            unpacker.unpack(bytes("91" + ROWS), new TypeRef<List<List<Point>>>() {});
            check("an error", null);
        } catch (PackordException error) {
            check(ErrorKind.TYPE_MISMATCH, error.kind());
            check(1L, error.offset());
            check("$[0]", error.path());
        }
    }

    public static void main(String[] args) throws Exception {
        columns();
        User user = new User(
                7,
                "Ada",
                Optional.of(Instant.ofEpochSecond(5, 6)),
                List.of(new Point(1, -2), new Point(70000, 3)),
                new TreeMap<>(Map.of(Colour.RED, 3)));
        comesBack(user, new TypeRef<User>() {});
        comesBack(new User(0, null, Optional.empty(), null, Map.of()), new TypeRef<User>() {});
        comesBack(Map.of("a", List.of(user, user)), new TypeRef<Map<String, List<User>>>() {});
        comesBack(new Pair<>("a", List.of(1, 2)), new TypeRef<Pair<String, List<Integer>>>() {});
        comesBack(new Pair<>(new Pair<>(1L, 'x'), Colour.GREEN), new TypeRef<Pair<Pair<Long, Character>, Colour>>() {});
        comesBack(box(new PointBox(), new Point(1, 2)), new TypeRef<PointBox>() {});
        comesBack(
                box(new PairBox<Colour>(), List.of(new Pair<>(Colour.RED, new Point(1, 2)))),
                new TypeRef<PairBox<Colour>>() {});
        comesBack(
                new Parts<>(new Pair<>(List.of(new Point(1, 2)), Map.of("k", new Point[] {new Point(3, 4)}))),
                new TypeRef<Parts<Point>>() {});
        comesBack(new Node("a", new Node("b", null)), new TypeRef<Node>() {});
        comesBack(new LinkedHashSet<>(List.of("b", "a")), new TypeRef<LinkedHashSet<String>>() {});
        comesBack(new TreeMap<>(Map.of(3, "c", 1, "a")), new TypeRef<TreeMap<Integer, String>>() {});
        comesBack(Map.of(LocalDate.of(2026, 1, 2), 1), new TypeRef<Map<LocalDate, Integer>>() {});
        comesBack(
                new Times(
                        Instant.ofEpochSecond(1, 2),
                        new Date(1500),
                        LocalDate.of(2026, 2, 28),
                        LocalTime.of(1, 2, 3, 4),
                        LocalDateTime.of(2026, 1, 1, 0, 0),
                        OffsetDateTime.parse("2026-01-01T00:00:00Z"),
                        OffsetTime.parse("10:15:30+01:00"),
                        ZonedDateTime.parse("2026-01-01T00:00:00Z"),
                        Duration.ofSeconds(90, 5),
                        Period.of(1, 2, 3),
                        Year.of(2026),
                        YearMonth.of(2026, 5),
                        MonthDay.of(2, 29),
                        ZoneId.of("Europe/Berlin"),
                        ZoneOffset.ofHours(3)),
                new TypeRef<Times>() {});

        comesBack(
                new Texts(
                        new BigDecimal("1.50"),
                        URI.create("mailto:a@example.org"),
                        URI.create("https://example.org/").toURL(),
                        Path.of("a", "b"),
                        InetAddress.getByName("127.0.0.1"),
                        InetAddress.getByName("2001:db8::1"),
                        Locale.forLanguageTag("de-CH"),
                        Currency.getInstance("CHF"),
                        Duration.ofSeconds(Long.MIN_VALUE),
                        Year.of(5),
                        YearMonth.of(10000, 1),
                        LocalDate.MAX,
                        new HashSet<>(Set.of(new UUID(1, 2))),
                        new HashSet<>(Set.of(1L, 1L << 40)),
                        new char[] {'a', 'é'}),
                new TypeRef<Texts>() {});
        check("2001:db8::1", text(InetAddress.getByName("2001:db8::1")));
        check("::", text(InetAddress.getByName("::")));
        check("fe80::1:0:0:2", text(InetAddress.getByName("fe80:0:0:0:1:0:0:2")));
        check("1:2:3:4:5:6:7:0", text(InetAddress.getByName("1:2:3:4:5:6:7:0")));
        check("-PT2562047788015215H30M8S", text(Duration.ofSeconds(Long.MIN_VALUE)));
        check("0005", text(Year.of(5)));
        check("+10000-01", text(YearMonth.of(10000, 1)));
        check(Duration.ofHours(1), unpacker.unpack(packer.pack("-PT-1H"), Duration.class));
        check(
                OffsetDateTime.parse("2026-01-01T00:00:00+02:00"),
                unpacker.unpack(packer.pack("2026-01-01T00:00:00+02:00"), OffsetDateTime.class));
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: expected an IP address",
                hex(packer.pack("localhost")),
                InetAddress.class);

        check("82a17801a17902", hex(packer.pack(new Point(1, 2))));
        check("a3524544", hex(packer.pack(Colour.RED)));
        check("a5475245454e", hex(packer.pack(Colour.GREEN)));
        check("aa323032362d30322d3238", hex(packer.pack(LocalDate.of(2026, 2, 28))));
        check("c0", hex(packer.pack(Optional.empty())));
        check("05", hex(packer.pack(OptionalInt.of(5))));
        check(OptionalLong.of(5), unpacker.unpack(bytes("05"), OptionalLong.class));
        check(OptionalDouble.empty(), unpacker.unpack(bytes("c0"), OptionalDouble.class));
        check(
                "92d4724092a178a17901024003" + "04",
                hex(Packer.of(Options.builder().records(true).build())
                        .pack(List.of(new Point(1, 2), new Point(3, 4)))));

        Scalars scalars = new Scalars(
                (byte) -1,
                (short) 300,
                70000,
                1L << 40,
                1.5f,
                0.1,
                'é',
                true,
                new BigInteger("18446744073709551615"),
                new UUID(1, 2),
                new byte[] {1},
                new int[] {1, -2},
                new String[] {"a", null},
                new double[][] {{1, 2.5}, {}},
                new Ext(5, new byte[] {9}));
        Scalars back = unpacker.unpack(packer.pack(scalars), Scalars.class);
        check(hex(packer.pack(scalars)), hex(packer.pack(back)));
        check(scalars.grid(), back.grid());
        check(ByteBuffer.wrap(new byte[] {1, 2}), unpacker.unpack(bytes("c4020102"), ByteBuffer.class));

        Person child = new Person();
        child.setName("Bob");
        Person parent = new Person();
        parent.setName("Eve");
        parent.setActive(true);
        parent.note = "n";
        parent.setChildren(List.of(child));
        check(
                "{name=Eve, age=18, active=true, children=[{name=Bob, age=18, active=false, children=[], note=null, URL=u:Bob}], note=n, URL=u:Eve}",
                unpacker.unpack(packer.pack(parent)).toString());
        Person copy = unpacker.unpack(packer.pack(parent), Person.class);
        check(hex(packer.pack(parent)), hex(packer.pack(copy)));
        check(18, unpacker.unpack(bytes("81a46e616d65a141"), Person.class).getAge());
        check(List.of(), unpacker.unpack(bytes("80"), Person.class).getChildren());

        check(new Point(1, 2), unpacker.unpack(bytes("83a17801a36f7464c3a17902"), Point.class));
        check(new Point(3, 2), unpacker.unpack(bytes("83a17801a17902a17803"), Point.class));
        check(5.0, unpacker.unpack(bytes("05"), double.class));
        check(0.1f, unpacker.unpack(packer.pack(0.1), float.class));
        check(null, unpacker.unpack(bytes("c0"), Point.class));
        check(null, unpacker.unpack(bytes("c0"), Integer.class));
        check(List.of(1L, "a"), unpacker.unpack(bytes("9201a161"), Object.class));

        byte[] packed = Packer.standard().pack(List.of(new Point(1, 2)));
        List<Point> points = Unpacker.standard().unpack(packed, new TypeRef<List<Point>>() {});
        Point point = Unpacker.standard().unpack(Packer.standard().pack(points.get(0)), Point.class);
        check(new Point(1, 2), point);
        try {
            unpacker.unpack(bytes("9182a178cf0000000100000000a17902"), new TypeRef<List<Point>>() {});
            check("an error", null);
        } catch (PackordException error) {
            check(
                    "out_of_range at byte 4 ($[0].x): number is out of range: 4294967296 does not fit int",
                    error.getMessage());
        }

        numberArrays();

        fails(
                "type_mismatch at byte 3 ($.x): value has an unexpected type: expected an integer, found str",
                "82a178a2ffffa17902",
                Point.class);
        fails(
                "out_of_range at byte 3 ($.x): number is out of range: 4294967296 does not fit int",
                "82a178cf0000000100000000a17902",
                Point.class);
        fails(
                "out_of_range at byte 0 ($): number is out of range: 18446744073709551615 does not fit long",
                "cfffffffffffffffff",
                Long.class);
        fails(
                "out_of_range at byte 0 ($): number is out of range: 9007199254740993 does not fit double",
                "cf0020000000000001",
                double.class);
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: missing field \"y\"",
                "81a17801",
                Point.class);
        check(
                null,
                unpacker.unpack(bytes("82a46e616d65a161a46e657874d40000"), Node.class)
                        .next());
        check(
                "a",
                unpacker.unpack(bytes("82a46e616d65a161a46e657874c7010000"), Node.class)
                        .name());
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: missing field \"x\"",
                "82a178d40000a17902",
                Point.class);
        fails(
                "type_mismatch at byte 3 ($.x): value has an unexpected type: expected an integer, found ext",
                "82a178d40001a17902",
                Point.class);
        fails(
                "type_mismatch at byte 3 ($.x): value has an unexpected type: expected an integer, found nil",
                "82a178c0a17902",
                Point.class);
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: expected a map, found array",
                "920102",
                Point.class);
        fails("eof at byte 4 ($): input ends before the message does", "82a178d9", Point.class);
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: unknown variant \"BL\"",
                "a2424c",
                Colour.class);
        fails("type_mismatch at byte 0 ($): value has an unexpected type: expected a date", "a178", LocalDate.class);
        fails("type_mismatch at byte 0 ($): value has an unexpected type: expected a uuid", "a531312d2d31", UUID.class);
        fails("reserved_marker at byte 3 ($.x): marker c1 is reserved", "82a178c1a17902", Point.class);
        fails(
                "type_mismatch at byte 0 ($): value has an unexpected type: Checked cannot be made: java.lang.IllegalArgumentException: not positive: 0",
                "81a8706f73697469766500",
                Checked.class);
        fails("eof at byte 7 ($.text): input ends before the message does", "81a474657874d9", Wide.class);
        fails("trailing_bytes at byte 1: bytes follow the message", "0102", int.class);
        try {
            unpacker.unpack(bytes("81a081910001"), new TypeRef<Map<String, Map<Colour, Integer>>>() {});
            check("an error", null);
        } catch (PackordException error) {
            check(
                    "type_mismatch at byte 3 ($[\"\"]): value has an unexpected type: expected a variant, found array",
                    error.getMessage());
        }
        try {
            unpacker.unpack(bytes("92c4017f9182a178a161a17902"), new TypeRef<List<Object[]>>() {});
            check("an error", null);
        } catch (PackordException error) {
            check("$[0]", error.path());
        }
        try {
            packer.pack(Map.of("k", new Broken()));
            check("an error", null);
        } catch (PackordException error) {
            check(
                    "unsupported_type at $.k.value: type has no encoding: TypedProgram$Broken.value threw java.lang.IllegalStateException: no value",
                    error.getMessage());
            check(true, error.getCause() != null);
        }
        try {
            packer.pack(List.of(new Object()));
            check("an error", null);
        } catch (PackordException error) {
            check("unsupported_type at $[0]: type has no encoding: java.lang.Object", error.getMessage());
        }
        Person loop = new Person();
        loop.setChildren(List.of(loop));
        try {
            packer.pack(loop);
            check("an error", null);
        } catch (PackordException error) {
            check(ErrorKind.CYCLE, error.kind());
        }
        for (Class<?> wrong : List.of(Runnable.class, Thread.class, System.class)) {
            try {
                unpacker.unpack(bytes("80"), wrong);
                check("an error", null);
            } catch (IllegalArgumentException error) {
                check(true, error.getMessage().contains(wrong.getName()));
            }
        }
        StringBuilder deep = new StringBuilder();
        for (int i = 0; i < 1023; i++) deep.append("82a46e616d65a161a46e657874");
        Node node = unpacker.unpack(bytes(deep + "c0"), Node.class);
        check("a", node.next().next().name());
        check(deep + "c0", hex(packer.pack(node)));
        try {
            unpacker.unpack(bytes("81a46e657874".repeat(2000) + "c0"), Deep.class);
            check("an error", null);
        } catch (PackordException error) {
            check(ErrorKind.DEPTH_LIMIT, error.kind());
            check(6144L, error.offset());
        }

        ByteBuffer collide = ByteBuffer.allocate(1 << 20).put((byte) 0xdc).putShort((short) 20000);
        for (int i = 0; i < 20000; i++) {
            StringBuilder key = new StringBuilder();
            for (int bit = 0; bit < 15; bit++) key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            collide.put((byte) 0x91).put((byte) 0xbe).put(key.toString().getBytes());
        }
        try {
            unpacker.unpack(Arrays.copyOf(collide.array(), collide.position()), new TypeRef<Set<List<String>>>() {});
            check("an error", null);
        } catch (PackordException error) {
            check(ErrorKind.LENGTH_LIMIT, error.kind());
        }
        System.out.println("passed " + (passed > 300));
    }

    /** Arrays of numbers, whose elements are read in several ways: in any format, and next to the end. */
    private static void numberArrays() {
        long[] longs = {
            0,
            127,
            128,
            255,
            256,
            65535,
            65536,
            4294967295L,
            4294967296L,
            Long.MAX_VALUE,
            -1,
            -32,
            -33,
            -128,
            -129,
            -32768,
            -32769,
            Integer.MIN_VALUE,
            Integer.MIN_VALUE - 1L,
            Long.MIN_VALUE,
            1
        };
        int[] ints = Arrays.stream(longs).mapToInt(each -> (int) each).toArray();
        double[] doubles = {0.1, -0.0, Double.NaN, 1e300, 2};
        List<Options> all = List.of(
                Options.builder().build(),
                Options.builder().records(true).build(),
                Options.builder().canonical(true).build(),
                Options.builder().float32(true).build());
        for (Options options : all) {
            Packer packing = Packer.of(options);
            Unpacker unpacking = Unpacker.of(options);
            check(longs, unpacking.unpack(packing.pack(longs), long[].class));
            check(ints, unpacking.unpack(packing.pack(ints), int[].class));
            doubles[1] = options.canonical ? 0 : -0.0;
            check(doubles, unpacking.unpack(packing.pack(doubles), double[].class));
        }
        check(
                new double[] {1, 1.5, 0.1, 300},
                unpacker.unpack(bytes("9401ca3fc00000cb3fb999999999999acd012c"), double[].class));
        check(new int[][] {{1}, {}, null}, unpacker.unpack(bytes("93910190c0"), int[][].class));
        check(new long[] {-1, 255}, unpacker.unpack(bytes("92ffccff"), long[].class));
        String follow = "c0".repeat(9);
        for (String after : List.of("", follow)) {
            String array = after.isEmpty() ? "92" : "dc000b";
            int at = array.length() / 2 + 1;
            fails(
                    "out_of_range at byte " + at + " ($[1]): number is out of range: 4294967296 does not fit int",
                    array + "01cf0000000100000000" + after,
                    int[].class);
            fails(
                    "out_of_range at byte " + at
                            + " ($[1]): number is out of range: 18446744073709551615 does not fit long",
                    array + "01cfffffffffffffffff" + after,
                    long[].class);
            fails(
                    "type_mismatch at byte " + at
                            + " ($[1]): value has an unexpected type: expected an integer, found nil",
                    array + "01c0" + after,
                    int[].class);
            fails(
                    "type_mismatch at byte " + at
                            + " ($[1]): value has an unexpected type: expected a float, found str",
                    array + "01a0" + after,
                    double[].class);
            fails(
                    "type_mismatch at byte " + at
                            + " ($[1]): value has an unexpected type: expected an integer, found float",
                    array + "01cb3fb999999999999a" + after,
                    long[].class);
        }
        fails("eof at byte 3 ($[1]): input ends before the message does", "9201cd", int[].class);
        fails("eof at byte 2 ($): input ends before the message does", "9201", int[].class);
    }

    record Deep(Deep next) {}
}
