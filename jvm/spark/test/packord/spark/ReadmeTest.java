package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.spark.Session.row;
import static packord.spark.Session.rows;
import static packord.spark.Session.write;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README says holds. */
class ReadmeTest {
    private static final String SOURCE = "test/packord/spark/ReadmeTest.java";

    @TempDir
    Path temporary;

    private String folder;
    private String copy;
    private String checkpoint;

    @BeforeEach
    void names() {
        folder = temporary.resolve("events").toString();
        copy = temporary.resolve("copy").toString();
        checkpoint = temporary.resolve("checkpoint").toString();
    }

    private void writeEvents() throws IOException {
        Files.createDirectories(Path.of(folder));
        write(
                Path.of(folder, "a.pkd"),
                rows(1000, i -> row("id", i, "level", i % 10 == 0 ? "error" : "info", "ms", i / 4.0)));
    }

    @Test
    void theExamplesAreThoseOfThisFile() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        Matcher examples = Pattern.compile("\n( *)// begin\n(.*?) *// end", Pattern.DOTALL)
                .matcher(Files.readString(Path.of(SOURCE)));
        int count = 0;
        while (examples.find()) {
            String example = "```java\n" + examples.group(2).replaceAll("(?m)^" + examples.group(1), "") + "```";
            assertTrue(readme.contains(example), example);
            count++;
        }
        assertEquals(2, count);
    }

    @Test
    void theTableOfOptionsHasAllOfThem() throws IOException {
        TreeSet<String> documented = new TreeSet<>();
        Matcher table = Pattern.compile("(?m)^\\| (`.*?`) \\| .* \\|$").matcher(Files.readString(Path.of("README.md")));
        while (table.find()) for (String name : table.group(1).split(", ")) documented.add(name.replace("`", ""));
        TreeSet<String> known = new TreeSet<>();
        String source = Files.readString(Path.of("src/main/java/packord/spark/SourceOptions.java"));
        Matcher names = Pattern.compile("(?:options\\.(?:get|getInt|getLong|getBoolean)\\(|\\(options, )\"(\\w+)\"")
                .matcher(source);
        while (names.find()) if (!names.group(1).startsWith("path")) known.add(names.group(1));
        assertEquals(known, documented);
    }

    @Test
    void theMetricsAreThoseOfAScan() throws IOException {
        String text = Files.readString(Path.of("README.md"));
        String sentence = text.substring(text.indexOf("The metrics of a query count"));
        Matcher names = Pattern.compile("`(\\w+)`").matcher(sentence.substring(0, sentence.indexOf("\n\n")));
        List<String> documented = names.results().map(found -> found.group(1)).toList();
        assertEquals(Stream.of(Metrics.all()).map(CustomMetric::name).toList(), documented);
    }

    @Test
    void theJarsHaveTheVersionOfTheProject() throws IOException {
        Matcher version = Pattern.compile("<artifactId>packord-parent</artifactId>\\s*<version>(.*?)</version>")
                .matcher(Files.readString(Path.of("pom.xml")));
        assertTrue(version.find());
        String jars = String.format(
                "--jars jvm/core/target/packord-%s.jar,jvm/container/target/packord-container-%<s.jar"
                        + ",jvm/spark/target/packord-spark-%<s.jar",
                version.group(1));
        assertTrue(Files.readString(Path.of("README.md")).contains(jars));
    }

    @Test
    @Tag("engines")
    void theErrorIsTheOneThatIsShown() throws IOException {
        Path file =
                write(temporary.resolve("events.pkd"), rows(10, i -> row("id", i)), options -> options.codec("none"));
        byte[] bytes = Files.readAllBytes(file);
        bytes[63 + 20] ^= 1;
        Files.write(file, bytes);
        String shown = Session.messages(assertThrows(
                Exception.class, () -> Session.read("id long", file).collect()));
        Matcher documented =
                Pattern.compile("(?s)## Errors\n\n```text\n(.*?)\n```").matcher(Files.readString(Path.of("README.md")));
        assertTrue(documented.find());
        assertTrue(shown.contains(documented.group(1)), shown);
    }

    @Test
    @Tag("engines")
    void aTableIsReadAndWritten() throws IOException {
        writeEvents();
        SparkSession spark = Session.SPARK;
        // begin
        Dataset<Row> events = spark.read().format("packord").load(folder);
        long errors = events.where("level = 'error' AND ms > 100").count();
        events.groupBy("level")
                .count()
                .write()
                .format("packord")
                .mode("overwrite")
                .save(copy);
        // end
        assertEquals(59, errors);
        assertEquals(
                List.of("[error,100]", "[info,900]"),
                Session.shown(Session.read(Path.of(copy)).orderBy("level")));
    }

    @Test
    @Tag("engines")
    void aFolderIsReadAsItGrows() throws Exception {
        writeEvents();
        SparkSession spark = Session.SPARK;
        // begin
        Dataset<Row> live = spark.readStream()
                .format("packord")
                .schema("id long, level string")
                .load(folder);
        StreamingQuery query = live.where("level = 'error'")
                .writeStream()
                .option("checkpointLocation", checkpoint)
                .trigger(Trigger.AvailableNow())
                .foreachBatch((Dataset<Row> batch, Long id) ->
                        batch.write().format("packord").mode("append").save(copy))
                .start();
        query.awaitTermination();
        // end
        assertEquals(100, Session.read(Path.of(copy)).count());
    }
}
