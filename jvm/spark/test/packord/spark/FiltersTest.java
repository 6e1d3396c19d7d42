package packord.spark;

import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.write;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leaving out blocks never changes the rows of a query. */
@Tag("engines")
class FiltersTest {
    private static final int ROWS = 600;

    @TempDir
    Path folder;

    private static Object value(Random random, String column, int i) {
        if (random.nextInt(6) == 0) return null;
        switch (column) {
            case "i":
                return i / 40 - 5;
            case "d":
                return random.nextInt(9) == 0 ? (Object) (i / 30) : (Object) (i % 50 == 0 ? Double.NaN : i / 30.0);
            case "big":
                return BigInteger.ONE.shiftLeft(63).add(BigInteger.valueOf(i / 60 - 5));
            case "near":
                return (1L << 53) + i / 100 - 3;
            case "s":
                return "s" + (char) ('a' + i / 100) + (i % 90 == 0 ? "\uFFFF" : "");
            case "t":
                return Instant.ofEpochSecond(i / 50, i % 50 * 20_000_000L + 999);
            case "m":
                return random.nextInt(3) == 0 ? (Object) ("" + i / 99) : (Object) (i / 99);
            case "b":
                return i < 200;
            default:
                return row("k", i / 50, "s", "x" + i / 100);
        }
    }

    private Path random(int seed) {
        Random random = new Random(seed);
        List<String> columns = List.of("i", "d", "big", "near", "s", "t", "m", "b", "o");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            Map<String, Object> row = row("id", i);
            for (String column : columns) if (random.nextInt(12) > 0) row.put(column, value(random, column, i));
            rows.add(row);
        }
        List<String> key = List.of("i", "d", "big", "near", "s", "t", "m", "b", "o", "o.k", "o.s");
        return write(
                folder.resolve(seed + ".pkd"),
                rows,
                options -> options.blockRows(20).stats(key));
    }

    private static final String[] CONDITIONS = {
        "i = 0",
        "i <> 0",
        "i < -3",
        "i >= 9",
        "i IN (-5, 3)",
        "i IN (-5, NULL)",
        "NOT (i = 0)",
        "i <=> NULL",
        "NOT (i <=> 2)",
        "d = 5",
        "d > 18.5",
        "d <= 0.1",
        "d <> 3",
        "d >= double('NaN')",
        "d = double('NaN')",
        "d < double('NaN')",
        "d NOT IN (1, 2)",
        "big = 9223372036854775808",
        "big > 9223372036854775808",
        "big < 9223372036854775806.5",
        "near = 9007199254740993",
        "double(near) = 9007199254740992",
        "near > 9007199254740994",
        "s = 'sc'",
        "s > 'se'",
        "s LIKE 'sb%'",
        "s <> 'sa'",
        "s LIKE '%d'",
        "s IN ('sa', 'zz')",
        "s = 'sa' OR s = 'sf'",
        "t = TIMESTAMP '1970-01-01 00:00:03'",
        "t > TIMESTAMP '1970-01-01 00:00:09.5'",
        "t <= TIMESTAMP '1970-01-01 00:00:00.020000'",
        "t < TIMESTAMP '1970-01-01 00:00:00.020000'",
        "t <> TIMESTAMP '1970-01-01 00:00:00'",
        "m = '3'",
        "m < '2'",
        "m IS NULL",
        "m IN ('1', '5')",
        "b",
        "NOT b",
        "b = false",
        "b IS NULL",
        "o.k = 4",
        "o.k > 9 AND o.s = 'x5'",
        "o IS NULL",
        "o.s IS NULL",
        "o.s LIKE 'x2%'",
        "i = 0 OR s = 'sa'",
        "i > 3 AND (d < 12 OR b)",
        "i IS NULL AND s IS NOT NULL",
        "i = 1 AND i = 2"
    };

    @Test
    void theRowsAreThoseOfAQueryThatReadsAllBlocks() {
        Path file = random(1);
        Session.assertSame(read(file, "partitions", "1"), read(file, "partitions", "2"), List.of(CONDITIONS));
    }

    @Test
    void withAnotherSchemaThanThatOfTheFileToo() {
        Path file = random(2);
        Map<String, List<String>> conditions = Map.of(
                "id long, i string, d string, big string, near string, t string, m string, b string",
                List.of(
                        "i = '1'",
                        "i IS NULL",
                        "i > '5'",
                        "d = '5'",
                        "d IS NULL",
                        "d < '2'",
                        "big > '9223372036854775808'",
                        "near = '9007199254740993'",
                        "t IS NULL",
                        "t > '1970'",
                        "m = '3'",
                        "b = 'true'",
                        "b IS NULL"),
                "id long, i double, d float, big double, near double, t timestamp, b boolean",
                List.of(
                        "i = 1",
                        "i IS NULL",
                        "d = 5",
                        "d < 2",
                        "big > 9223372036854775808",
                        "big = 9223372036854775808",
                        "near = 9007199254740992",
                        "near > 9007199254740992",
                        "near IS NULL",
                        "b IS NULL"),
                "id long, i byte, d decimal(10,2), big decimal(38,0), near int, s binary, t timestamp_ntz, m long, b boolean",
                List.of(
                        "i = 1",
                        "i IS NULL",
                        "i > 5",
                        "d = 5",
                        "d IS NULL",
                        "d < 2",
                        "big > 9223372036854775808",
                        "big IS NULL",
                        "near IS NULL",
                        "near IS NOT NULL",
                        "s IS NULL",
                        "t IS NULL",
                        "m = 3",
                        "m IS NULL",
                        "m > 2"));
        conditions.forEach((schema, each) ->
                Session.assertSame(read(schema, file, "partitions", "1"), read(schema, file, "partitions", "1"), each));
    }
}
