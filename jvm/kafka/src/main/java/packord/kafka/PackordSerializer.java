package packord.kafka;

import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import packord.Packer;
import packord.PackordException;

/**
 * Writes keys or values of Kafka records as MessagePack. Null stays null, which Kafka takes for a deletion. Named in a
 * configuration it packs Java's own types, or with {@code packord.data} set to {@code clojure} Clojure's. Options are
 * entries too, such as {@code packord.records} or {@code packord.max-depth}; the README lists them. A packer of one's
 * own can be given in place of all that.
 *
 * <pre>{@code
 * props.put("value.serializer", "packord.kafka.PackordSerializer");
 * props.put("packord.records", "true");
 * new KafkaProducer<>(props, new StringSerializer(), new PackordSerializer(packer));
 * }</pre>
 */
public final class PackordSerializer implements Serializer<Object> {
    private Packer packer;
    private final boolean given;

    /** For a configuration that names the class. */
    public PackordSerializer() {
        packer = Packer.standard();
        given = false;
    }

    /** With a packer of one's own. */
    public PackordSerializer(Packer packer) {
        this.packer = packer;
        given = true;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (!given) packer = KafkaOptions.packer(configs);
    }

    @Override
    public byte[] serialize(String topic, Object data) {
        try {
            return data == null ? null : packer.pack(data);
        } catch (RuntimeException error) {
            PackordException.of(error);
            throw new SerializationException("cannot pack a record for topic " + topic, error);
        }
    }
}
