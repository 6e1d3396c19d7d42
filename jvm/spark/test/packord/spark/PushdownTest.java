package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.metric;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A query reads the columns that it names, and leaves out the blocks that cannot have its rows. */
@Tag("engines")
class PushdownTest {
    private static final int ROWS = 10_000;
    private static final int BLOCK_ROWS = 500;

    @TempDir
    private static Path folder;

    private static Path file;

    @BeforeAll
    static void writeFile() {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        file = write(
                folder.resolve("events.pkd"),
                rows(
                        ROWS,
                        i -> row(
                                "id",
                                i,
                                "at",
                                start.plusSeconds(i),
                                "level",
                                i % 1000 == 999 ? "error" : "info",
                                "host",
                                "host-" + i / 1000,
                                "ms",
                                i / 8.0,
                                "user",
                                row("age", i / 100, "name", "user " + i),
                                "status",
                                i < 5000 ? 200 : null,
                                "late",
                                i < 9500 ? null : "here")),
                options -> options.blockRows(BLOCK_ROWS)
                        .stats(List.of("id", "at", "level", "host", "ms", "user.age", "status", "late")));
    }

    private static Dataset<Row> events() {
        return read(file, "partitions", "1");
    }

    @Test
    void onlyTheColumnsOfAQueryAreRead() {
        Dataset<Row> one = events().selectExpr("sum(id)");
        assertEquals(ROWS * (ROWS - 1L) / 2, one.collectAsList().get(0).getLong(0));
        Dataset<Row> two = events().select("id", "level");
        two.collectAsList();
        assertEquals(2L * ROWS, metric(two, "valuesRead"));
        Dataset<Row> inner = events().select("user.age");
        inner.collectAsList();
        assertEquals(ROWS, metric(inner, "valuesRead"));
        assertEquals("struct<age:bigint>", inner.schema().simpleString());
        Dataset<Row> all = events();
        all.collectAsList();
        assertEquals(8L * ROWS, metric(all, "valuesRead"));
    }

    @Test
    void aCountReadsNoColumn() {
        assertEquals(ROWS, events().count());
        Dataset<Row> none = events().selectExpr("1 AS one");
        assertEquals(ROWS, none.collectAsList().size());
        assertEquals(0, metric(none, "valuesRead"));
    }

    @Test
    void oneColumnOfFifteenIsAllThatIsReadOfTheFile() throws IOException {
        Random random = new Random(1);
        Path wide = write(folder.resolve("wide.pkd"), rows(20_000, i -> {
            Map<String, Object> row = new LinkedHashMap<>();
            for (int column = 0; column < 15; column++) {
                row.put("c" + column, column % 2 == 0 ? random.nextDouble() : Long.toString(random.nextLong(), 36));
            }
            return row;
        }));
        for (String column : List.of("c0", "c7", "c14")) {
            Dataset<Row> query = read(wide, "partitions", "1").select(column);
            assertEquals(20_000, query.collectAsList().size());
            assertTrue(metric(query, "bytesRead") < 0.15 * Files.size(wide), column);
        }
        Dataset<Row> none = read(wide, "partitions", "1").where("c7 = 'one that is not there'");
        assertEquals(0, none.collectAsList().size());
        assertTrue(metric(none, "bytesRead") < 0.15 * Files.size(wide), "only the column of the condition");
    }

    @Test
    void aQueryDoesNotChangeTheNextOne() {
        Dataset<Row> events = events();
        assertEquals(100, events.where("id >= 9900").count());
        assertEquals(ROWS, events.count());
        assertEquals(ROWS + 100, events.union(events.where("id < 100")).count());
        assertEquals(10, events.where("id < 10").join(events.select("id"), "id").count());
        assertEquals(ROWS, events.select("id", "host").collectAsList().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id = 4321 | 1 | 1",
                "id <=> 4321 | 1 | 1",
                "4321 = id | 1 | 1",
                "id = -5 | 0 | 0",
                "id >= 1000 AND id < 1100 | 100 | 1",
                "1100 > id AND 1000 <= id | 100 | 1",
                "id IN (7, 9999, 55555) | 2 | 2",
                "id = 7 OR id = 9999 OR id IN (8, 9) | 4 | 2",
                "id < 100 OR level = 'error' | 110 | 20",
                "NOT (id <> 4321) | 1 | 1",
                "id <> 4321 | 9999 | 20",
                "host = 'host-3' | 1000 | 2",
                "host LIKE 'host-3%' | 1000 | 2",
                "host >= 'host-9' | 1000 | 2",
                "level = 'fatal' | 0 | 10",
                "ms = 100.125 | 1 | 1",
                "ms > 1249.5 | 3 | 1",
                "ms > double('NaN') | 0 | 20",
                "user.age = 42 | 100 | 1",
                "user.age > 98 | 100 | 1",
                "status IS NULL | 5000 | 10",
                "status IS NOT NULL | 5000 | 10",
                "status = 200 AND id < 10 | 10 | 1",
                "late IS NOT NULL | 500 | 1",
                "late IS NULL | 9500 | 19",
                "late = 'here' | 500 | 1",
                "at = TIMESTAMP '2026-01-01 00:10:00' | 1 | 1",
                "at < TIMESTAMP '2026-01-01 00:10:00' | 600 | 2",
                "at > TIMESTAMP '2026-01-01 02:40:00' | 399 | 1",
                "at IN (TIMESTAMP '2026-01-01 00:10:00', TIMESTAMP '2026-01-01 00:20:00') | 2 | 2",
                "id + 1 = 4322 | 1 | 20"
            })
    void blocksThatCannotMatchAreSkipped(String condition, int matching, int blocks) {
        Dataset<Row> query = events().where(condition).select("id");
        assertEquals(matching, query.collectAsList().size());
        assertEquals(blocks, metric(query, "blocksRead"));
        assertEquals(ROWS / BLOCK_ROWS - blocks, metric(query, "blocksSkipped"));
    }

    @Test
    void aLimitEndsTheReading() {
        Dataset<Row> query = events().select("id").limit(10);
        assertEquals(10, query.collectAsList().size());
        assertTrue(metric(query, "blocksRead") <= 1);
    }

    @Test
    void thePlanShowsWhatIsLeftOutAndSparkComparesTheRowsItself() {
        String plan =
                events().where("id = 4321").queryExecution().executedPlan().toString();
        assertTrue(plan.contains("id == 4321"), plan);
        assertTrue(plan.contains("Filter"), plan);
    }

    @Test
    void theNumberOfRowsIsThatOfTheIndex() {
        assertEquals(
                ROWS,
                events().queryExecution()
                        .optimizedPlan()
                        .stats()
                        .rowCount()
                        .get()
                        .longValue());
    }

    @Test
    void rowByRowTheResultsAreTheSame() {
        Dataset<Row> rows =
                read(file, "vectorized", "false").where("user.age = 42").select("id", "user.name");
        assertEquals(Session.shown(events().where("user.age = 42").select("id", "user.name")), Session.shown(rows));
        assertEquals(1, metric(rows, "blocksRead"));
        assertEquals(3L * BLOCK_ROWS - BLOCK_ROWS, metric(rows, "valuesRead"));
    }
}
