package packord.jackson;

import static packord.jackson.Libraries.*;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.ExtensionTypeCustomDeserializers;
import org.msgpack.jackson.dataformat.MessagePackExtensionType;
import org.msgpack.jackson.dataformat.MessagePackFactory;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import org.msgpack.jackson.dataformat.TimestampExtensionModule;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;
import packord.Ext;
import packord.MessageReader;
import packord.Option;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Token;
import packord.TokenWriter;
import packord.TypeRef;
import packord.Unpacker;
import packord.View;
import packord.Walker;

/**
 * The table of site/generated/java-features.md: each cell is what its piece of code did, ✓ for true. A dash is for
 * false, for an exception, and for a library that has no such thing.
 */
final class Features {
    private Features() {}

    record Row(String label, Cell packord, Cell bridge, Cell jackson, Cell msgpack) {}

    private static final List<Row> ROWS = List.of(
            new Row(
                    "nil, bools, integers, floats, strings, lists, maps",
                    () -> PLAIN.equals(Unpacker.standard().unpack(pack(PLAIN))),
                    () -> readsPlain(bridge()),
                    () -> readsPlain(jackson()),
                    () -> {
                        Value value = ValueFactory.newArray(
                                ValueFactory.newNil(), ValueFactory.newInteger(-70_000), ValueFactory.newString("ä"));
                        return value.equals(msgpack(msgpacked(packer -> packer.packValue(value)))
                                .unpackValue());
                    }),
            new Row(
                    "records",
                    () -> comesBack(new Point(1, -2)),
                    () -> comesBack(bridge(), new Point(1, -2)),
                    () -> comesBack(jackson(), new Point(1, -2)),
                    null),
            new Row(
                    "classes with getters, setters and public fields",
                    () -> Arrays.equals(unpack(pack(bean()), Bean.class).scores, bean().scores),
                    () -> readsBean(bridge()),
                    () -> readsBean(jackson()),
                    null),
            new Row(
                    "classes without setters, by their constructor, without an annotation",
                    () -> unpack(pack(new Fixed("a", 3)), Fixed.class).getSize() == 3,
                    () -> readsFixed(bridge()),
                    () -> readsFixed(jackson()),
                    null),
            new Row(
                    "the annotations of Jackson",
                    () -> Arrays.equals(hex("81a7757365725f696405"), pack(new Renamed(5))),
                    () -> Arrays.equals(hex("81a7757365725f696405"), bridge().writeValueAsBytes(new Renamed(5))),
                    () -> Arrays.equals(hex("81a7757365725f696405"), jackson().writeValueAsBytes(new Renamed(5))),
                    null),
            new Row(
                    "sealed types without a list of their subtypes",
                    () -> unpack(pack(new Circle(1.5)), Shape.class).equals(new Circle(1.5)),
                    null,
                    null,
                    null),
            new Row(
                    "UUID, URI, Locale, Currency, enums",
                    () -> comesBack(new Texts(
                            new UUID(1, 2),
                            URI.create("a:b"),
                            Locale.CANADA_FRENCH,
                            Currency.getInstance("EUR"),
                            Thread.State.NEW)),
                    () -> comesBack(
                            bridge(),
                            new Texts(
                                    new UUID(1, 2),
                                    URI.create("a:b"),
                                    Locale.CANADA_FRENCH,
                                    Currency.getInstance("EUR"),
                                    Thread.State.NEW)),
                    () -> comesBack(
                            jackson(),
                            new Texts(
                                    new UUID(1, 2),
                                    URI.create("a:b"),
                                    Locale.CANADA_FRENCH,
                                    Currency.getInstance("EUR"),
                                    Thread.State.NEW)),
                    null),
            new Row(
                    "Optional",
                    () -> comesBack(new Maybe(Optional.of("a"))),
                    () -> comesBack(bridge(), new Maybe(Optional.of("a"))),
                    () -> comesBack(jackson(), new Maybe(Optional.of("a"))),
                    null),
            new Row(
                    "an Instant is a timestamp, with its nanoseconds",
                    () -> comesBack(Instant.ofEpochSecond(5, 123_456_789)) && pack(Instant.EPOCH)[1] == -1,
                    () -> comesBack(bridge(), Instant.ofEpochSecond(5, 123_456_789)),
                    () -> comesBack(
                            jackson().registerModule(TimestampExtensionModule.INSTANCE),
                            Instant.ofEpochSecond(5, 123_456_789)),
                    () -> msgpack(msgpacked(packer -> packer.packTimestamp(5, 123_456_789)))
                                    .unpackTimestamp()
                                    .getNano()
                            == 123_456_789),
            new Row(
                    "LocalDate, Duration and the rest of java.time, without a module",
                    () -> comesBack(LocalDate.of(2026, 1, 2)) && comesBack(Duration.ofMillis(5)),
                    () -> comesBack(bridge(), LocalDate.of(2026, 1, 2)),
                    () -> comesBack(jackson(), LocalDate.of(2026, 1, 2)),
                    null),
            new Row(
                    "BigDecimal comes back, with its scale",
                    () -> comesBack(new BigDecimal("1.50")),
                    () -> comesBack(bridge(), new BigDecimal("1.50")),
                    () -> comesBack(new MessagePackMapper().handleBigDecimalAsString(), new BigDecimal("1.50")),
                    null),
            new Row(
                    "BigInteger beyond 64 bits",
                    () -> {
                        Options options = Options.builder().bigint(true).build();
                        BigInteger large = BigInteger.ONE.shiftLeft(80);
                        return large.equals(
                                Unpacker.of(options).unpack(Packer.of(options).pack(large), BigInteger.class));
                    },
                    () -> comesBack(
                            new PackordMapper(new PackordFactory(
                                    Options.builder().bigint(true).build())),
                            BigInteger.ONE.shiftLeft(80)),
                    () -> comesBack(new MessagePackMapper().handleBigIntegerAsString(), BigInteger.ONE.shiftLeft(80)),
                    () -> msgpack(msgpacked(packer -> packer.packBigInteger(BigInteger.ONE.shiftLeft(80))))
                                    .unpackBigInteger()
                                    .bitLength()
                            == 81),
            new Row(
                    "sets, arrays of numbers, bytes as bin",
                    () -> comesBack(new java.util.HashSet<>(Set.of("a", "b")))
                            && Arrays.equals(hex("c40101"), pack(new byte[] {1})),
                    () -> comesBack(bridge(), new java.util.HashSet<>(Set.of("a", "b")))
                            && Arrays.equals(hex("c40101"), bridge().writeValueAsBytes(new byte[] {1})),
                    () -> comesBack(jackson(), new java.util.HashSet<>(Set.of("a", "b")))
                            && Arrays.equals(hex("c40101"), jackson().writeValueAsBytes(new byte[] {1})),
                    null),
            new Row(
                    "maps with integers as keys",
                    () -> Map.of(7, "a")
                                    .equals(Unpacker.standard()
                                            .unpack(hex("8107a161"), new TypeRef<Map<Integer, String>>() {}))
                            && Arrays.equals(hex("8107a161"), pack(Map.of(7, "a"))),
                    () -> Arrays.equals(hex("8107a161"), bridge().writeValueAsBytes(Map.of(7, "a"))),
                    () -> {
                        ObjectMapper mapper =
                                new MessagePackMapper(new MessagePackFactory().setSupportIntegerKeys(true));
                        return Map.of(7, "a")
                                .equals(mapper.readValue(
                                        hex("8107a161"), new TypeReference<Map<Integer, String>>() {}));
                    },
                    () -> msgpack(hex("8107a161"))
                            .unpackValue()
                            .asMapValue()
                            .map()
                            .containsKey(ValueFactory.newInteger(7))),
            new Row(
                    "an ext that nobody knows is kept, and written as it was",
                    () -> Arrays.equals(hex("d4050a"), pack(Unpacker.standard().unpack(hex("d4050a")))),
                    () -> Arrays.equals(
                            hex("d4050a"), bridge().writeValueAsBytes(bridge().readValue(hex("d4050a"), Ext.class))),
                    () -> jackson().readValue(hex("d4050a"), Object.class) instanceof MessagePackExtensionType ext
                            && Arrays.equals(hex("d4050a"), jackson().writeValueAsBytes(ext)),
                    () -> Arrays.equals(
                            hex("d4050a"),
                            msgpacked(packer ->
                                    packer.packValue(msgpack(hex("d4050a")).unpackValue())))),
            new Row(
                    "ext types of a program",
                    () -> {
                        Options options = Options.builder()
                                .extension(new MoneyExtension())
                                .build();
                        return new Money(5)
                                .equals(Unpacker.of(options)
                                        .unpack(Packer.of(options).pack(new Money(5)), Money.class));
                    },
                    () -> {
                        ObjectMapper mapper = new PackordMapper(new PackordFactory(Options.builder()
                                .extension(new MoneyExtension())
                                .build()));
                        return new Money(5).equals(mapper.readValue(hex("d40905"), Object.class));
                    },
                    () -> {
                        ExtensionTypeCustomDeserializers known = new ExtensionTypeCustomDeserializers();
                        known.addCustomDeser((byte) 9, data -> new Money(new BigInteger(data).longValue()));
                        return new Money(5)
                                .equals(new ObjectMapper(new MessagePackFactory().setExtTypeCustomDesers(known))
                                        .readValue(hex("d40905"), Object.class));
                    },
                    null),
            new Row(
                    "a stream of messages",
                    () -> {
                        MessageReader<Integer> reader =
                                Unpacker.standard().reader(new ByteArrayInputStream(hex("010203")), Integer.class);
                        return reader.stream().toList().equals(List.of(1, 2, 3));
                    },
                    () -> readsStream(bridge()),
                    () -> readsStream(jackson()),
                    () -> {
                        MessageUnpacker unpacker =
                                MessagePack.newDefaultUnpacker(new ByteArrayInputStream(hex("010203")));
                        List<Integer> all = new ArrayList<>();
                        while (unpacker.hasNext()) all.add(unpacker.unpackInt());
                        return all.equals(List.of(1, 2, 3));
                    }),
            new Row(
                    "of a stream no byte is read after the message",
                    () -> {
                        InputStream in = new ByteArrayInputStream(hex("0102"));
                        return Unpacker.standard().unpack(in, int.class) == 1 && in.read() == 2;
                    },
                    () -> {
                        InputStream in = new ByteArrayInputStream(hex("0102"));
                        return bridge().disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                                                .readValue(in, int.class)
                                        == 1
                                && in.read() == 2;
                    },
                    () -> {
                        InputStream in = new ByteArrayInputStream(hex("0102"));
                        return jackson()
                                                .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                                                .readValue(in, int.class)
                                        == 1
                                && in.read() == 2;
                    },
                    () -> {
                        InputStream in = new ByteArrayInputStream(hex("0102"));
                        return MessagePack.newDefaultUnpacker(in).unpackInt() == 1 && in.read() == 2;
                    }),
            new Row(
                    "token by token",
                    () -> {
                        Walker walker = Unpacker.standard().walker(hex("9101"));
                        return walker.nextMessage()
                                && walker.next() == Token.ARRAY
                                && walker.next() == Token.INTEGER
                                && walker.longValue() == 1;
                    },
                    () -> readsTokens(bridge().createParser(hex("9101"))),
                    () -> readsTokens(jackson().createParser(hex("9101"))),
                    () -> {
                        MessageUnpacker unpacker = msgpack(hex("9101"));
                        return unpacker.unpackArrayHeader() == 1 && unpacker.unpackInt() == 1;
                    }),
            new Row(
                    "a message is written while its parts are given",
                    () -> {
                        ByteArrayOutputStream out = new ByteArrayOutputStream();
                        TokenWriter writer = Packer.standard().tokens(out).beginArray(100_000);
                        for (int i = 0; i < 100_000 && out.size() == 0; i++) writer.write("0123456789");
                        return out.size() > 0;
                    },
                    () -> {
                        ByteArrayOutputStream out = new ByteArrayOutputStream();
                        return writesAhead(bridge().createGenerator(out), out);
                    },
                    () -> {
                        ByteArrayOutputStream out = new ByteArrayOutputStream();
                        return writesAhead(jackson().createGenerator(out), out);
                    },
                    () -> {
                        ByteArrayOutputStream out = new ByteArrayOutputStream();
                        org.msgpack.core.MessagePacker packer =
                                MessagePack.newDefaultPacker(out).packArrayHeader(100_000);
                        for (int i = 0; i < 100_000 && out.size() == 0; i++) packer.packString("0123456789");
                        return out.size() > 0;
                    }),
            new Row(
                    "a part is read without the rest",
                    () -> {
                        View view = Unpacker.standard().view(pack(Map.of("a", List.of(1, Map.of("b", 2)))));
                        return view.get("a", 1, "b").equals(2L);
                    },
                    null,
                    null,
                    null),
            new Row(
                    "trees of nodes",
                    null,
                    () -> bridge().readTree(hex("81a16101")).get("a").asInt() == 1,
                    () -> jackson().readTree(hex("81a16101")).get("a").asInt() == 1,
                    () -> msgpack(hex("81a16101")).unpackValue().isMapValue()),
            new Row(
                    "names by a strategy, mix-ins, filters and all else that a mapper has",
                    null,
                    () -> bridge().setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                                    .writeValueAsBytes(new Point(1, 2))[2]
                            == 'X',
                    () -> jackson()
                                    .setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                                    .writeValueAsBytes(new Point(1, 2))[2]
                            == 'X',
                    null),
            new Row(
                    "direct ByteBuffers",
                    () -> unpack(pack(3), int.class) == 3
                            && Unpacker.standard()
                                            .unpack(ByteBuffer.allocateDirect(1).put(0, (byte) 3), int.class)
                                    == 3,
                    null,
                    null,
                    () -> MessagePack.newDefaultUnpacker(
                                            ByteBuffer.allocateDirect(1).put(0, (byte) 3))
                                    .unpackInt()
                            == 3),
            new Row(
                    "keys that many maps have are written once",
                    () -> {
                        Options options = Options.builder().records(true).build();
                        List<Point> all = Collections.nCopies(100, new Point(1, 2));
                        byte[] bytes = Packer.of(Options.builder()
                                        .records(true)
                                        .sortKeys(true)
                                        .build())
                                .pack(all);
                        return bytes.length < 350
                                && Unpacker.of(options)
                                        .unpack(bytes, new TypeRef<List<Point>>() {})
                                        .equals(all);
                    },
                    null,
                    null,
                    null),
            new Row(
                    "tables are stored by column",
                    () -> {
                        Options options = Options.builder().columns(true).build();
                        List<Point> all = Collections.nCopies(1000, new Point(1, 2));
                        byte[] bytes = Packer.of(options).pack(all);
                        return bytes.length < 500
                                && Unpacker.of(options)
                                        .unpack(bytes, new TypeRef<List<Point>>() {})
                                        .equals(all);
                    },
                    null,
                    null,
                    null),
            new Row(
                    "equal values give equal bytes",
                    () -> Arrays.equals(
                            hex("82a16101a16202"),
                            Packer.of(Options.builder().canonical(true).build())
                                    .pack(new java.util.TreeMap<>(Map.of("a", 1, "b", 2)).descendingMap())),
                    null,
                    null,
                    null),
            new Row(
                    "bytes after the message are an error",
                    () -> fails(() -> unpack(hex("0102"), int.class) == 1),
                    () -> fails(() -> bridge().readValue(hex("0102"), int.class) == 1),
                    () -> fails(() -> jackson().readValue(hex("0102"), int.class) == 1),
                    null),
            new Row(
                    "a message that is cut short is an error",
                    () -> fails(() -> unpack(hex("9201"), int[].class) == null),
                    () -> fails(() -> bridge().readValue(hex("9201"), int[].class) == null),
                    () -> fails(() -> jackson().readValue(hex("9201"), int[].class) == null),
                    () -> fails(() -> msgpack(hex("9201")).unpackValue() == null)),
            new Row(
                    "a str that is not UTF-8 is an error",
                    () -> fails(() -> unpack(WRONG, String.class) == null),
                    () -> fails(() -> bridge().readValue(WRONG, String.class) == null),
                    () -> fails(() -> jackson().readValue(WRONG, String.class) == null),
                    () -> fails(() -> msgpack(WRONG).unpackString() == null)),
            new Row(
                    "a header of 2^32 − 1 elements is an error, not an OutOfMemoryError",
                    () -> fails(() -> unpack(HUGE, Object.class) == null),
                    () -> fails(() -> bridge().readValue(HUGE, Object.class) == null),
                    () -> fails(() -> jackson().readValue(HUGE, Object.class) == null),
                    () -> fails(() -> msgpack(HUGE).unpackValue() == null)),
            new Row(
                    "100,000 nested arrays are an error, not a StackOverflowError",
                    () -> fails(() -> unpack(nested(), Object.class) == null),
                    () -> fails(() -> bridge().readValue(nested(), Object.class) == null),
                    () -> fails(() -> jackson().readValue(nested(), Object.class) == null),
                    () -> fails(() -> msgpack(nested()).unpackValue() == null)),
            new Row(
                    "limits of lengths",
                    () -> fails(() ->
                            Unpacker.of(Options.builder().maxLen(2).build()).unpack(pack("abc")) == null),
                    () -> fails(() -> new PackordMapper(new PackordFactory(
                                            Options.builder().maxLen(2).build()))
                                    .readValue(pack("abc"), String.class)
                            == null),
                    () -> {
                        ObjectMapper mapper = jackson();
                        mapper.getFactory()
                                .setStreamReadConstraints(com.fasterxml.jackson.core.StreamReadConstraints.builder()
                                        .maxStringLength(2)
                                        .build());
                        return fails(() -> mapper.readValue(pack("abc"), String.class) == null);
                    },
                    () -> fails(() -> new MessagePack.UnpackerConfig()
                                    .withStringSizeLimit(2)
                                    .newUnpacker(pack("abc"))
                                    .unpackString()
                            == null)),
            new Row(
                    "a key that is twice in a map can be refused",
                    () -> fails(() -> Unpacker.of(Options.builder()
                                            .set(Option.DUPLICATE_KEY, Options.DuplicateKey.ERROR)
                                            .build())
                                    .unpack(TWICE)
                            == null),
                    () -> fails(() -> bridge().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                                    .readValue(TWICE, Map.class)
                            == null),
                    () -> fails(() -> jackson()
                                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                                    .readValue(TWICE, Map.class)
                            == null),
                    null),
            new Row(
                    "a number that would lose something is an error",
                    () -> fails(() -> unpack(pack(3.5), int.class) == 3)
                            && fails(() -> unpack(pack(1e300), float.class) > 0),
                    () -> fails(() -> bridge().readValue(pack(3.5), int.class) == 3)
                            && fails(() -> bridge().readValue(pack(1e300), float.class) > 0),
                    () -> fails(() -> jackson().readValue(pack(3.5), int.class) == 3)
                            && fails(() -> jackson().readValue(pack(1e300), float.class) > 0),
                    () -> fails(() -> msgpack(pack(3.5)).unpackInt() == 3)
                            && fails(() -> msgpack(pack(1e300)).unpackFloat() > 0)),
            new Row(
                    "errors say which byte",
                    () -> error(() -> unpack(hex("9201"), int[].class) == null) instanceof PackordException found
                            && found.offset() == 2,
                    () -> locates(bridge()),
                    () -> locates(jackson()),
                    null),
            new Row(
                    "errors say which field",
                    () -> error(() -> unpack(pack(Map.of("points", List.of(Map.of("x", "one")))), Deep.class) == null)
                                    instanceof PackordException found
                            && found.path().equals("$.points[0].x"),
                    () -> namesField(bridge()),
                    () -> namesField(jackson()),
                    null));

    private static String shown(Cell cell) {
        if (cell == null) return "–";
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        // What runs out of stack or memory must not take the program along.
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        done.complete(cell.run());
                    } catch (Throwable thrown) {
                        done.complete(false);
                    }
                },
                "cell",
                4 << 20);
        thread.setDaemon(true);
        thread.start();
        try {
            return done.get(60, TimeUnit.SECONDS) ? "✓" : "–";
        } catch (Exception late) {
            return "–";
        }
    }

    /** Returns the table. */
    static String table() {
        StringBuilder table = new StringBuilder(
                "| | packord | packord-jackson | jackson-dataformat-msgpack | msgpack-java |\n|---|---|---|---|---|\n");
        for (Row row : ROWS) {
            table.append("| ").append(row.label);
            for (Cell cell : Arrays.asList(row.packord, row.bridge, row.jackson, row.msgpack))
                table.append(" | ").append(shown(cell));
            table.append(" |\n");
        }
        return table.toString();
    }
}
