package packord.kafka;

import org.apache.kafka.common.serialization.Serdes.WrapperSerde;
import packord.Packer;
import packord.Unpacker;

/** {@link PackordSerializer} and {@link PackordDeserializer} together, for Kafka Streams. */
public final class PackordSerde extends WrapperSerde<Object> {
    /** For a configuration that names the class. */
    public PackordSerde() {
        super(new PackordSerializer(), new PackordDeserializer());
    }

    /** With a packer and an unpacker of one's own. */
    public PackordSerde(Packer packer, Unpacker unpacker) {
        super(new PackordSerializer(packer), new PackordDeserializer(unpacker));
    }
}
