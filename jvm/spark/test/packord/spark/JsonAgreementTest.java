package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static packord.spark.Session.SPARK;
import static packord.spark.Session.read;
import static packord.spark.Session.shown;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;

/** The same rows are the same table as container file and as lines of JSON, which Spark reads itself. */
@Tag("engines")
class JsonAgreementTest {
    private static final List<String> ROWS = List.of(
            "{\"id\": 1, \"x\": 1.5, \"s\": \"a\", \"b\": true, \"mixed\": 1, \"list\": [1, 2], \"m\": {\"p\": 1}, \"wide\": 1}",
            "{\"id\": 2, \"x\": 2, \"s\": \"\", \"b\": null, \"mixed\": \"text\", \"list\": [], \"m\": {\"q\": \"z\"}}",
            "{\"id\": 3, \"x\": null, \"s\": null, \"b\": false, \"mixed\": true, \"list\": null, \"m\": null}",
            "{\"id\": 4, \"mixed\": [1, \"a\", null], \"list\": [3, null], \"m\": {}, \"wide\": 2.5}",
            "{\"id\": 5, \"x\": NaN, \"mixed\": {\"k\": [1.5]}, \"rows\": [{\"a\": 1}, {\"b\": [true]}]}",
            "{\"id\": 6, \"x\": Infinity, \"mixed\": null, \"s\": \"é\\n\\\"\\u0001\"}",
            "{\"id\": 7, \"x\": -Infinity, \"mixed\": 2.5, \"s\": \"NaN\", \"nothing\": null}",
            "{\"id\": 8, \"x\": -0.0, \"list\": [4], \"rows\": [{\"a\": 2, \"c\": {\"d\": \"e\"}}], \"id2\": -5}");

    @TempDir
    private static Path folder;

    private static Dataset<Row> json;
    private static Path file;

    @BeforeAll
    static void write() throws IOException {
        // Spark keeps the spaces of JSON that becomes a string.
        List<String> compact = ROWS.stream()
                .map(row -> row.replace(": ", ":").replace(", ", ","))
                .toList();
        Path lines = Files.write(folder.resolve("rows.json"), compact);
        json = SPARK.read().json(lines.toString());
        file = folder.resolve("rows.pkd");
        try (ContainerWriter writer =
                ContainerWriter.create(file, WriteOptions.builder().blockRows(3).build())) {
            JsonMapper mapper = JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build();
            for (String row : ROWS) writer.write(mapper.readValue(row, Map.class));
        }
    }

    private static Dataset<Row> table() {
        return read(file, "partitions", "1");
    }

    /** Spark sorts the columns of JSON by their names. */
    private static String columns(Dataset<Row> table) {
        return Arrays.stream(table.columns())
                .sorted()
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(","));
    }

    @Test
    void theColumnsHaveTheSameTypes() {
        String types = Arrays.toString(
                table().selectExpr(columns(table()).split(",")).schema().fields());
        assertEquals(types(json), types(table()));
        assertEquals(true, types.contains("mixed"));
    }

    private static String types(Dataset<Row> table) {
        return Arrays.stream(table.schema().fields())
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .map(field -> field.name() + " " + field.dataType().sql())
                .collect(Collectors.joining(", "));
    }

    @Test
    void theRowsAreTheSame() {
        assertEquals(
                shown(json.selectExpr(columns(json).split(",")).orderBy("id")),
                shown(table().selectExpr(columns(json).split(",")).orderBy("id")));
    }

    @Test
    void conditionsHaveTheSameRows() {
        Session.assertSame(
                json,
                table(),
                List.of(
                        "x = double('NaN')",
                        "x > 1e300",
                        "x >= double('NaN')",
                        "x < 0",
                        "x <= -0.0",
                        "x <> 2",
                        "x IS NULL",
                        "x IN (1.5, 2, double('NaN'))",
                        "NOT (x > 1)",
                        "s = ''",
                        "s IS NULL",
                        "s < 'b'",
                        "mixed = '1'",
                        "mixed = 'true'",
                        "mixed IS NULL",
                        "mixed = '[1,\"a\",null]'",
                        "mixed <> 'text'",
                        "b",
                        "NOT b",
                        "b IS NULL",
                        "m.p = 1",
                        "m.q IS NULL",
                        "m IS NULL",
                        "size(list) > 0",
                        "get(list, 0) = 3",
                        "wide > 2",
                        "wide = 1",
                        "nothing IS NULL",
                        "id2 < 0",
                        "get(rows, 0).a = 2",
                        "id <=> 3",
                        "x <=> NULL",
                        "id BETWEEN 2 AND 5"));
    }

    @Test
    void aggregatesAreTheSame() {
        String[] sums = {"count(x)", "max(x)", "min(x)", "count(DISTINCT mixed)", "max(mixed)", "sum(wide)", "count(*)"
        };
        assertEquals(shown(json.selectExpr(sums)), shown(table().selectExpr(sums)));
        assertEquals(
                shown(json.groupBy("b").count().orderBy("b")),
                shown(table().groupBy("b").count().orderBy("b")));
    }

    @Test
    void withAGivenSchemaTheSameValuesAreNull() {
        for (String schema : List.of(
                "id byte, x float, s string",
                "id string, x string, mixed string",
                "id double, mixed long",
                "mixed double",
                "mixed boolean",
                "mixed array<string>",
                "mixed struct<k: array<double>>",
                "list array<double>, m map<string, string>",
                "m struct<p: long, none: string>",
                "rows array<map<string,string>>",
                "b string, wide long")) {
            // In JSON, numbers are written as strings of digits: 1 and 1.0 are different there.
            Dataset<Row> expected =
                    SPARK.read().schema(schema).json(folder.resolve("rows.json").toString());
            assertEquals(shown(expected), shown(read(schema, file, "partitions", "1")), schema);
        }
    }
}
