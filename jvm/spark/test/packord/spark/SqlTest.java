package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static packord.spark.Session.SOURCE;
import static packord.spark.Session.SPARK;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.shown;
import static packord.spark.Session.write;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark SQL, and files of other file systems. */
@Tag("engines")
class SqlTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void writeFile() {
        file = write(
                folder.resolve("orders.pkd"),
                rows(
                        1000,
                        i -> row(
                                "id",
                                i,
                                "town",
                                List.of("Oslo", "Graz", "Bonn").get(i % 3),
                                "price",
                                i % 10 / 2.0,
                                "lines",
                                List.of(row("sku", "s" + i % 4, "n", i % 3)))),
                options -> options.blockRows(100));
    }

    @Test
    void viewsAreQueriedWithSql() {
        read(file).createOrReplaceTempView("orders");
        assertEquals(
                List.of("[Bonn,333,750.0]", "[Graz,333,748.5]", "[Oslo,334,751.5]"),
                shown(SPARK.sql("SELECT town, count(*), sum(price) FROM orders GROUP BY town ORDER BY town")));
        assertEquals(
                List.of("[s0,250]", "[s1,250]"),
                shown(SPARK.sql(
                        "SELECT l.sku, count(*) FROM orders LATERAL VIEW explode(lines) AS l WHERE l.sku < 's2' GROUP BY l.sku"
                                + " ORDER BY l.sku")));
        assertEquals(
                List.of("[999]"),
                shown(
                        SPARK.sql(
                                "SELECT max(a.id) FROM orders a JOIN orders b ON a.id = b.id WHERE b.town = 'Oslo' AND a.price = 4.5")));
        assertEquals(
                List.of("[0,1]", "[1,2]"),
                shown(SPARK.sql("SELECT id, row_number() OVER (ORDER BY id) FROM orders WHERE id < 2 ORDER BY id")));
    }

    @Test
    void tablesOfTheCatalogAreFoldersOfFiles() {
        Path table = folder.resolve("table");
        SPARK.sql("DROP TABLE IF EXISTS packord_orders");
        SPARK.sql("CREATE TABLE packord_orders (id bigint, town string) USING `" + SOURCE + "` LOCATION '"
                + table.toUri() + "'");
        SPARK.sql("INSERT INTO packord_orders VALUES (1, 'Oslo'), (2, NULL)");
        read(file).createOrReplaceTempView("orders");
        SPARK.sql("INSERT INTO packord_orders SELECT id + 10, town FROM orders WHERE id < 2");
        assertEquals(
                List.of("[1,Oslo]", "[2,null]", "[10,Oslo]", "[11,Graz]"),
                shown(SPARK.sql("SELECT * FROM packord_orders ORDER BY id")));
        SPARK.sql("INSERT OVERWRITE packord_orders SELECT 5, 'Bonn'");
        assertEquals(List.of("[5,Bonn]"), shown(SPARK.sql("SELECT * FROM packord_orders")));
        SPARK.sql("DROP TABLE packord_orders");
    }

    @Test
    void filesAreReadAndWrittenByTheFileSystemOfTheirScheme() {
        String[] options = {"fs.packordtest.impl", TestFileSystem.class.getName()};
        String table = "packordtest://" + folder.resolve("other");
        read(file)
                .write()
                .format(SOURCE)
                .mode("append")
                .options(Session.map(options))
                .save(table);
        assertEquals(true, Files.isDirectory(folder.resolve("other")));
        assertEquals(
                1000,
                SPARK.read()
                        .format(SOURCE)
                        .options(Session.map(options))
                        .option("partitions", "3")
                        .load(table)
                        .count());
        assertEquals(
                100,
                SPARK.read()
                        .format(SOURCE)
                        .options(Session.map(options))
                        .load(table)
                        .where("id >= 900")
                        .select("town")
                        .count());
    }

    @Test
    void aFrameOfManyBatchesKeepsItsOrderWithinAPartition() {
        Path large = write(folder.resolve("large.pkd"), rows(20_000, i -> row("id", i, "gap", i % 5 == 0 ? null : i)));
        List<String> ids = shown(read(large, "partitions", "1").select("id", "gap"));
        for (int i = 0; i < 20_000; i++) assertEquals("[" + i + "," + (i % 5 == 0 ? "null" : i) + "]", ids.get(i));
    }
}
