package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.connect.Converters.TOPIC;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.fault;
import static packord.connect.Converters.packed;
import static packord.connect.Converters.written;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.junit.jupiter.api.Test;

/** What the README says holds. */
class ReadmeTest {
    private static final String README = readme();

    private static String readme() {
        try {
            return Files.readString(Path.of("README.md"));
        } catch (IOException exception) {
            throw new AssertionError(exception);
        }
    }

    private static List<Map<String, Object>> configurations() throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        Matcher blocks =
                Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL).matcher(README);
        while (blocks.find()) {
            Properties properties = new Properties();
            properties.load(new StringReader(blocks.group(1)));
            assertEquals(PackordConverter.class.getName(), properties.remove("value.converter"));
            Map<String, Object> entries = new HashMap<>();
            properties.forEach((key, value) -> entries.put(((String) key).replace("value.converter.", ""), value));
            assertTrue(PackordConverterConfig.configDef().names().containsAll(entries.keySet()), entries.toString());
            all.add(entries);
        }
        return all;
    }

    private static PackordConverter configured(Map<String, Object> entries) {
        PackordConverter converter = new PackordConverter();
        converter.configure(entries, false);
        return converter;
    }

    @Test
    void theTableOfOptionsHasAllOfThemWithTheirDefaults() {
        Map<String, String> documented = new TreeMap<>();
        Matcher rows = Pattern.compile("^\\| `([a-z.]+)` \\| (\\S+) \\|", Pattern.MULTILINE)
                .matcher(README);
        while (rows.find()) documented.put(rows.group(1), rows.group(2).replace("`", ""));
        Map<String, String> defined = new TreeMap<>();
        for (ConfigDef.ConfigKey key :
                PackordConverterConfig.configDef().configKeys().values()) {
            if (key.name.equals("converter.type")) continue;
            defined.put(key.name, key.defaultValue == null ? "none" : key.defaultValue.toString());
        }
        assertEquals(defined, documented);
    }

    @Test
    void theConfigurationsAreValidAndReadWhatTheyPromise() throws IOException {
        List<Map<String, Object>> all = configurations();
        assertEquals(2, all.size());
        byte[] message = packed("{\"id\": 7, \"price\": \"1.50\", \"more\": true}");
        Struct inferred =
                (Struct) configured(all.get(0)).toConnectData(TOPIC, message).value();
        assertEquals(7L, inferred.get("id"));
        Struct given =
                (Struct) configured(all.get(1)).toConnectData(TOPIC, message).value();
        assertEquals(7, given.get("id"));
        assertEquals(new BigDecimal("1.50"), given.get("price"));
        assertEquals(null, given.get("tags"));
    }

    @Test
    void theErrorIsTheOneThatIsShown() throws IOException {
        PackordConverter converter = configured(configurations().get(1));
        String shown = fault(() -> converter.toConnectData(TOPIC, packed("{\"id\": \"x\"}")))
                .getMessage();
        assertTrue(README.contains("\n" + shown + "\n"), shown);
    }

    @Test
    void theStringsOfLogicalTypesAreThoseOfTheTable() {
        Map<Schema, Object> values = Map.of(
                Decimal.schema(2),
                new BigDecimal("1.50"),
                org.apache.kafka.connect.data.Date.SCHEMA,
                new Date(20_781L * 86_400_000),
                Time.SCHEMA,
                new Date(49_500_123));
        values.forEach((schema, value) -> {
            String name = schema.name().substring(schema.name().lastIndexOf('.') + 1);
            String row = "\n| " + name + " | `" + written(converter(), schema, value) + "`; ext ";
            assertTrue(README.contains(row), row);
        });
    }
}
