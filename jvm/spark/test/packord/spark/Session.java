package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;
import scala.jdk.javaapi.CollectionConverters;

/** One session of Spark for all tests, and what they share. */
final class Session {
    static final String SOURCE = "packord";

    static final SparkSession SPARK = SparkSession.builder()
            .master("local[2]")
            .appName("packord")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", warehouse())
            .getOrCreate();

    private Session() {}

    private static String warehouse() {
        try {
            return Files.createTempDirectory("packord-warehouse").toString();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Writes rows to a file; the options are those of the writer. */
    static Path write(Path file, List<?> rows, Consumer<WriteOptions.Builder> options) {
        WriteOptions.Builder builder = WriteOptions.builder();
        options.accept(builder);
        try (ContainerWriter writer = ContainerWriter.create(file, builder.build())) {
            for (Object row : rows) writer.write(row);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        return file;
    }

    static Path write(Path file, List<?> rows) {
        return write(file, rows, options -> {});
    }

    /** Reads files; options are names and values in turn. */
    static Dataset<Row> read(Path path, String... options) {
        return SPARK.read().format(SOURCE).options(map(options)).load(path.toString());
    }

    static Dataset<Row> read(String schema, Path path, String... options) {
        return SPARK.read().format(SOURCE).schema(schema).options(map(options)).load(path.toString());
    }

    static Map<String, String> map(String... entries) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < entries.length; i += 2) map.put(entries[i], entries[i + 1]);
        return map;
    }

    /** Returns the rows as they are shown, in order. */
    static List<String> shown(Dataset<Row> rows) {
        List<String> shown = new ArrayList<>();
        for (Row row : rows.collectAsList()) shown.add(row.toString());
        return shown;
    }

    static Map<String, Object> row(Object... entries) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) row.put((String) entries[i], entries[i + 1]);
        return row;
    }

    /** Returns a metric of the scan of a query that has run. */
    static long metric(Dataset<Row> query, String name) {
        return metric(query.queryExecution().executedPlan(), name);
    }

    private static long metric(SparkPlan plan, String name) {
        if (plan instanceof BatchScanExec) return plan.metrics().apply(name).value();
        long found = -1;
        for (SparkPlan child : CollectionConverters.asJava(plan.children()))
            found = Math.max(found, metric(child, name));
        return found;
    }

    static List<Map<String, Object>> rows(int count, IntFunction<Map<String, Object>> make) {
        return IntStream.range(0, count).mapToObj(make).collect(Collectors.toList());
    }

    /** Returns the innermost message of an exception, and those around it. */
    static String messages(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = thrown; each != null; each = each.getCause())
            text.append(each.getMessage()).append('\n');
        return text.toString();
    }

    /**
     * Checks that conditions have the same rows of a table as of all its rows, which are in memory and compared by
     * Spark alone. Both have a column {@code id}.
     */
    static void assertSame(Dataset<Row> all, Dataset<Row> table, List<String> conditions) {
        String[] columns = new String[conditions.size() + 1];
        columns[0] = "id";
        for (int i = 0; i < conditions.size(); i++) columns[i + 1] = "(" + conditions.get(i) + ") AS condition" + i;
        List<Row> rows = SPARK.createDataFrame(all.collectAsList(), all.schema())
                .selectExpr(columns)
                .collectAsList();
        for (int i = 0; i < conditions.size(); i++) {
            int column = i + 1;
            List<Object> expected = rows.stream()
                    .filter(row -> Boolean.TRUE.equals(row.get(column)))
                    .map(row -> row.get(0))
                    .toList();
            List<Object> found = table.where(conditions.get(i)).select("id").collectAsList().stream()
                    .map(row -> row.get(0))
                    .toList();
            assertEquals(expected, found, conditions.get(i));
        }
    }
}
