package packord.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of features is what its program makes. With WRITE=1 in the environment it is written. */
class FeaturesTest {
    private static final Path PAGE = Path.of("..", "..", "site", "generated", "java-features.md");
    private static final String BEGIN = "<!-- features -->\n";
    private static final String END = "<!-- /features -->";

    @Test
    void thePageHasTheTable() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END);
        String table = Features.table();
        if ("1".equals(System.getenv("WRITE")))
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        else assertEquals(page.substring(from, to), table);
        table.lines().skip(2).forEach(row -> assertTrue(row.contains("✓"), row));
    }
}
