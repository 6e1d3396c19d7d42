package packord.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import packord.container.ReadOptions;
import packord.container.WriteOptions;

/**
 * The options of a table.
 *
 * @param paths files, folders and patterns
 * @param skipsBadBlocks whether damaged blocks are passed over
 * @param maxBlock the largest block that is read, in bytes
 * @param isStrict whether a value that does not fit its column is an error
 * @param partitions the number of partitions over all files, or 0
 * @param maxPartitionBytes the largest partition, in bytes of files; 0 for that of Spark's own files
 * @param maxBytesPerTrigger the most bytes of blocks in a batch of a stream, or 0 for all that are there
 * @param sampleBytes how much of a file without a schema is read for one, or 0 for all
 * @param isVectorized whether Spark reads batches of columns
 * @param writing how files are written: the options that {@link #writeOptions} makes of it
 */
record SourceOptions(
        List<String> paths,
        boolean skipsBadBlocks,
        int maxBlock,
        boolean isStrict,
        int partitions,
        long maxPartitionBytes,
        long maxBytesPerTrigger,
        long sampleBytes,
        boolean isVectorized,
        Writing writing)
        implements Serializable {

    /** Options of {@link WriteOptions}, which has their defaults; a null or 0 is one that is not set. */
    record Writing(String codec, Integer level, int blockSize, int blockRows, List<String> stats)
            implements Serializable {}

    static SourceOptions of(CaseInsensitiveStringMap options) {
        Writing writing = new Writing(
                options.get("codec"),
                options.containsKey("level") ? options.getInt("level", 0) : null,
                natural(options, "blockSize"),
                natural(options, "blockRows"),
                options.containsKey("stats") ? names(options.get("stats")) : null);
        SourceOptions made = new SourceOptions(
                paths(options),
                choice(options, "onBadBlock", "error", "skip"),
                options.getInt("maxBlock", ReadOptions.MAX_BLOCK),
                choice(options, "mode", "permissive", "failfast"),
                natural(options, "partitions"),
                options.getLong("maxPartitionBytes", 0),
                options.getLong("maxBytesPerTrigger", 0),
                options.getLong("sampleBytes", 0),
                options.getBoolean("vectorized", true),
                writing);
        made.writeOptions(); // Wrong ones are refused before anything runs.
        return made;
    }

    private static boolean choice(CaseInsensitiveStringMap options, String name, String usual, String other) {
        String value = options.getOrDefault(name, usual).toLowerCase(Locale.ROOT);
        if (!value.equals(usual) && !value.equals(other)) {
            throw new IllegalArgumentException(name + " must be " + usual + " or " + other + ", not " + value);
        }
        return value.equals(other);
    }

    private static int natural(CaseInsensitiveStringMap options, String name) {
        int value = options.getInt(name, 0);
        if (value < 0) throw new IllegalArgumentException(name + " must not be negative: " + value);
        return value;
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Spark has one path in the option path, and several as JSON in the option paths. */
    private static List<String> paths(CaseInsensitiveStringMap options) {
        List<String> paths = new ArrayList<>();
        if (options.get("path") != null) paths.add(options.get("path"));
        if (options.get("paths") != null) {
            try {
                paths.addAll(List.of(new ObjectMapper().readValue(options.get("paths"), String[].class)));
            } catch (JsonProcessingException exception) {
                throw new IllegalArgumentException("paths must be a JSON array of strings", exception);
            }
        }
        return paths;
    }

    /** Returns the folder that is written to. */
    String folder() {
        if (paths.size() != 1) throw new IllegalArgumentException("one path is needed to write to, not " + paths);
        return paths.get(0);
    }

    /** Returns how files are read. */
    ReadOptions.Builder reading() {
        return ReadOptions.builder().maxBlock(maxBlock).skipDamaged(skipsBadBlocks);
    }

    WriteOptions writeOptions() {
        WriteOptions.Builder builder = WriteOptions.builder();
        if (writing.codec != null) builder.codec(writing.codec);
        if (writing.level != null) builder.level(writing.level);
        if (writing.blockSize > 0) builder.blockSize(writing.blockSize);
        if (writing.blockRows > 0) builder.blockRows(writing.blockRows);
        if (writing.stats != null) builder.stats(writing.stats);
        return builder.build();
    }
}
