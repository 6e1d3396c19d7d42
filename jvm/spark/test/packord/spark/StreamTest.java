package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.SOURCE;
import static packord.spark.Session.SPARK;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;

/** Folders that are read as they grow. */
@Tag("engines")
class StreamTest {
    @TempDir
    Path folder;

    private Dataset<Row> stream(String... options) {
        return SPARK.readStream()
                .format(SOURCE)
                .schema("id long")
                .options(Session.map(options))
                .load(folder.resolve("log").toString());
    }

    /** Copies what is there, with a checkpoint. Returns the number of batches, and checks the rows of the copy. */
    private int copy(int rows, String... options) throws Exception {
        StreamingQuery query = stream(options)
                .writeStream()
                .trigger(Trigger.AvailableNow())
                .option("checkpointLocation", folder.resolve("checkpoint").toString())
                .foreachBatch((Dataset<Row> batch, Long id) -> batch.write()
                        .format(SOURCE)
                        .mode("append")
                        .save(folder.resolve("copy").toString()))
                .start();
        query.awaitTermination();
        Dataset<Row> copy = read("id long", folder.resolve("copy"));
        assertEquals(rows, copy.count());
        assertEquals(rows, copy.distinct().count());
        return (int) Arrays.stream(query.recentProgress())
                .filter(progress -> progress.numInputRows() > 0)
                .count();
    }

    @Test
    void eachBlockIsReadOnceAsSoonAsItIsWhole() throws Exception {
        Path file = Files.createDirectories(folder.resolve("log")).resolve("live.pkd");
        Files.createDirectories(folder.resolve("copy"));
        copy(0);
        WriteOptions options = WriteOptions.builder().blockRows(10).build();
        try (ContainerWriter writer = ContainerWriter.create(file, options)) {
            for (int i = 0; i < 25; i++) writer.write(row("id", i));
            copy(20);
            copy(20);
            writer.flush();
            copy(25);
            for (int i = 25; i < 42; i++) writer.write(row("id", i));
            copy(35);
        }
        copy(42);
        write(folder.resolve("log/second.pkd"), rows(8, i -> row("id", 42 + i)));
        try (ContainerWriter writer = ContainerWriter.append(file, options)) {
            writer.write(row("id", 50));
            copy(50);
        }
        copy(51);
        copy(51);
    }

    @Test
    void batchesHaveTheSizeOfTheOption() throws Exception {
        Files.createDirectories(folder.resolve("log"));
        for (String name : List.of("a", "b")) {
            int first = name.equals("a") ? 0 : 500;
            write(folder.resolve("log/" + name + ".pkd"), rows(500, i -> row("id", first + i)), o -> o.blockRows(50));
        }
        int batches = copy(1000, "maxBytesPerTrigger", "300");
        assertTrue(batches > 4, "" + batches);
    }

    @Test
    void aFileThatIsCutWithinItsHeaderOrABlockIsReadWhenItIsWhole() throws Exception {
        Files.createDirectories(folder.resolve("log"));
        Files.createDirectories(folder.resolve("copy"));
        byte[] whole = Files.readAllBytes(
                write(folder.resolve("whole"), rows(30, i -> row("id", i)), options -> options.blockRows(10)));
        Path file = folder.resolve("log/file.pkd");
        for (int size = 0; size < whole.length; size += whole.length / 6) {
            Files.write(file, Arrays.copyOf(whole, size));
            StreamOffset end = (StreamOffset) offsets().latestOffset();
            assertTrue(end.end(file.toUri().toString().replaceFirst("^file:/+", "file:/")) <= size, end.json());
        }
        Files.write(file, whole);
        copy(30);
    }

    private PackordStream offsets() {
        org.apache.spark.sql.util.CaseInsensitiveStringMap options =
                new org.apache.spark.sql.util.CaseInsensitiveStringMap(
                        Session.map("path", folder.resolve("log").toString()));
        return new PackordStream(SourceOptions.of(options), FileOpener.of(options), null);
    }

    @Test
    void damageEndsTheQueryOrIsPassedOver() throws Exception {
        Files.createDirectories(folder.resolve("log"));
        Path file = write(folder.resolve("log/x.pkd"), rows(40, i -> row("id", i)), options -> options.blockRows(10));
        damage(file);
        Exception exception = assertThrows(Exception.class, () -> copy(40));
        assertTrue(
                Session.messages(exception).contains("x.pkd: invalid_container at byte "), Session.messages(exception));
        copy(30, "onBadBlock", "skip");
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[110] ^= 1;
        Files.write(file, bytes);
    }
}
