package packord.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.util.List;
import java.util.Map;

/** Reads JSON as the values that a message with the same content is read as. */
final class Json {
    private static final ObjectReader READER =
            new ObjectMapper().readerFor(Object.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /** Returns the value of a string. Throws IllegalArgumentException if it is not one of JSON. */
    static Object parse(String text) {
        try {
            return widened(READER.readValue(text));
        } catch (JsonProcessingException exception) {
            throw new IllegalArgumentException("not JSON: " + exception.getOriginalMessage(), exception);
        }
    }

    /** Replaces integers of 32 bits, as which Jackson reads small ones. */
    @SuppressWarnings("unchecked")
    private static Object widened(Object value) {
        if (value instanceof Integer) return ((Integer) value).longValue();
        if (value instanceof List) ((List<Object>) value).replaceAll(Json::widened);
        if (value instanceof Map) ((Map<?, Object>) value).replaceAll((key, entry) -> widened(entry));
        return value;
    }
}
