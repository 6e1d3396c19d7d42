package packord.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** How far a stream has read: of each file, the byte up to which its blocks are read. */
final class StreamOffset extends Offset {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final TreeMap<String, Long> ends;

    StreamOffset(Map<String, Long> ends) {
        this.ends = new TreeMap<>(ends);
    }

    /** Reads what {@link #json} has written. */
    static StreamOffset of(String json) {
        try {
            return new StreamOffset(MAPPER.readValue(json, new TypeReference<TreeMap<String, Long>>() {}));
        } catch (JsonProcessingException exception) {
            throw new IllegalArgumentException("the checkpoint is not one of packord: " + json, exception);
        }
    }

    /** Returns where the reading of a file goes on. */
    long end(String path) {
        return ends.getOrDefault(path, 0L);
    }

    @Override
    public String json() {
        try {
            return MAPPER.writeValueAsString(ends);
        } catch (JsonProcessingException exception) {
            throw new IllegalStateException(exception);
        }
    }
}
