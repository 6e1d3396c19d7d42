package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.SOURCE;
import static packord.spark.Session.SPARK;
import static packord.spark.Session.read;
import static packord.spark.Session.shown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.ContainerReader;

/** Tables that Spark writes. */
@Tag("engines")
class WriteTest {
    @TempDir
    Path folder;

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    private static void write(Dataset<Row> rows, Path folder, String mode, String... options) {
        rows.write().format(SOURCE).mode(mode).options(Session.map(options)).save(folder.toString());
    }

    /** Shows the bytes of a column, of which Java shows the address alone. */
    private static Dataset<Row> inHex(Dataset<Row> rows, String column) {
        return rows.withColumn(column, functions.hex(rows.col(column)));
    }

    @Test
    void whatIsWrittenIsReadAsItWas() {
        Dataset<Row> rows = SPARK.sql(
                "SELECT id, cast(id AS int) AS i, cast(id AS byte) AS b, id / 4 AS d, cast(id / 8 AS float) AS f, "
                        + "'text é ' || id AS s, cast('b' || id AS binary) AS bin, id % 2 = 0 AS odd, "
                        + "timestamp_micros(id * 1000001) AS t, date_add(DATE '2026-01-01', cast(id AS int)) AS day, "
                        + "cast(id AS decimal(20,0)) AS whole, cast(id / 7 AS decimal(10,3)) AS price, "
                        + "timestamp_ntz'2026-01-01 10:00:00.5' AS local, array(id, NULL, id + 1) AS list, "
                        + "map('k' || id, id) AS map, named_struct('a', id, 'b', array(named_struct('c', 'x'))) AS inner, "
                        + "if(id % 3 = 0, NULL, id) AS gaps, NULL AS nothing FROM range(100)");
        write(rows, folder.resolve("t"), "append");
        Dataset<Row> back = SPARK.read()
                .format(SOURCE)
                .schema(rows.schema())
                .load(folder.resolve("t").toString());
        assertEquals(
                shown(inHex(rows, "bin").orderBy("id")),
                shown(inHex(back, "bin").orderBy("id")));
        assertEquals(
                "struct<id:bigint,i:bigint,b:bigint,d:double,f:double,s:string,bin:binary,odd:boolean,t:timestamp,day:string,"
                        + "whole:bigint,price:string,local:string,list:array<bigint>",
                read(folder.resolve("t")).schema().simpleString().replaceFirst(",map:.*", ""));
    }

    @Test
    void eachTaskWritesOneFileAndOthersAreKeptByAppendAndDeletedByOverwrite() throws IOException {
        Path table = folder.resolve("t");
        write(SPARK.range(0, 100, 1, 4).toDF(), table, "append");
        assertEquals(4, files(table).size());
        write(SPARK.range(100, 200, 1, 2).toDF(), table, "append");
        assertEquals(6, files(table).size());
        assertEquals(200, read(table).distinct().count());
        Files.writeString(table.resolve("notes.txt"), "kept");
        write(SPARK.range(0, 10, 1, 1).toDF(), table, "overwrite");
        assertEquals(2, files(table).size());
        assertEquals(10, read(table).count());
        assertTrue(files(table).contains("notes.txt"));
    }

    @Test
    void aTableCanBeOverwrittenByWhatIsReadOfIt() throws IOException {
        Path table = folder.resolve("t");
        write(SPARK.range(0, 100, 1, 2).toDF(), table, "append");
        write(read(table).where("id < 50"), table, "overwrite");
        assertEquals(50, read(table).count());
    }

    @Test
    void tasksWithoutRowsWriteNoFile() throws IOException {
        Path table = folder.resolve("t");
        write(SPARK.range(0, 3, 1, 2).where("id >= 2").toDF(), table, "append");
        assertEquals(1, files(table).size());
        write(SPARK.range(0).toDF(), folder.resolve("none"), "append");
        assertEquals(List.of(), files(folder.resolve("none")));
        assertEquals(0, read("id long", folder.resolve("none")).count());
    }

    @Test
    void aJobThatFailsLeavesTheTableAsItWas() throws IOException {
        Path table = folder.resolve("t");
        write(SPARK.range(0, 10, 1, 1).toDF(), table, "append");
        List<String> before = files(table);
        Dataset<Row> failing = SPARK.range(0, 100, 1, 4).selectExpr("if(id = 99, raise_error('stop'), id) AS id");
        for (String mode : List.of("append", "overwrite")) {
            assertThrows(Exception.class, () -> write(failing, table, mode));
            assertEquals(before, files(table));
        }
        try (Stream<Path> left = Files.list(table)) {
            assertFalse(left.anyMatch(file -> file.getFileName().toString().startsWith("_")));
        }
    }

    @Test
    void theOptionsAreThoseOfAWriter() throws IOException {
        Path table = folder.resolve("t");
        write(
                SPARK.range(0, 1000, 1, 1).selectExpr("id", "id % 10 AS k", "'x' AS s"),
                table,
                "append",
                "codec",
                "deflate",
                "level",
                "9",
                "blockRows",
                "100",
                "stats",
                "k, id");
        try (ContainerReader reader =
                ContainerReader.open(table.resolve(files(table).get(0)))) {
            assertEquals("deflate", reader.header().codec());
            assertEquals(List.of("k", "id"), reader.header().stats());
            assertEquals(10, reader.index().entries().size());
        }
        for (String[] wrong :
                new String[][] {{"codec", "brotli"}, {"blockRows", "-1"}, {"mode", "dropmalformed"}, {"onBadBlock", "x"}
                }) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> write(SPARK.range(1).toDF(), folder.resolve("w"), "append", wrong));
        }
    }

    @Test
    void typesWithoutAnEncodingAreRefusedBeforeAnythingRuns() {
        Exception exception = assertThrows(
                Exception.class, () -> write(SPARK.sql("SELECT INTERVAL 1 DAY AS i"), folder.resolve("t"), "append"));
        assertTrue(
                Session.messages(exception).contains("container files have no type interval day"),
                exception.toString());
        assertFalse(Files.exists(folder.resolve("t")));
    }

    @Test
    void columnsOfPartitionsAreRefused() {
        Exception exception = assertThrows(
                Exception.class,
                () -> SPARK.range(5)
                        .write()
                        .format(SOURCE)
                        .mode("append")
                        .partitionBy("id")
                        .save(folder.resolve("t").toString()));
        assertTrue(Session.messages(exception).contains("no partitioning"), Session.messages(exception));
    }
}
