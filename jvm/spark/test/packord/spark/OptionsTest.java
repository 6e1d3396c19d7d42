package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.Test;
import packord.spark.FilePartition.Slice;

/** Options, offsets and partitions, without a session of Spark. */
class OptionsTest {
    private static SourceOptions options(String... entries) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < entries.length; i += 2) map.put(entries[i], entries[i + 1]);
        return SourceOptions.of(new CaseInsensitiveStringMap(map));
    }

    @Test
    void namesOfOptionsHaveNoCase() {
        SourceOptions options = options(
                "ONBADBLOCK", "Skip", "mode", "FAILFAST", "Partitions", "3", "path", "a", "paths", "[\"b\",\"c\"]");
        assertTrue(options.skipsBadBlocks());
        assertTrue(options.isStrict());
        assertEquals(3, options.partitions());
        assertEquals(List.of("a", "b", "c"), options.paths());
    }

    @Test
    void theDefaultsAreThoseOfContainerFiles() {
        SourceOptions options = options("path", "a");
        assertFalse(options.skipsBadBlocks());
        assertFalse(options.isStrict());
        assertEquals(64 << 20, options.maxBlock());
        assertTrue(options.isVectorized());
        assertEquals(new SourceOptions.Writing(null, null, 0, 0, null), options.writing());
        options.writeOptions(); // Refuses a 0 that was set.
    }

    @Test
    void wrongOptionsAreRefusedByName() {
        for (String[] wrong : new String[][] {
            {"onBadBlock", "maybe"},
            {"mode", "dropmalformed"},
            {"partitions", "-1"},
            {"blockRows", "-5"},
            {"paths", "a"},
            {"codec", "brotli"}
        }) {
            Exception exception = assertThrows(IllegalArgumentException.class, () -> options(wrong), wrong[0]);
            assertTrue(
                    exception.getMessage().contains(wrong[0])
                            || exception.getMessage().contains(wrong[1]),
                    exception.toString());
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> options("paths", "[\"a\",\"b\"]").folder());
    }

    @Test
    void offsetsOfStreamsComeBackFromACheckpoint() {
        StreamOffset offset = new StreamOffset(Map.of("file:/b", 7L, "file:/a", 1L << 40));
        assertEquals("{\"file:/a\":1099511627776,\"file:/b\":7}", offset.json());
        assertEquals(offset, StreamOffset.of(offset.json()));
        assertEquals(0, offset.end("file:/c"));
        assertThrows(IllegalArgumentException.class, () -> StreamOffset.of("12"));
    }

    @Test
    void partitionsHaveAllBytesOnceAndAboutTheSameSize() {
        List<Slice> ranges = List.of(new Slice("a", 0, 1000), new Slice("b", 50, 60), new Slice("c", 10, 501));
        for (int wanted : new int[] {1, 2, 3, 7, 1501}) {
            FilePartition[] partitions = Partitions.of(ranges, options("partitions", String.valueOf(wanted)));
            assertTrue(partitions.length <= wanted, partitions.length + " of " + wanted);
            assertEquals(
                    1501,
                    Arrays.stream(partitions)
                            .flatMap(each -> each.slices().stream())
                            .mapToLong(Slice::size)
                            .sum());
            for (FilePartition partition : partitions) {
                assertTrue(partition.slices().stream().mapToLong(Slice::size).sum() <= (1501 + wanted - 1) / wanted);
            }
        }
    }
}
