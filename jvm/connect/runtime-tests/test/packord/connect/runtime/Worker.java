package packord.connect.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.connect.cli.ConnectStandalone;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.runtime.Herder;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorInfo;
import org.apache.kafka.connect.runtime.standalone.StandaloneHerder;
import org.apache.kafka.connect.util.FutureCallback;

/** A standalone worker of Kafka Connect in this process, with the converter as a plugin of its own. */
final class Worker implements AutoCloseable {
    private static final String CONVERTER = "packord.connect.PackordConverter";

    private final Connect<StandaloneHerder> connect;

    Worker(Path folder, String broker) throws IOException {
        Path plugin = Files.createDirectories(folder.resolve("plugins/packord"));
        for (String classes : System.getProperty("packord.plugin").split(":")) copy(Path.of(classes), plugin);
        Map<String, String> entries = new HashMap<>();
        entries.put("bootstrap.servers", broker);
        entries.put("plugin.path", plugin.getParent().toString());
        entries.put("offset.storage.file.filename", folder.resolve("offsets").toString());
        entries.put("listeners", "http://127.0.0.1:" + Broker.freePort());
        entries.put("key.converter", CONVERTER);
        entries.put("value.converter", CONVERTER);
        entries.put("header.converter", CONVERTER);
        connect = new ConnectStandalone().startConnect(entries);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.filter(file -> !file.endsWith("module-info.class")).forEach(file -> copyOne(from, file, to));
        }
    }

    private static void copyOne(Path root, Path file, Path to) {
        try {
            Path target = to.resolve(root.relativize(file).toString());
            if (Files.isDirectory(file)) Files.createDirectories(target);
            else if (!Files.exists(target)) Files.copy(file, target);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    /** Starts a connector; entries are names and values in turn. */
    void start(String name, Class<?> connector, String... entries) throws Exception {
        start(name, connector.getName(), entries);
    }

    void start(String name, String connector, String... entries) throws Exception {
        Map<String, String> config = new HashMap<>();
        config.put("name", name);
        config.put("connector.class", connector);
        config.put("tasks.max", "1");
        // A connector has its own entries for a converter only if it names the converter too.
        config.put("key.converter", CONVERTER);
        config.put("value.converter", CONVERTER);
        for (int i = 0; i < entries.length; i += 2) config.put(entries[i], entries[i + 1]);
        FutureCallback<Herder.Created<ConnectorInfo>> created = new FutureCallback<>();
        connect.herder().putConnectorConfig(name, config, false, created);
        created.get(60, TimeUnit.SECONDS);
    }

    /** Returns the trace of the first task that has failed, or null. */
    String trace(String name) {
        return connect.herder().connectorStatus(name).tasks().stream()
                .map(task -> task.trace())
                .filter(trace -> trace != null)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        connect.stop();
        connect.awaitStop();
    }
}
