package packord.connect;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.function.Executable;
import packord.Ext;
import packord.Notation;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Timestamp;
import packord.Unpacker;

/** What the tests of the converter share. */
final class Converters {
    static final String TOPIC = "topic";

    private Converters() {}

    /** Returns a converter of values with entries of configuration, names and values in turn. */
    static PackordConverter converter(Object... entries) {
        Map<String, Object> config = new HashMap<>();
        for (int i = 0; i < entries.length; i += 2) config.put((String) entries[i], entries[i + 1]);
        PackordConverter converter = new PackordConverter();
        converter.configure(config, false);
        return converter;
    }

    static PackordConverter withSchemas(Object... entries) {
        Object[] all = new Object[entries.length + 2];
        all[0] = "schemas.enable";
        all[1] = true;
        System.arraycopy(entries, 0, all, 2, entries.length);
        return converter(all);
    }

    /**
     * Packs a value in diagnostic notation, which is JSON for what JSON has. Of the rest it knows nil, nan, floats of
     * 32 bits, bytes, exts, timestamps, and keys that are numbers or booleans.
     */
    static byte[] packed(String notation) {
        String json = notation.replaceAll("(?<=[{ ])(-?[0-9.]+|true|false): ", "\"\\$key:$1\": ")
                .replaceAll("\\bnil\\b", "null")
                .replaceAll("\\bnan\\b", "{\"\\$nan\":0}")
                .replaceAll("([0-9.]+)_f32", "{\"\\$f32\":$1}")
                .replaceAll("h'([0-9a-f]*)'", "{\"\\$bin\":\"$1\"}")
                .replaceAll("ext\\(([0-9]+), (\\{.*?\\})\\)", "{\"\\$ext\":[$1, $2]}")
                .replaceAll("timestamp\\((.*?)\\)", "{\"\\$time\":[$1]}");
        return Packer.standard().pack(value(Json.parse(json)));
    }

    private static Object value(Object json) {
        if (json instanceof List)
            return ((List<?>) json).stream().map(Converters::value).collect(Collectors.toList());
        if (!(json instanceof Map)) return json;
        Map<Object, Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) json).forEach((key, element) -> {
            String name = (String) key;
            entries.put(name.startsWith("$key:") ? Json.parse(name.substring(5)) : name, value(element));
        });
        Object of = entries.size() == 1 ? entries.values().iterator().next() : null;
        switch (String.valueOf(entries.keySet())) {
            case "[$nan]":
                return Double.NaN;
            case "[$f32]":
                return ((Double) of).floatValue();
            case "[$bin]":
                return HexFormat.of().parseHex((String) of);
            case "[$ext]":
                return new Ext(((Long) ((List<?>) of).get(0)).intValue(), (byte[]) ((List<?>) of).get(1));
            case "[$time]": {
                List<?> parts = (List<?>) of;
                if (parts.size() == 1) return Instant.parse((String) parts.get(0));
                return new Timestamp((Long) parts.get(0), ((Long) parts.get(1)).intValue());
            }
            default:
                return entries;
        }
    }

    /** Returns the notation of a message. */
    static String notation(byte[] message) {
        return Notation.of(unpacked(message));
    }

    static Object unpacked(byte[] message) {
        return Unpacker.of(Options.builder().records(true).columns(true).build())
                .unpack(message);
    }

    static Object read(PackordConverter converter, String notation) {
        return converter.toConnectData(TOPIC, packed(notation)).value();
    }

    static String written(PackordConverter converter, Schema schema, Object value) {
        return notation(converter.fromConnectData(TOPIC, schema, value));
    }

    /** Returns the error of packord that is the cause of a DataException. */
    static PackordException fault(Executable action) {
        DataException exception = assertThrows(DataException.class, action);
        return (PackordException) exception.getCause();
    }
}
