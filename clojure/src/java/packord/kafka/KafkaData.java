package packord.kafka;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import packord.ClojureData;
import packord.KeywordMode;
import packord.Options;
import packord.Packer;
import packord.Unpacker;

/** The values of the configuration entry {@code packord.data}. */
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
      return ClojureData.packer(Options.builder().build(), null, KeywordMode.ALL);
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
