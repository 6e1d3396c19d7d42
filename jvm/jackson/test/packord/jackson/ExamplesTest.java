package packord.jackson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of the README and of Javadoc. */
class ExamplesTest {
    public record User(String name) {}

    @Test
    void aMapperReadsWhatItWrites() throws IOException {
        User user = new User("Ada");
        // begin: ../README.md src/main/java/packord/jackson/PackordMapper.java
        ObjectMapper mapper = new PackordMapper();
        byte[] bytes = mapper.writeValueAsBytes(user);
        User same = mapper.readValue(bytes, User.class);
        // end
        assertEquals(user, same);
    }

    @Test
    void aFactoryMakesAMapper() throws IOException {
        // begin: src/main/java/packord/jackson/PackordFactory.java
        ObjectMapper mapper = new ObjectMapper(new PackordFactory());
        byte[] bytes = mapper.writeValueAsBytes(Map.of("a", 1));
        // end
        assertArrayEquals(new byte[] {(byte) 0x81, (byte) 0xa1, 'a', 1}, bytes);
    }

    @Test
    void theDocumentsHaveThem() throws IOException {
        String source = Files.readString(Path.of("test/packord/jackson/ExamplesTest.java"));
        Matcher examples =
                Pattern.compile("(?s)\n( *)// begin: (\\S.*?)\n(.*?) *// end\n").matcher(source);
        int found = 0;
        for (; examples.find(); found++) {
            for (String document : examples.group(2).split(" ")) {
                String text = Files.readString(Path.of(document)).replaceAll("(?m)^ \\* ", "");
                assertTrue(text.contains(examples.group(3).replaceAll("(?m)^" + examples.group(1), "")), document);
            }
        }
        assertEquals(2, found);
    }
}
