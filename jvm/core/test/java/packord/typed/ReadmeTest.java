package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import packord.Packed;
import packord.Packer;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;

/** The examples of the README with types of the program. */
class ReadmeTest {
    // begin
    record User(
            @Packed(name = "user_id", aliases = "uid") long id,
            @Packed(ignored = true) String password) {}

    @Packed(tag = "kind")
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {} // {"kind": "Circle", "radius": 1.0}

    record Square(double side) implements Shape {}
    // end

    record Point(int x, int y) {}

    @Test
    void typesComeBack() {
        // begin
        byte[] bytes = Packer.standard().pack(List.of(new Point(1, 2)));
        List<Point> points = Unpacker.standard().unpack(bytes, new TypeRef<List<Point>>() {});
        Point point = Unpacker.standard().unpack(Packer.standard().pack(points.get(0)), Point.class);
        // end
        assertEquals(new Point(1, 2), point);
    }

    @Test
    void annotationsHold() {
        assertEquals(Map.of("user_id", 7L), Trip.plain(new User(7, "secret")));
        assertEquals(new User(7, null), Trip.read(Map.of("uid", 7, "password", "x"), User.class));
        assertEquals("{kind=Circle, radius=1.0}", Trip.plain(new Circle(1.0)).toString());
        assertEquals(new Square(2), Trip.read(new Square(2), Shape.class));
    }

    @Test
    void aStreamIsReadIntoAType() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 6; i < 9; i++) all.writeBytes(Packer.standard().pack(new User(i, "")));
        InputStream in = new ByteArrayInputStream(all.toByteArray());
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true));
        try {
            // begin
            try (Stream<User> users = Unpacker.standard().reader(in, User.class).stream()) {
                users.filter(user -> user.id() > 7).forEach(System.out::println);
            }
            // end
        } finally {
            System.setOut(before);
        }
        assertEquals(
                "User[id=8, password=null]",
                printed.toString(StandardCharsets.UTF_8).strip());
    }

    @Test
    void theErrorIsThatOfTheReadme() throws IOException {
        byte[] bytes = Packer.standard().pack(List.of(Map.of("x", 1L << 32)));
        String message = assertThrows(
                        PackordException.class, () -> Unpacker.standard().unpack(bytes, new TypeRef<List<Point>>() {}))
                .getMessage();
        assertTrue(readme().contains("```text\n" + message + "\n```"), message);
    }

    @Test
    void theReadmeHasTheExamples() throws IOException {
        String source = Files.readString(Path.of("test/java/packord/typed/ReadmeTest.java"));
        Matcher examples =
                Pattern.compile("(?s)\n( *)// begin\n(.*?) *// end\n").matcher(source);
        int found = 0;
        for (; examples.find(); found++) {
            String example = examples.group(2).replaceAll("(?m)^" + examples.group(1), "");
            assertTrue(readme().contains(example), example);
        }
        assertEquals(3, found);
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("../README.md"));
    }
}
