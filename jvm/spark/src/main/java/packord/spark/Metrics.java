package packord.spark;

import java.util.stream.Stream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** What Spark shows of a query in addition to its own numbers. */
final class Metrics {
  /** The blocks whose columns were read. */
  long blocks;

  /** The blocks that their statistics have left out. */
  long skipped;

  /** The bytes of files that were read. */
  long bytes;

  /** The values of all columns that were read, those that are missing not counted. */
  long values;

  /** The ranges of files that were passed over because they are damaged. */
  long damaged;

  static CustomMetric[] all() {
    return new CustomMetric[] {
      new BlocksRead(), new BlocksSkipped(), new BytesRead(), new ValuesRead(), new DamagedRanges()
    };
  }

  private record TaskMetric(String name, long value) implements CustomTaskMetric {}

  CustomTaskMetric[] ofTask() {
    long[] values = {blocks, skipped, bytes, this.values, damaged};
    CustomMetric[] metrics = all();
    return Stream.iterate(0, i -> i + 1)
        .limit(values.length)
        .map(i -> new TaskMetric(metrics[i].name(), values[i]))
        .toArray(CustomTaskMetric[]::new);
  }

  /** Made by Spark, by its name. */
  public static final class BlocksRead extends CustomSumMetric {
    @Override
    public String name() {
      return "blocksRead";
    }

    @Override
    public String description() {
      return "blocks read";
    }
  }

  /** Made by Spark, by its name. */
  public static final class BlocksSkipped extends CustomSumMetric {
    @Override
    public String name() {
      return "blocksSkipped";
    }

    @Override
    public String description() {
      return "blocks skipped by their statistics";
    }
  }

  /** Made by Spark, by its name. */
  public static final class BytesRead extends CustomSumMetric {
    @Override
    public String name() {
      return "bytesRead";
    }

    @Override
    public String description() {
      return "bytes of files read";
    }
  }

  /** Made by Spark, by its name. */
  public static final class ValuesRead extends CustomSumMetric {
    @Override
    public String name() {
      return "valuesRead";
    }

    @Override
    public String description() {
      return "values of columns read";
    }
  }

  /** Made by Spark, by its name. */
  public static final class DamagedRanges extends CustomSumMetric {
    @Override
    public String name() {
      return "damagedRanges";
    }

    @Override
    public String description() {
      return "damaged ranges passed over";
    }
  }
}
