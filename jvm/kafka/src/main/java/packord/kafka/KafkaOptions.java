package packord.kafka;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import packord.ClojureData;
import packord.Extension;
import packord.KeywordMode;
import packord.Option;
import packord.Options;
import packord.Packer;
import packord.Unpacker;

/** The packer and unpacker of a configuration: of entries whose names are {@code packord.} and that of an option. */
final class KafkaOptions {
    private static final String PREFIX = "packord.";
    private static final String EXTENSIONS = "extensions";
    private static final String DATA = "data";

    /** A message of Kafka stands alone. */
    private static final Set<Option> OF_STREAMS =
            EnumSet.of(Option.SEQUENTIAL, Option.STRUCTURES, Option.MAX_SHARED_STRUCTURES, Option.MAX_BUFFER);

    private KafkaOptions() {}

    static Packer packer(Map<String, ?> configs) {
        return isClojure(configs) ? FromClojure.packer(of(configs, true)) : Packer.of(of(configs, false));
    }

    static Unpacker unpacker(Map<String, ?> configs) {
        return isClojure(configs) ? FromClojure.unpacker(of(configs, true)) : Unpacker.of(of(configs, false));
    }

    /** Whether the data are Clojure's, and not Java's. */
    private static boolean isClojure(Map<String, ?> configs) {
        Object value = configs.get(PREFIX + DATA);
        if (value == null || value.equals("java")) return false;
        if (value.equals("clojure")) return true;
        throw new ConfigException(PREFIX + DATA, value, "must be java or clojure");
    }

    /**
     * Reads the options. An entry that begins as packord's do and is not an option is refused: it is a misspelt one.
     */
    private static Options of(Map<String, ?> configs, boolean isClojure) {
        Options.Builder builder = Options.builder();
        configs.forEach((entry, value) -> {
            String option = entry.startsWith(PREFIX) ? entry.substring(PREFIX.length()) : DATA;
            if (!option.equals(DATA) && value != null) set(builder, option, value);
        });
        Options options = builder.build();
        if (!options.rich || !isClojure) return options;
        addExtensions(builder, "packord.extension.clojure/extensions");
        return builder.build();
    }

    private static void set(Options.Builder builder, String name, Object value) {
        try {
            if (name.equals(EXTENSIONS)) names(value).forEach(each -> addExtensions(builder, each));
            else builder.set(option(name), parsed(option(name), value));
        } catch (IllegalArgumentException exception) {
            throw new ConfigException(PREFIX + name, value, exception.getMessage());
        }
    }

    private static Option option(String name) {
        Option option = Option.of(name);
        if (option == null || OF_STREAMS.contains(option)) throw new IllegalArgumentException("is not an option here");
        return option;
    }

    private static Object parsed(Option option, Object value) {
        Object parsed = option.parsed(value.toString().trim());
        if (parsed == null) throw new IllegalArgumentException("must be " + option.expected());
        return parsed;
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
        return new IllegalArgumentException(name + " is not the class of a packord.Extension, nor a var of Clojure");
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
        static Packer packer(Options options) {
            return ClojureData.packer(options, null, KeywordMode.NAMES, false);
        }

        static Unpacker unpacker(Options options) {
            return ClojureData.unpacker(options, true, null);
        }

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
