package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import java.beans.ConstructorProperties;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.Packed;
import packord.TypeRef;

/** What objects are made by. */
class CreatorsTest {
    /** As Lombok's {@code @Value} makes it. */
    static final class Money {
        private final String currency;
        private final long cents;
        private final Optional<String> note;

        private Money(String currency, long cents, Optional<String> note) {
            this.currency = currency;
            this.cents = cents;
            this.note = note;
        }

        public String getCurrency() {
            return currency;
        }

        public long getCents() {
            return cents;
        }

        public Optional<String> getNote() {
            return note;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Money m && currency.equals(m.currency) && cents == m.cents && note.equals(m.note);
        }

        @Override
        public int hashCode() {
            return Objects.hash(currency, cents, note);
        }
    }

    @Test
    void aConstructorOfAllFieldsIsKnownByTheirTypes() {
        Trip.comesBack(new Money("EUR", 5, Optional.of("x")));
        assertEquals(
                new Money("CHF", 1, Optional.empty()), Trip.read(Map.of("cents", 1, "currency", "CHF"), Money.class));
        Trip.fails("type_mismatch", "$", "missing field \"cents\"", Map.of("currency", "EUR"), Money.class);
    }

    static class Ambiguous {
        private final String first;
        private final String second;

        Ambiguous(String second) {
            this.first = "none";
            this.second = second;
        }

        public String getFirst() {
            return first;
        }

        public String getSecond() {
            return second;
        }
    }

    @Test
    void aConstructorThatIsNotKnownForSureIsNotCalled() {
        String message = assertThrows(IllegalArgumentException.class, () -> Trip.read(Map.of(), Ambiguous.class))
                .getMessage();
        assertEquals(
                "cannot read into packord.typed.CreatorsTest$Ambiguous: it is not a record, and has neither a constructor"
                        + " without arguments nor one whose parameters are known to be its properties",
                message);
        assertEquals("{first=none, second=b}", Trip.plain(new Ambiguous("b")).toString());
    }

    static class Point {
        final int x;
        final int y;
        private String label;

        @JsonCreator
        static Point of(@JsonProperty("x") int x, @JsonProperty(value = "why") int y) {
            return new Point(x, y);
        }

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        public int getX() {
            return x;
        }

        @JsonProperty("why")
        public int getY() {
            return y;
        }

        public String getLabel() {
            return label;
        }

        public void setLabel(String value) {
            label = value;
        }
    }

    @Test
    void aFactoryIsChosenAndTheRestIsSet() {
        Point point = Trip.read(Map.of("label", "p", "why", 2, "x", 1), Point.class);
        assertEquals("1 2 p", point.x + " " + point.y + " " + point.label);
        assertEquals("{x=1, why=2, label=p}", Trip.plain(point).toString());
    }

    static class Named {
        final String name;
        final int size;

        @ConstructorProperties({"name", "size"})
        Named(String name, int size) {
            this.name = name;
            this.size = size;
        }
    }

    static class Renamed {
        final String name;

        Renamed() {
            name = "none";
        }

        @Packed
        Renamed(@Packed(name = "n", aliases = "name") String name) {
            this.name = name;
        }
    }

    static class Bound {
        @JsonbProperty("f")
        public final int from;

        @JsonbCreator
        Bound(@JsonbProperty("f") int from) {
            this.from = from;
        }
    }

    @Test
    void otherAnnotationsChooseToo() {
        Named named = Trip.read(Map.of("name", "a", "size", 3), Named.class);
        assertEquals("a 3", named.name + " " + named.size);
        assertEquals("b", Trip.read(Map.of("name", "b"), Renamed.class).name);
        assertEquals("c", Trip.read(Map.of("n", "c"), Renamed.class).name);
        assertEquals(4, Trip.read(Map.of("f", 4), Bound.class).from);
    }

    record Email(String text) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Email parse(String text) {
            if (!text.contains("@")) throw new IllegalArgumentException("no @ in " + text);
            return new Email(text);
        }
    }

    @Test
    void oneValueMayStandForTheObjectInKeysToo() {
        assertEquals(new Email("a@b"), Trip.read("a@b", Email.class));
        assertEquals(Map.of(new Email("a@b"), 1), Trip.read(Map.of("a@b", 1), new TypeRef<Map<Email, Integer>>() {}));
        Trip.fails(
                "type_mismatch",
                "$",
                "Email cannot be made: java.lang.IllegalArgumentException: no @ in ab",
                "ab",
                Email.class);
    }

    static class Box<T> {
        private T value;

        public T getValue() {
            return value;
        }

        public void setValue(T value) {
            this.value = value;
        }
    }

    static class Crate<T> extends Box<List<T>> {}

    static class Crates extends Crate<Optional<Email>> {}

    @Test
    void typesAreBoundThroughSuperclasses() {
        Crates crates = Trip.read(Map.of("value", java.util.Arrays.asList("a@b", null)), Crates.class);
        assertEquals(List.of(Optional.of(new Email("a@b")), Optional.empty()), crates.getValue());
    }

    private static final String KOTLIN = """
      package kotlin.jvm.internal;
      public class DefaultConstructorMarker {}
      """;

    /** What Kotlin compiles {@code data class City(val name: String, val people: Int = 7, val isOld: Boolean)} to. */
    private static final String CITY = """
      @kotlin.Metadata
      public final class City {
        private final String name; private final int people; private final boolean isOld; private int visits;
        public City(String name, int people, boolean isOld) { this.name = name; this.people = people; this.isOld = isOld; }
        public City(String name, int people, boolean isOld, int mask, kotlin.jvm.internal.DefaultConstructorMarker none) {
          this(name, (mask & 2) != 0 ? 7 : people, isOld);
        }
        public String getName() { return name; }
        public int getPeople() { return people; }
        public boolean isOld() { return isOld; }
        public String toString() { return name + people + isOld; }
      }
      """;

    private static final String SWAPPED = """
      public class Swapped {
        private final String a; private final String b;
        public Swapped(String b, String a) { this.a = a; this.b = b; }
        public String getA() { return a; }
        public String getB() { return b; }
        public String toString() { return a + b; }
      }
      """;

    private static Class<?> compiled(Path dir, String name, String source, String... options) throws Exception {
        Path lib = Files.createDirectories(dir.resolve("kotlin/jvm/internal"));
        Path marker = Files.writeString(lib.resolve("DefaultConstructorMarker.java"), KOTLIN);
        Path metadata = Files.writeString(
                dir.resolve("kotlin/Metadata.java"),
                "package kotlin; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Metadata {}");
        Path file = Files.writeString(dir.resolve(name + ".java"), source);
        List<String> arguments = new java.util.ArrayList<>(List.of(options));
        arguments.addAll(List.of("-d", dir.toString(), marker.toString(), metadata.toString(), file.toString()));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
        return new URLClassLoader(new URL[] {dir.toUri().toURL()}).loadClass(name);
    }

    @Test
    void dataClassesOfKotlinHaveTheirDefaults(@TempDir Path dir) throws Exception {
        Class<?> city = compiled(dir, "City", CITY);
        assertEquals(
                "Bern9true",
                Trip.read(Map.of("name", "Bern", "people", 9, "isOld", true), city)
                        .toString());
        assertEquals("Bern7false", Trip.read(Map.of("name", "Bern"), city).toString());
        assertEquals(
                "{name=Bern, people=7, isOld=false}",
                Trip.plain(Trip.read(Map.of("name", "Bern"), city)).toString());
    }

    @Test
    void parametersThatAreCompiledAreKnownByTheirNames(@TempDir Path dir) throws Exception {
        assertEquals(
                "xy",
                Trip.read(Map.of("a", "x", "b", "y"), compiled(dir, "Swapped", SWAPPED, "-parameters"))
                        .toString());
    }
}
