package packord.kafka;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import packord.Extension;
import packord.Options;

/** The options in a configuration: entries whose names are {@code packord.} and that of an option. */
final class KafkaOptions {
  private static final String PREFIX = "packord.";
  private static final String EXTENSIONS = "extensions";

  private interface Setter extends BiConsumer<Options.Builder, String> {}

  private static final Map<String, Setter> SETTERS = new HashMap<>();

  static {
    SETTERS.put("records", (b, v) -> b.records(truth(v)));
    SETTERS.put("canonical", (b, v) -> b.canonical(truth(v)));
    SETTERS.put("sort-keys", (b, v) -> b.sortKeys(truth(v)));
    SETTERS.put("float32", (b, v) -> b.float32(truth(v)));
    SETTERS.put("skip-nil", (b, v) -> b.skipNil(truth(v)));
    SETTERS.put("rich", (b, v) -> b.rich(truth(v)));
    SETTERS.put("bigint", (b, v) -> b.bigint(truth(v)));
    SETTERS.put("utf8", (b, v) -> b.utf8(Options.Utf8.valueOf(upper(v))));
    SETTERS.put("timestamps", (b, v) -> b.timestamps(Options.Timestamps.valueOf(upper(v))));
    SETTERS.put("trailing", (b, v) -> b.trailing(Options.Trailing.valueOf(upper(v))));
    SETTERS.put("duplicate-key", (b, v) -> b.duplicateKey(Options.DuplicateKey.valueOf(upper(v))));
    SETTERS.put("unknown-ext", (b, v) -> b.unknownExt(Options.UnknownExt.valueOf(upper(v))));
    SETTERS.put("undefined-record", (b, v) -> b.undefinedRecord(Options.UndefinedRecord.valueOf(upper(v))));
    SETTERS.put("max-depth", (b, v) -> b.maxDepth(Integer.parseInt(v)));
    SETTERS.put("max-len", (b, v) -> b.maxLen(Long.parseLong(v)));
    SETTERS.put("max-str-len", (b, v) -> b.maxStrLen(Long.parseLong(v)));
    SETTERS.put("max-bin-len", (b, v) -> b.maxBinLen(Long.parseLong(v)));
    SETTERS.put("max-ext-len", (b, v) -> b.maxExtLen(Long.parseLong(v)));
    SETTERS.put("max-array-len", (b, v) -> b.maxArrayLen(Long.parseLong(v)));
    SETTERS.put("max-map-len", (b, v) -> b.maxMapLen(Long.parseLong(v)));
    SETTERS.put("max-nodes", (b, v) -> b.maxNodes(Long.parseLong(v)));
    SETTERS.put("max-own-structures", (b, v) -> b.maxOwnStructures(Integer.parseInt(v)));
    SETTERS.put("max-record-keys", (b, v) -> b.maxRecordKeys(Integer.parseInt(v)));
  }

  private KafkaOptions() {}

  /**
   * Reads the options. An entry that begins as packord's do and is not an option is refused, because
   * it is a misspelt one.
   */
  static Options of(Map<String, ?> configs) {
    Options.Builder builder = Options.builder();
    // Before the single lengths, which may differ from it.
    set(builder, "max-len", configs.get(PREFIX + "max-len"));
    configs.forEach(
        (entry, value) -> {
          String option = entry.startsWith(PREFIX) ? entry.substring(PREFIX.length()) : "data";
          if (!option.equals("data") && !option.equals("max-len")) set(builder, option, value);
        });
    Options options = builder.build();
    if (!options.rich || KafkaData.of(configs) == KafkaData.JAVA) return options;
    addExtensions(builder, "packord.extension.clojure/extensions");
    return builder.build();
  }

  private static void set(Options.Builder builder, String option, Object value) {
    if (value == null) return;
    try {
      if (option.equals(EXTENSIONS)) {
        names(value).forEach(name -> addExtensions(builder, name));
      } else {
        Setter setter = SETTERS.get(option);
        if (setter == null) throw new IllegalArgumentException("is not an option of packord");
        setter.accept(builder, value.toString().trim());
      }
    } catch (IllegalArgumentException exception) {
      throw new ConfigException(PREFIX + option, value, exception.getMessage());
    }
  }

  private static boolean truth(String value) {
    if (value.equals("true") || value.equals("false")) return value.equals("true");
    throw new IllegalArgumentException("must be false or true");
  }

  private static String upper(String value) {
    return value.toUpperCase(Locale.ROOT);
  }

  private static List<String> names(Object value) {
    List<String> names = new ArrayList<>();
    if (value instanceof Iterable) {
      ((Iterable<?>) value).forEach(name -> names.add(name.toString().trim()));
    } else {
      for (String name : value.toString().split(",")) names.add(name.trim());
    }
    names.removeIf(String::isEmpty);
    return names;
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        name + " is not the class of a packord.Extension, nor a var of Clojure");
  }

  private static void addExtensions(Options.Builder builder, String name) {
    if (name.contains("/")) {
      FromClojure.extensions(name).forEach(builder::extension);
      return;
    }
    try {
      builder.extension(Utils.newInstance(name, Extension.class));
    } catch (ClassNotFoundException | ClassCastException | KafkaException exception) {
      throw unknown(name);
    }
  }

  /** In a class of its own, which programs without Clojure never load. */
  private static final class FromClojure {
    static List<Extension> extensions(String name) {
      Object value;
      try {
        value = Clojure.var("clojure.core", "requiring-resolve").invoke(Clojure.read(name));
      } catch (Exception exception) { // Clojure throws checked exceptions without declaring them.
        throw unknown(name);
      }
      if (value == null) throw unknown(name);
      IFn asExtension = Clojure.var("packord.extension", "as-extension");
      Clojure.var("clojure.core", "require").invoke(Clojure.read("packord.extension"));
      List<Extension> extensions = new ArrayList<>();
      Object all = Clojure.var("clojure.core", "deref").invoke(value);
      Iterable<?> each = all instanceof Iterable ? (Iterable<?>) all : List.of(all);
      each.forEach(e -> extensions.add((Extension) asExtension.invoke(e, null)));
      return extensions;
    }
  }
}
