package packord.connect.runtime;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** A connector that puts what it is sent into a queue for each topic, for tests. */
public final class QueueSink extends SinkConnector {
    private static final Map<String, BlockingQueue<SinkRecord>> RECORDS = new ConcurrentHashMap<>();

    static BlockingQueue<SinkRecord> records(String topic) {
        return RECORDS.computeIfAbsent(topic, name -> new LinkedBlockingQueue<>());
    }

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
    public static final class QueueTask extends SinkTask {
        @Override
        public String version() {
            return "1";
        }

        @Override
        public void start(Map<String, String> properties) {}

        @Override
        public void put(Collection<SinkRecord> records) {
            for (SinkRecord record : records) records(record.topic()).add(record);
        }

        @Override
        public void stop() {}
    }
}
