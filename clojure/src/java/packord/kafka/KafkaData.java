package packord.kafka;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import packord.ClojureData;
import packord.Options;
import packord.Packer;
import packord.Unpacker;
import packord.encode.ClojureEncoder;

/** What the configuration entry {@code packord.data} stands for. */
enum KafkaData {
  JAVA {
    @Override
    Packer packer() {
      return Packer.standard();
    }

    @Override
    Unpacker unpacker() {
      return Unpacker.standard();
    }
  },
  CLOJURE {
    @Override
    Packer packer() {
      return ClojureData.packer(Options.builder().build(), null, ClojureEncoder.Keywords.ALL);
    }

    @Override
    Unpacker unpacker() {
      return ClojureData.unpacker(Options.builder().build(), true, null);
    }
  };

  private static final String ENTRY = "packord.data";

  abstract Packer packer();

  abstract Unpacker unpacker();

  static KafkaData of(Map<String, ?> configs) {
    Object value = configs.get(ENTRY);
    if (value == null || value.equals("java")) return JAVA;
    if (value.equals("clojure")) return CLOJURE;
    throw new ConfigException(ENTRY, value, "must be java or clojure");
  }
}
