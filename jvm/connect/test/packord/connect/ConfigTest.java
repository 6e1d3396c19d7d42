package packord.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static packord.connect.Converters.converter;
import static packord.connect.Converters.withSchemas;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.junit.jupiter.api.Test;

/** The configuration, and what a worker asks of a plugin. */
class ConfigTest {
    @Test
    void everyEntryIsDocumented() {
        ConfigDef def = new PackordConverter().config();
        for (ConfigDef.ConfigKey key : def.configKeys().values()) {
            assertNotNull(key.documentation, key.name);
            assertTrue(key.documentation.endsWith(".") || key.name.equals("converter.type"), key.name);
        }
        assertEquals(11, def.configKeys().size());
    }

    @Test
    void aWorkerFindsTheConverter() {
        for (Class<?> service : List.of(Converter.class, HeaderConverter.class)) {
            assertTrue(
                    StreamSupport.stream(ServiceLoader.load(service).spliterator(), false)
                            .anyMatch(found -> found instanceof PackordConverter),
                    service.getName());
        }
    }

    @Test
    void itsVersionIsThatOfTheLibrary() {
        assertTrue(new PackordConverter().version().matches("\\d+\\.\\d+\\.\\d+"));
    }

    @Test
    void wrongEntriesAreRefused() {
        for (Map.Entry<String, Object> entry : Map.<String, Object>of(
                        "logical.format", "iso",
                        "max.depth", 0,
                        "max.expansion", -1,
                        "schemas.enable", "maybe",
                        "schemas.cache.size", -1)
                .entrySet()) {
            ConfigException exception =
                    assertThrows(ConfigException.class, () -> converter(entry.getKey(), entry.getValue()));
            assertTrue(exception.getMessage().contains(entry.getKey()));
        }
    }

    @Test
    void aSchemaThatIsNotOneIsRefusedWithItsFault() {
        for (String content : List.of("{", "7", "{\"type\": \"int9\"}", "{\"type\": \"struct\", \"fields\": [7]}")) {
            assertThrows(ConfigException.class, () -> converter("schema.content", content));
        }
        ConfigException exception = assertThrows(
                ConfigException.class,
                () -> converter("schema.content", "{\"type\": \"array\", \"items\": {\"type\": \"int9\"}}"));
        assertTrue(exception.getMessage().contains("$.items.type"), exception.getMessage());
    }

    @Test
    void aSchemaCannotBeBothGivenAndInferred() {
        assertThrows(ConfigException.class, () -> withSchemas("schema.infer", true));
        assertThrows(
                ConfigException.class, () -> converter("schema.infer", true, "schema.content", "{\"type\": \"int8\"}"));
    }

    @Test
    void entriesOfOthersAreIgnored() {
        converter("plugin.version", "1", "something.else", "2");
    }
}
