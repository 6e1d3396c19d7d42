package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.shown;
import static packord.spark.Session.write;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.Ext;
import packord.Timestamp;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;

/** What values become in columns of a given type. */
@Tag("engines")
class ValuesTest {
    @TempDir
    Path folder;

    private int files;

    /** Returns what a column {@code v} of a type has for values, which are written by column and row by row. */
    private List<String> as(String type, Object... values) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object value : values) rows.add(row("v", value));
        List<String> results = new ArrayList<>();
        for (boolean columns : List.of(true, false)) {
            Path file = write(folder.resolve(files++ + ".pkd"), rows, options -> options.columns(columns));
            results.add(shown(read("v " + type, file, "partitions", "1")).toString());
        }
        assertEquals(results.get(0), results.get(1));
        return List.of(results.get(0));
    }

    private static List<String> rows(String... rows) {
        return List.of(List.of(rows).toString());
    }

    @Test
    void integersOutOfRangeAreNull() {
        assertEquals(
                rows("[127]", "[-128]", "[null]", "[null]", "[5]", "[null]"),
                as("byte", 127, -128, 128, "1", 5.0, 5.5));
        assertEquals(rows("[null]", "[32767]"), as("short", 32768, 32767));
        assertEquals(rows("[null]", "[-2147483648]"), as("int", 1L << 31, -(1L << 31)));
        assertEquals(
                rows("[null]", "[9223372036854775807]", "[null]", "[-9223372036854775808]"),
                as("long", BigInteger.ONE.shiftLeft(63), Long.MAX_VALUE, 0x1p63, -0x1p63));
    }

    @Test
    void floatsAreRounded() {
        assertEquals(
                rows("[0.1]", "[1.0]", "[1.8446744E19]", "[null]"),
                as("float", 0.1, 1, new BigInteger("18446744073709551615"), true));
        assertEquals(
                rows("[9.007199254740992E15]", "[1.8446744073709552E19]", "[NaN]"),
                as("double", (1L << 53) + 1, new BigInteger("18446744073709551615"), Double.NaN));
    }

    @Test
    void decimalsAreReadFromNumbersStringsAndExts() {
        Ext ext = new Ext(84, new byte[] {2, 0, (byte) 0x96});
        assertEquals(
                rows("[1.50]", "[2.00]", "[0.13]", "[1.50]", "[-3.25]", "[null]", "[null]", "[null]", "[0.00]"),
                as("decimal(6,2)", ext, 2, 0.125, 1.5, "-3.25", "one", 123456, Double.NaN, "1e-9"));
        assertEquals(
                rows("[null]", "[null]", "[null]"),
                as("decimal(38,0)", "1e2000000000", new Ext(84, new byte[] {2}), new byte[1]));
        assertEquals(
                rows("[18446744073709551615]", "[-1]"),
                as("decimal(20,0)", new BigInteger("18446744073709551615"), -1));
    }

    @Test
    void timestampsAreCutToMicrosecondsAndReadFromStrings() {
        assertEquals(
                rows(
                        "[2026-01-01 00:00:00.123456]",
                        "[1969-12-31 23:59:59.999999]",
                        "[2026-01-01 00:00:00.0]",
                        "[2025-12-31 23:00:00.0]",
                        "[null]",
                        "[null]",
                        "[null]"),
                as(
                        "timestamp",
                        Instant.parse("2026-01-01T00:00:00.123456789Z"),
                        Instant.ofEpochSecond(-1, 999_999_999),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:00:00+01:00",
                        "today",
                        5,
                        new Timestamp(Long.MAX_VALUE, 0)));
        assertEquals(
                rows("[2026-01-01T00:00:00.000001]", "[2026-01-01T10:00]"),
                as("timestamp_ntz", Instant.parse("2026-01-01T00:00:00.000001Z"), "2026-01-01T10:00:00"));
        assertEquals(
                rows("[2026-11-24]", "[1970-01-02]", "[null]", "[null]"),
                as("date", "2026-11-24", new Ext(87, new byte[] {0, 0, 0, 1}), "2026-02-30", Instant.EPOCH));
    }

    @Test
    void stringsAreAsTheyAreAndAllElseIsTheJsonThatTheToolWrites() {
        assertEquals(
                rows(
                        "[a]",
                        "[1]",
                        "[18446744073709551615]",
                        "[1.5]",
                        "[1e20]",
                        "[0.00015]",
                        "[123456789.0]",
                        "[NaN]",
                        "[true]",
                        "[{\"$bin\":\"AP8=\"}]",
                        "[{\"$timestamp\":\"2026-01-02T03:04:05.5Z\"}]",
                        "[{\"$ext\":[5,\"AA==\"]}]",
                        "[{\"a\\n\":[null,{\"$float\":\"-inf\"}]}]",
                        "[{\"$$bin\":1,\"$other\":2}]",
                        "[{\"$timestamp\":[9223372036854775807,5]}]"),
                as(
                        "string",
                        "a",
                        1,
                        new BigInteger("18446744073709551615"),
                        1.5,
                        1e20,
                        1.5e-4,
                        123456789.0,
                        Double.NaN,
                        true,
                        new byte[] {0, -1},
                        Instant.parse("2026-01-02T03:04:05.5Z"),
                        new Ext(5, new byte[1]),
                        row("a\n", java.util.Arrays.asList(null, Double.NEGATIVE_INFINITY)),
                        row("$bin", 1, "$other", 2),
                        new Timestamp(Long.MAX_VALUE, 5)));
    }

    @Test
    void keysOfMapsThatAreNotStringsAreNotation() throws IOException {
        Path file = folder.resolve("keys.pkd");
        try (ContainerWriter writer = ContainerWriter.create(file, WriteOptions.standard())) {
            writer.writePacked(new byte[] {
                (byte) 0x81, (byte) 0xa1, 'v', (byte) 0x83, 5, 1, (byte) 0xc4, 1, 0, 2, (byte) 0xa1, 'a', 3
            });
        }
        assertEquals(List.of("[{\"$key:5\":1,\"$key:h'00'\":2,\"a\":3}]"), shown(read("v string", file)));
        assertEquals("struct<v:struct<a:bigint>>", read(file).schema().simpleString());
        assertEquals(
                List.of("[Map(5 -> 1, {\"$bin\":\"AA==\"} -> 2, a -> 3)]"), shown(read("v map<string, long>", file)));
        assertEquals(List.of("[null]"), shown(read("v map<long, long>", file)));
    }

    @Test
    void mapsHaveTheLastValueOfAKeyThatComesTwice() throws IOException {
        Path file = folder.resolve("twice.pkd");
        try (ContainerWriter writer = ContainerWriter.create(file, WriteOptions.standard())) {
            writer.writePacked(new byte[] {
                (byte) 0x81,
                (byte) 0xa1,
                'v',
                (byte) 0x83,
                (byte) 0xa1,
                'a',
                1,
                (byte) 0xa1,
                'b',
                2,
                (byte) 0xa1,
                'a',
                3
            });
        }
        assertEquals(List.of("[[3,2]]"), shown(read("v struct<a: long, b: long>", file)));
        assertEquals(List.of("[Map(b -> 2, a -> 3)]"), shown(read("v map<string, long>", file)));
    }

    @Test
    void valuesInArraysAndStructsAreNullOneByOne() {
        assertEquals(
                rows("[ArraySeq(1, null, 3)]", "[null]", "[ArraySeq()]"),
                as("array<long>", List.of(1, "x", 3), 7, List.of()));
        assertEquals(
                rows("[[1,null]]", "[[null,null]]", "[null]", "[[null,ArraySeq(2.0)]]"),
                as(
                        "struct<a: long, b: array<double>>",
                        row("a", 1, "z", 5),
                        row("a", "x"),
                        List.of(),
                        row("b", List.of(2))));
        assertEquals(
                rows("[Map(a -> 1, b -> null)]", "[Map()]", "[null]"),
                as("map<string, long>", row("a", 1, "b", "x"), Map.of(), "text"));
    }

    @Test
    void inStrictModeAValueThatDoesNotFitIsAnErrorWithItsFileAndBlock() {
        Path file = write(folder.resolve("strict.pkd"), List.of(row("v", 1), row("v", "text")));
        Exception exception = assertThrows(
                Exception.class, () -> read("v long", file, "mode", "FAILFAST").collectAsList());
        String messages = Session.messages(exception);
        assertTrue(messages.contains("strict.pkd: type_mismatch at byte "), messages);
        assertTrue(messages.contains("str for bigint"), messages);
        assertEquals(List.of("[1]", "[null]"), shown(read("v long", file)));
    }

    @Test
    void aTypeThatNoValueHasIsRefused() {
        Path file = write(folder.resolve("refused.pkd"), List.of(row("v", 1)));
        Exception exception = assertThrows(
                Exception.class, () -> read("v interval day to second", file).collectAsList());
        assertTrue(Session.messages(exception).contains("container files have no type"), exception.toString());
    }

    @Test
    void rowsThatAreNotMapsAreNullInAllColumns() {
        Path file =
                write(folder.resolve("odd.pkd"), java.util.Arrays.asList(row("v", 1), 7, null, List.of(row("v", 2))));
        assertEquals(List.of("[1]", "[null]", "[null]", "[null]"), shown(read(file, "partitions", "1")));
        Path numbers = write(folder.resolve("numbers.pkd"), List.of(1, 2, 3));
        Exception exception = assertThrows(Exception.class, () -> read(numbers));
        assertTrue(Session.messages(exception).contains("no rows that are maps"), exception.toString());
        assertEquals(3, read("v long", numbers).count());
    }
}
