package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.write;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;

/** Every row is in one partition, whatever the files are divided into. */
@Tag("engines")
class SplitsTest {
    @TempDir
    Path folder;

    private static void assertEachOnce(int count, Dataset<Row> table) {
        List<Long> ids =
                table.select("id").as(org.apache.spark.sql.Encoders.LONG()).collectAsList();
        assertEquals(
                LongStream.range(0, count).boxed().toList(),
                ids.stream().sorted().toList());
    }

    /** Writes a file whose writer was killed: blocks without an index. */
    private static Path unfinished(Path file, int count) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        ContainerWriter writer =
                ContainerWriter.of(out, WriteOptions.builder().blockRows(50).build());
        for (int i = 0; i < count; i++) writer.write(row("id", i));
        writer.flush();
        out.close();
        return file;
    }

    @Test
    void everyRowIsReadOnceByAnyNumberOfPartitions() {
        Path file = write(
                folder.resolve("a.pkd"),
                rows(3000, i -> row("id", i, "text", "text " + i)),
                options -> options.blockRows(100));
        for (int partitions : new int[] {1, 2, 3, 7, 30, 100}) {
            Dataset<Row> table = read(file, "partitions", String.valueOf(partitions));
            assertEquals(partitions, table.rdd().getNumPartitions());
            assertEachOnce(3000, table);
        }
        for (long bytes : new long[] {1 << 9, 1 << 12, 1 << 20}) {
            assertEachOnce(3000, read(file, "maxPartitionBytes", String.valueOf(bytes)));
        }
    }

    @Test
    void withoutAnIndexToo() throws IOException {
        Path file = unfinished(folder.resolve("b.pkd"), 1000);
        for (int partitions : new int[] {1, 3, 8}) {
            assertEachOnce(1000, read(file, "partitions", String.valueOf(partitions)));
        }
    }

    @Test
    void aFolderIsOneTableOfAllItsFilesAndPartitionsSpanThem() throws IOException {
        Files.createDirectories(folder.resolve("t/inner"));
        write(folder.resolve("t/a.pkd"), rows(10, i -> row("id", i)));
        write(folder.resolve("t/b.pkd"), rows(500, i -> row("id", 10 + i, "x", 0.5)), o -> o.blockRows(20));
        write(folder.resolve("t/inner/c.pkd"), rows(90, i -> row("id", 510 + i, "x", i)));
        Files.writeString(folder.resolve("t/notes.txt"), "not a container file");
        Files.writeString(folder.resolve("t/_hidden.pkd"), "neither");
        for (int partitions : new int[] {1, 2, 5}) {
            Dataset<Row> table = read(folder.resolve("t"), "partitions", String.valueOf(partitions));
            assertEquals("struct<id:bigint,x:double>", table.schema().simpleString());
            assertEachOnce(600, table);
            assertEquals(590, table.where("x IS NOT NULL").count());
        }
        assertEachOnce(10, read(folder.resolve("t/a*.pkd")));
        Dataset<Row> two = Session.SPARK
                .read()
                .format(Session.SOURCE)
                .load(
                        folder.resolve("t/a.pkd").toString(),
                        folder.resolve("t/b.pkd").toString());
        assertEachOnce(510, two);
    }

    @Test
    void messagesAreNotRowsOfTheTable() throws IOException {
        Path file = write(folder.resolve("m.pkd"), rows(10, i -> row("id", i)));
        Path messages = folder.resolve("messages.pkd");
        write(messages, rows(5, i -> row("id", 100 + i)), options -> options.messages(true));
        try (ContainerWriter writer = ContainerWriter.append(messages, WriteOptions.standard())) {
            writer.write(row("id", 0));
        }
        assertEachOnce(10, read(file));
        assertEquals(1, read("id long", messages).count());
    }

    @Test
    void anAppendedFileIsReadAsAWhole() throws IOException {
        Path file = write(folder.resolve("grown.pkd"), rows(100, i -> row("id", i)));
        try (ContainerWriter writer = ContainerWriter.append(file, WriteOptions.standard())) {
            for (int i = 100; i < 200; i++) writer.write(row("id", i, "more", "x"));
        }
        Dataset<Row> table = read(file, "partitions", "2");
        assertEachOnce(200, table);
        assertEquals("struct<id:bigint,more:string>", table.schema().simpleString());
    }

    @Test
    void blocksOfAllCodecsAndFormsAreRead() throws IOException {
        List<java.util.Map<String, Object>> rows = rows(300, i -> row("id", i, "s", "text " + i % 7, "x", i / 4.0));
        for (String codec : List.of("none", "deflate", "zstd")) {
            for (boolean columns : List.of(true, false)) {
                Path file = folder.resolve(codec + columns + ".pkd");
                write(
                        file,
                        rows,
                        options -> options.codec(codec).columns(columns).blockRows(64));
                assertEachOnce(300, read(file));
                assertEquals(
                        300 * 299 / 8.0,
                        read(file).selectExpr("sum(x)").collectAsList().get(0).getDouble(0));
            }
        }
    }

    @Test
    void aPathWithoutFilesIsAnErrorThatNamesIt() {
        for (String path : List.of("nothing", "nothing*.pkd")) {
            Exception exception = assertThrows(
                    Exception.class, () -> read(folder.resolve(path)).count());
            assertTrue(Session.messages(exception).contains("nothing"), exception.toString());
        }
        Exception exception = assertThrows(Exception.class, () -> read(folder));
        assertTrue(Session.messages(exception).contains("there is no container file"), exception.toString());
        assertEquals(0, read("id long", folder).count());
    }
}
