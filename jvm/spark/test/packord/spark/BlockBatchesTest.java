package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.Block;
import packord.container.ContainerReader;
import packord.container.ContainerWriter;
import packord.container.ReadOptions;
import packord.container.WriteOptions;

/** Rows that are stored by column become the batches that the same rows become which are not. */
class BlockBatchesTest {
    private static final DataType[] TYPES = {
        DataTypes.LongType,
        DataTypes.StringType,
        DataTypes.DoubleType,
        DataTypes.BooleanType,
        new ArrayType(DataTypes.LongType, true),
        new StructType().add("a", DataTypes.LongType).add("b", DataTypes.StringType)
    };

    @TempDir
    Path folder;

    @Test
    void irregularRowsAreTheSameByColumnAndByRow() throws IOException {
        // Few keys are stored as shapes, many as keys and values.
        for (int keys : new int[] {8, 60}) {
            for (int seed = 0; seed < 2; seed++) {
                Random random = new Random(seed);
                StructType schema = new StructType();
                for (int i = 0; i < keys; i++) schema = schema.add("key " + i, TYPES[i % TYPES.length]);
                List<Map<String, Object>> rows = new ArrayList<>();
                for (int i = 0; i < 4500; i++) rows.add(row(random, keys));
                List<String> plain = read(rows, schema, false);
                assertEquals(plain, read(rows, schema, true), () -> keys + " keys");
                assertEquals(rows.size(), plain.size());
                for (int i = 0; i < rows.size(); i++) {
                    String[] cells = plain.get(i).split("\t", -1);
                    for (int key = 0; key < keys; key++) {
                        if (rows.get(i).get("key " + key) == null) assertEquals("null", cells[key]);
                    }
                }
            }
        }
    }

    private static Map<String, Object> row(Random random, int keys) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < 5; i++) {
            int key = random.nextInt(keys);
            row.put(
                    "key " + key,
                    random.nextInt(6) == 0 ? null : value(random, random.nextInt(20) == 0 ? key + 1 : key));
        }
        return row;
    }

    private static Object value(Random random, int key) {
        return switch (key % TYPES.length) {
            case 0 -> (long) random.nextInt(1000);
            case 1 -> "é" + random.nextInt(30);
            case 2 -> random.nextInt(1000) / 8.0;
            case 3 -> random.nextBoolean();
            case 4 -> Arrays.asList(1L, null, (long) random.nextInt(5));
            default -> Map.of("a", (long) random.nextInt(9), "b", "text");
        };
    }

    private List<String> read(List<Map<String, Object>> rows, StructType schema, boolean columns) throws IOException {
        Path file = folder.resolve("rows.pkd");
        try (ContainerWriter writer = ContainerWriter.create(
                file, WriteOptions.builder().columns(columns).build())) {
            for (Object row : rows) writer.write(row);
        }
        List<String> shown = new ArrayList<>();
        BlockBatches batches = new BlockBatches(schema, false);
        try (ContainerReader reader =
                ContainerReader.open(file, ReadOptions.builder().build())) {
            for (Iterator<Block> blocks = reader.blocks(); blocks.hasNext(); ) {
                batches.begin(blocks.next(), null);
                while (batches.hasNext()) {
                    Iterator<InternalRow> next = batches.next(Integer.MAX_VALUE).rowIterator();
                    while (next.hasNext()) shown.add(shown(next.next(), schema));
                }
            }
        }
        Files.delete(file);
        return shown;
    }

    private static String shown(InternalRow row, StructType schema) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < schema.size(); i++) {
            Object value = row.isNullAt(i) ? null : row.get(i, schema.fields()[i].dataType());
            if (value instanceof ColumnarArray array) value = array.copy();
            if (value instanceof ColumnarRow struct) value = struct.copy();
            text.append(value).append('\t');
        }
        return text.toString();
    }
}
