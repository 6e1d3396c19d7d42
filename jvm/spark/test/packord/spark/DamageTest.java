package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.metric;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.Block;
import packord.container.ContainerReader;

/** Files that are damaged, cut, or made by somebody who means harm. */
@Tag("engines")
class DamageTest {
    @TempDir
    Path folder;

    private static List<Block> blocks(Path file) throws IOException {
        try (ContainerReader reader = ContainerReader.open(file)) {
            java.util.ArrayList<Block> blocks = new java.util.ArrayList<>();
            reader.blocks().forEachRemaining(blocks::add);
            return blocks;
        }
    }

    private Path file() {
        return write(
                folder.resolve("file.pkd"),
                rows(400, i -> row("id", i, "s", "text " + i % 9)),
                options -> options.blockRows(100));
    }

    private static void damage(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void aDamagedBlockIsAnErrorWithTheFileAndTheOffset() throws IOException {
        Path file = file();
        Block second = blocks(file).get(1);
        damage(file, second.offset() + second.size() - 1);
        Exception exception =
                assertThrows(Exception.class, () -> read(file).select("id").collectAsList());
        String messages = Session.messages(exception);
        assertTrue(messages.contains("file.pkd: invalid_container at byte " + (second.offset() + 18)), messages);
        assertEquals(400, read(file).count(), "a count reads no column");
    }

    @Test
    void damagedBlocksArePassedOverOnRequestAndCounted() throws IOException {
        Path file = file();
        Block second = blocks(file).get(1);
        damage(file, second.offset() + second.size() - 1);
        for (String partitions : List.of("1", "3")) {
            Dataset<Row> query =
                    read(file, "onBadBlock", "skip", "partitions", partitions).select("id");
            assertEquals(300, query.collectAsList().size());
            assertEquals(1, metric(query, "damagedRanges"));
            assertEquals(3, metric(query, "blocksRead"));
        }
    }

    @Test
    void aFileThatWasCutHasTheRowsOfItsWholeBlocks() throws IOException {
        Path file = file();
        Block last = blocks(file).get(3);
        byte[] bytes = Files.readAllBytes(file);
        Path cut = Files.write(folder.resolve("cut.pkd"), Arrays.copyOf(bytes, (int) last.offset() + 40));
        Exception exception =
                assertThrows(Exception.class, () -> read("id long", cut).count());
        assertTrue(Session.messages(exception).contains("eof at byte " + (last.offset() + 40)), exception.toString());
        assertEquals(300, read("id long", cut, "onBadBlock", "skip").count());
        assertEquals(300, read(cut, "onBadBlock", "skip").where("id >= 0").count());
    }

    @Test
    void blocksThatAreTooLargeAreRefused() {
        Path file = file();
        Exception exception = assertThrows(
                Exception.class, () -> read("id long", file, "maxBlock", "50").count());
        assertTrue(Session.messages(exception).contains("length_limit"), exception.toString());
    }

    @Test
    void filesThatAreNoContainerFilesAreAnError() throws IOException {
        Path file = Files.writeString(folder.resolve("text.pkd"), "this is text");
        for (String mode : List.of("error", "skip")) {
            Exception exception = assertThrows(
                    Exception.class,
                    () -> read("id long", file, "onBadBlock", mode).count());
            assertTrue(
                    Session.messages(exception).contains("text.pkd: invalid_container at byte 0"),
                    exception.toString());
        }
        Path empty = Files.write(folder.resolve("empty.pkd"), new byte[0]);
        assertEquals(0, read("id long", empty).count());
        assertThrows(Exception.class, () -> read(empty));
    }

    /** Reads a file in this thread, without a job. */
    private static int readHere(Path file, StructType schema, boolean skips) throws IOException {
        Map<String, String> entries = new HashMap<>();
        entries.put("path", file.toString());
        entries.put("onBadBlock", skips ? "skip" : "error");
        CaseInsensitiveStringMap map = new CaseInsensitiveStringMap(entries);
        SourceOptions options = SourceOptions.of(map);
        FilePartition partition =
                new FilePartition(List.of(new FilePartition.Slice("file:" + file, 0, Files.size(file))));
        BlockFilter filter =
                new BlockFilter(List.of(new BlockFilter.Condition(List.of("id"), ">=", 0L, java.util.Set.of("int"))));
        int rows = 0;
        ReaderFactory readers =
                new ReaderFactory(schema, options, FileOpener.of(map), filter, Integer.MAX_VALUE, false);
        try (PartitionReader<ColumnarBatch> reader = readers.createColumnarReader(partition)) {
            while (reader.next()) {
                ColumnarBatch batch = reader.get();
                rows += batch.numRows();
                // Every value can be read.
                for (int i = 0; i < batch.numRows(); i++) batch.getRow(i).copy();
            }
        }
        return rows;
    }

    @Test
    void changedBytesAreReadOrAreAnErrorOfTheFile() throws IOException {
        Path file = write(
                folder.resolve("small.pkd"),
                rows(
                        60,
                        i -> row(
                                "id",
                                i,
                                "x",
                                i % 3 == 0 ? null : i / 4.0,
                                "s",
                                "t" + i % 5,
                                "list",
                                List.of(i, "a"),
                                "m",
                                row("k", i % 2 == 0 ? 1 : "z"))),
                options -> options.codec("none").blockRows(40));
        byte[] bytes = Files.readAllBytes(file);
        StructType schema = new StructType()
                .add("id", "long")
                .add("x", "double")
                .add("s", "string")
                .add("list", DataTypes.createArrayType(DataTypes.StringType))
                .add("m", new StructType().add("k", "string"));
        Random random = new Random(1);
        Path changed = folder.resolve("changed.pkd");
        for (int i = 0; i < bytes.length; i++) {
            byte[] copy = bytes.clone();
            copy[i] = (byte) (i % 2 == 0 ? copy[i] ^ 1 << random.nextInt(8) : random.nextInt());
            Files.write(changed, copy);
            for (boolean skips : List.of(false, true)) {
                try {
                    assertTrue(readHere(changed, schema, skips) <= 60);
                } catch (IOException exception) {
                    assertTrue(exception.getMessage().contains("changed.pkd: "), exception.getMessage());
                }
            }
            Files.write(changed, Arrays.copyOf(bytes, i));
            try {
                assertTrue(readHere(changed, schema, true) <= 60);
            } catch (IOException exception) {
                assertTrue(exception.getMessage().contains("changed.pkd: "), exception.getMessage());
            }
        }
    }
}
