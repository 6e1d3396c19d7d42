package packord.connect.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** A connector that sends what tests put into a queue. */
public final class QueueSource extends SourceConnector {
    static final BlockingQueue<SourceRecord> RECORDS = new LinkedBlockingQueue<>();

    @Override
    public void start(Map<String, String> properties) {}

    @Override
    public Class<? extends Task> taskClass() {
        return QueueTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maximum) {
        return List.of(Map.of());
    }

    @Override
    public void stop() {}

    @Override
    public ConfigDef config() {
        return new ConfigDef();
    }

    @Override
    public String version() {
        return "1";
    }

    /** The task of the connector. */
    public static final class QueueTask extends SourceTask {
        @Override
        public String version() {
            return "1";
        }

        @Override
        public void start(Map<String, String> properties) {}

        @Override
        public List<SourceRecord> poll() throws InterruptedException {
            List<SourceRecord> records = new ArrayList<>();
            RECORDS.drainTo(records);
            if (records.isEmpty()) Thread.sleep(20);
            return records.isEmpty() ? null : records;
        }

        @Override
        public void stop() {}
    }
}
