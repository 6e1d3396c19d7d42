package packord.spark;

import static packord.spark.Session.SOURCE;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads and writes files on a cluster of two workers, whose executors are programs of their own. */
final class ClusterProgram {
    private ClusterProgram() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        SparkSession spark = SparkSession.builder()
                .master("local-cluster[2,1,1024]")
                .appName("packord")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.executor.memory", "512m")
                .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .config("spark.executorEnv.SPARK_SCALA_VERSION", "2.13")
                .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
                .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
                .getOrCreate();
        String table = folder.resolve("table").toString();
        spark.range(0, 10_000, 1, 4)
                .selectExpr("id", "'s' || id % 7 AS s")
                .write()
                .format(SOURCE)
                .mode("append")
                .save(table);
        Dataset<Row> rows =
                spark.read().format(SOURCE).option("partitions", "8").load(table);
        MapPartitionsFunction<Row, Long> process = part -> {
            Thread.sleep(200); // So that one executor does not take all.
            return List.of(ProcessHandle.current().pid()).iterator();
        };
        TreeSet<Long> processes =
                new TreeSet<>(rows.mapPartitions(process, Encoders.LONG()).collectAsList());
        processes.remove(ProcessHandle.current().pid());
        System.out.println("executors " + processes.size());
        System.out.println("rows " + rows.where("id >= 5000").distinct().count());
        System.out.println("groups " + rows.groupBy("s").count().count());
        spark.stop();
    }
}
