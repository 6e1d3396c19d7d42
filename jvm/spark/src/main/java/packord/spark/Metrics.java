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

    private abstract static class Named extends CustomSumMetric {
        private final String name;
        private final String description;

        Named(String name, String description) {
            this.name = name;
            this.description = description;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String description() {
            return description;
        }
    }

    /** Made by Spark, by its name. */
    public static final class BlocksRead extends Named {
        /** For Spark. */
        public BlocksRead() {
            super("blocksRead", "blocks read");
        }
    }

    /** Made by Spark, by its name. */
    public static final class BlocksSkipped extends Named {
        /** For Spark. */
        public BlocksSkipped() {
            super("blocksSkipped", "blocks skipped by their statistics");
        }
    }

    /** Made by Spark, by its name. */
    public static final class BytesRead extends Named {
        /** For Spark. */
        public BytesRead() {
            super("bytesRead", "bytes of files read");
        }
    }

    /** Made by Spark, by its name. */
    public static final class ValuesRead extends Named {
        /** For Spark. */
        public ValuesRead() {
            super("valuesRead", "values of columns read");
        }
    }

    /** Made by Spark, by its name. */
    public static final class DamagedRanges extends Named {
        /** For Spark. */
        public DamagedRanges() {
            super("damagedRanges", "damaged ranges passed over");
        }
    }
}
