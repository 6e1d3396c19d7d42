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
    Packer packer(Options options) {
      return Packer.of(options);
    }

    @Override
    Unpacker unpacker(Options options) {
      return Unpacker.of(options);
    }
  },
  CLOJURE {
    @Override
    Packer packer(Options options) {
      return ClojureData.packer(options, null, KeywordMode.NAMES, false);
    }

    @Override
    Unpacker unpacker(Options options) {
      return ClojureData.unpacker(options, true, null);
    }
  };

  private static final String ENTRY = "packord.data";

  abstract Packer packer(Options options);

  abstract Unpacker unpacker(Options options);

  static KafkaData of(Map<String, ?> configs) {
    Object value = configs.get(ENTRY);
    if (value == null || value.equals("java")) return JAVA;
    if (value.equals("clojure")) return CLOJURE;
    throw new ConfigException(ENTRY, value, "must be java or clojure");
  }
}
