package packord.connect.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A broker of Kafka in this process, in KRaft mode, on ports of this machine that are free. */
final class Broker implements AutoCloseable {
    final String address;
    private final KafkaRaftServer server;

    Broker(Path folder) throws IOException {
        int port = freePort();
        int controller = freePort();
        address = "127.0.0.1:" + port;
        Properties entries = new Properties();
        entries.setProperty("process.roles", "broker,controller");
        entries.setProperty("node.id", "1");
        entries.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controller);
        entries.setProperty("listeners", "PLAINTEXT://" + address + ",CONTROLLER://127.0.0.1:" + controller);
        entries.setProperty("advertised.listeners", "PLAINTEXT://" + address);
        entries.setProperty("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        entries.setProperty("controller.listener.names", "CONTROLLER");
        entries.setProperty("inter.broker.listener.name", "PLAINTEXT");
        entries.setProperty("log.dirs", folder.resolve("log").toString());
        entries.setProperty("offsets.topic.replication.factor", "1");
        entries.setProperty("offsets.topic.num.partitions", "1");
        entries.setProperty("transaction.state.log.replication.factor", "1");
        entries.setProperty("transaction.state.log.min.isr", "1");
        entries.setProperty("group.initial.rebalance.delay.ms", "0");
        format(folder.resolve("server.properties"), entries);
        server = new KafkaRaftServer(new KafkaConfig(entries), Time.SYSTEM);
        server.startup();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void format(Path file, Properties entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            entries.store(out, null);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] arguments = {"format", "-t", Uuid.randomUuid().toString(), "-c", file.toString()};
        if (StorageTool.execute(arguments, new PrintStream(said)) != 0) throw new IOException(said.toString());
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
