package packord.kafka;

import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import packord.PackordException;
import packord.Unpacker;

/**
 * Reads keys or values of Kafka records from MessagePack. Null stays null. Named in a configuration it gives Java's own
 * types, or with {@code packord.data} set to {@code clojure} Clojure's, with keyword keys. Options are entries too,
 * such as {@code packord.records} or {@code packord.extensions}; the README lists them. An unpacker can be given in
 * place of all that.
 *
 * <pre>{@code
 * props.put("value.deserializer", "packord.kafka.PackordDeserializer");
 * props.put("packord.data", "clojure");
 * props.put("packord.rich", "true");
 * }</pre>
 */
public final class PackordDeserializer implements Deserializer<Object> {
    private Unpacker unpacker;
    private final boolean given;

    /** For a configuration that names the class. */
    public PackordDeserializer() {
        unpacker = Unpacker.standard();
        given = false;
    }

    /** With an unpacker of one's own. */
    public PackordDeserializer(Unpacker unpacker) {
        this.unpacker = unpacker;
        given = true;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (!given) unpacker = KafkaOptions.unpacker(configs);
    }

    @Override
    public Object deserialize(String topic, byte[] data) {
        try {
            return data == null ? null : unpacker.unpack(data);
        } catch (RuntimeException error) {
            PackordException.of(error);
            throw new SerializationException("cannot unpack a record of topic " + topic, error);
        }
    }
}
