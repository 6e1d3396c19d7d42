package packord.spark;

import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * What one task reads.
 *
 * @param slices ranges of files
 */
record FilePartition(List<Slice> slices) implements InputPartition {
    /**
     * The blocks of a file whose mark begins in a range.
     *
     * @param path the file
     * @param from the first offset of the range
     * @param to the offset after it
     */
    record Slice(String path, long from, long to) implements java.io.Serializable {
        long size() {
            return to - from;
        }
    }

    FilePartition {
        slices = List.copyOf(slices);
    }
}
