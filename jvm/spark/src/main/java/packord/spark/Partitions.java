package packord.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import packord.spark.FilePartition.Slice;

/** Divides files, or ranges of them, among tasks, as Spark divides its own files. */
final class Partitions {
    private static final long OPEN_COST = 4 << 20;

    private Partitions() {}

    static FilePartition[] of(List<Slice> ranges, SourceOptions options) {
        long size = ranges.stream().mapToLong(Slice::size).sum();
        return of(ranges, options.partitions() > 0 ? each(size, options.partitions()) : most(ranges, options));
    }

    private static long each(long size, int partitions) {
        return Math.max(1, (size + partitions - 1) / partitions);
    }

    /** Returns the size of a partition: that of the options, or less if there would be fewer than cores. */
    private static long most(List<Slice> ranges, SourceOptions options) {
        if (options.maxPartitionBytes() > 0) return options.maxPartitionBytes();
        SparkSession session = SparkSession.active();
        String most = session.conf().get("spark.sql.files.maxPartitionBytes", "128MB");
        long bytes = org.apache.spark.network.util.JavaUtils.byteStringAsBytes(most);
        long cost = ranges.stream().mapToLong(range -> range.size() + OPEN_COST).sum();
        long perCore = cost / Math.max(1, session.sparkContext().defaultParallelism());
        return Math.min(bytes, Math.max(OPEN_COST, perCore));
    }

    /** Fills partitions of a size one after another; a range is cut where one is full. */
    private static FilePartition[] of(List<Slice> ranges, long most) {
        List<FilePartition> partitions = new ArrayList<>();
        List<Slice> slices = new ArrayList<>();
        long left = most;
        for (Slice range : ranges) {
            for (long from = range.from(); from < range.to(); ) {
                long to = Math.min(range.to(), from + left);
                slices.add(new Slice(range.path(), from, to));
                left -= to - from;
                from = to;
                if (left == 0) {
                    partitions.add(new FilePartition(slices));
                    slices.clear();
                    left = most;
                }
            }
        }
        if (!slices.isEmpty()) partitions.add(new FilePartition(slices));
        return partitions.toArray(FilePartition[]::new);
    }
}
