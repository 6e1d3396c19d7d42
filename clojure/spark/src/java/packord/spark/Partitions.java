package packord.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import packord.spark.FilePartition.Slice;

/** Divides files among tasks, as Spark divides its own files. */
final class Partitions {
  private static final long OPEN_COST = 4 << 20;

  private Partitions() {}

  static FilePartition[] of(List<ContainerFiles.File> files, SourceOptions options) {
    long size = files.stream().mapToLong(ContainerFiles.File::size).sum();
    return of(files, options.partitions() > 0 ? each(size, options.partitions()) : most(files, options));
  }

  private static long each(long size, int partitions) {
    return Math.max(1, (size + partitions - 1) / partitions);
  }

  /** Returns the size of a partition: that of the options, or less if there would be fewer than cores. */
  private static long most(List<ContainerFiles.File> files, SourceOptions options) {
    if (options.maxPartitionBytes() > 0) return options.maxPartitionBytes();
    SparkSession session = SparkSession.active();
    String most = session.conf().get("spark.sql.files.maxPartitionBytes", "128MB");
    long bytes = org.apache.spark.network.util.JavaUtils.byteStringAsBytes(most);
    long cost = files.stream().mapToLong(file -> file.size() + OPEN_COST).sum();
    long perCore = cost / Math.max(1, session.sparkContext().defaultParallelism());
    return Math.min(bytes, Math.max(OPEN_COST, perCore));
  }

  /** Fills partitions of a size one after another; a file is cut where one is full. */
  private static FilePartition[] of(List<ContainerFiles.File> files, long most) {
    List<FilePartition> partitions = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    long left = most;
    for (ContainerFiles.File file : files) {
      for (long from = 0; from < file.size(); ) {
        long to = Math.min(file.size(), from + left);
        slices.add(new Slice(file.path(), from, to));
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
