package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;
import packord.Options;
import packord.Packed;
import packord.Packer;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;

/** Classes that an entry of the map tells apart. */
class SubtypesTest {
    @Packed(tag = "kind")
    sealed interface Shape permits Circle, Many, Round {}

    @Packed(name = "circle")
    record Circle(double radius, List<Integer> centre) implements Shape {}

    record Many(List<Shape> parts) implements Shape {}

    sealed interface Round extends Shape permits Oval {}

    record Oval(int x) implements Round {}

    private static final Shape SHAPE =
            new Many(List.of(new Circle(1.5, List.of(1, 2)), new Oval(3), new Circle(2, List.of()), new Oval(4)));

    @Test
    void theTagIsWrittenFirst() {
        assertEquals(
                "{kind=Many, parts=[{kind=circle, radius=1.5, centre=[1, 2]}, {kind=Oval, x=3},"
                        + " {kind=circle, radius=2.0, centre=[]}, {kind=Oval, x=4}]}",
                Trip.plain(SHAPE).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "records", "sorted", "columns"})
    void sealedTypesComeBack(String mode) {
        Options.Builder builder = Options.builder();
        if (mode.equals("records")) builder.records(true);
        if (mode.equals("sorted")) builder.sortKeys(true);
        if (mode.equals("columns")) builder.columns(true);
        Options options = builder.build();
        List<Shape> all = java.util.Collections.nCopies(40, SHAPE);
        assertEquals(all, Unpacker.of(options).unpack(Packer.of(options).pack(all), new TypeRef<List<Shape>>() {}));
    }

    @Test
    void theTagMayComeLater() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("centre", List.of(1));
        map.put("radius", 1.0);
        map.put("kind", "circle");
        map.put("centre", List.of(7));
        assertEquals(new Circle(1, List.of(7)), Trip.read(map, Shape.class));
        byte[] twice = java.util.HexFormat.of()
                .parseHex("84" + "a6726164697573" + "01" + "a6726164697573" + "02" + "a46b696e64" + "a6636972636c65"
                        + "a663656e747265" + "90");
        assertEquals(new Circle(2, List.of()), Unpacker.standard().unpack(twice, Shape.class));
        map.put("centre", List.of("x"));
        Trip.fails("type_mismatch", "$.centre[0]", "expected an integer, found str", map, Shape.class);
    }

    @Test
    void whatIsBeforeALateTagIsReadOnce() {
        int levels = 400;
        int[] calls = {0};
        Extension counting = new Extension() {
            @Override
            public boolean canPack(Object value) {
                return false;
            }

            @Override
            public boolean canUnpack(int type) {
                return type == 12;
            }

            @Override
            public void pack(ExtensionPacker packer, Object value) {}

            @Override
            public Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header) {
                return ++calls[0];
            }
        };
        // {"parts": [{"parts": [... {"other": ext 12, "x": 7, "kind": "Oval"} ...], "kind": "Many"}], "kind": "Many"}
        byte[] bytes = java.util.HexFormat.of()
                .parseHex("82a5706172747391".repeat(levels) + "83a56f74686572d40c00a17807a46b696e64a44f76616c"
                        + "a46b696e64a44d616e79".repeat(levels));
        Shape shape = Unpacker.of(Options.builder().extension(counting).build()).unpack(bytes, Shape.class);
        for (int i = 0; i < levels; i++) shape = ((Many) shape).parts().get(0);
        assertEquals(new Oval(7), shape);
        assertEquals(1, calls[0]);
        byte[] faulty = bytes.clone();
        faulty[8 * levels + 12] = (byte) 0xc1; // In place of 7.
        PackordException error =
                assertThrows(PackordException.class, () -> Unpacker.standard().unpack(faulty, Shape.class));
        assertEquals("reserved_marker " + (8 * levels + 12), error.kind().id() + " " + error.offset());
    }

    @Test
    void definitionsAreThoseBeforeEachRecord() {
        byte[] bytes = java.util.HexFormat.of()
                .parseHex("92"
                        // {"a": record 40 is ["kind", "x"]: Oval 1, "parts": [record 40: Oval 2], "kind": "Many",
                        + "84" + "a161" + "d4724092a46b696e64a178" + "a44f76616c01" + "a57061727473"
                        + "9140a44f76616c02" + "a46b696e64a44d616e79"
                        // "other": record 40 is ["x", "kind"]: 9 Oval}, record 40: 10 Oval
                        + "a56f74686572" + "d4724092a178a46b696e64" + "09a44f76616c" + "400aa44f76616c");
        Unpacker unpacker = Unpacker.of(Options.builder().records(true).build());
        assertEquals(
                List.of(new Many(List.of(new Oval(2))), new Oval(10)),
                unpacker.unpack(bytes, new TypeRef<List<Shape>>() {}));
    }

    @Test
    void aValueCountsOnceWhereverTheTagIs() {
        byte[] first = java.util.HexFormat.of().parseHex("82" + "a46b696e64a44f76616c" + "a17807");
        byte[] last = java.util.HexFormat.of().parseHex("82" + "a17807" + "a46b696e64a44f76616c");
        for (int limit = 1; limit < 8; limit++) {
            Unpacker unpacker = Unpacker.of(Options.builder().maxNodes(limit).build());
            assertEquals(isRead(unpacker, first), isRead(unpacker, last), "" + limit);
        }
    }

    private static boolean isRead(Unpacker unpacker, byte[] bytes) {
        try {
            return unpacker.unpack(bytes, Shape.class).equals(new Oval(7));
        } catch (PackordException error) {
            assertEquals("length_limit", error.kind().id());
            return false;
        }
    }

    @Packed(tag = "kind")
    sealed interface Labelled permits Label {}

    record Label(String kind, int size) implements Labelled {}

    @Test
    void theTagMayBeAPropertyToo() {
        Trip.comesBack(new Label("Label", 3));
        for (String hex : List.of("82a46b696e64a54c6162656ca473697a6503", "82a473697a6503a46b696e64a54c6162656c")) {
            byte[] bytes = java.util.HexFormat.of().parseHex(hex);
            assertEquals(new Label("Label", 3), Unpacker.standard().unpack(bytes, Labelled.class));
        }
    }

    @Test
    void aTagThatIsMissingOrUnknownIsAnError() {
        Trip.fails("type_mismatch", "$", "missing field \"kind\"", Map.of("radius", 1), Shape.class);
        Trip.fails("type_mismatch", "$.kind", "unknown variant \"Square\"", Map.of("kind", "Square"), Shape.class);
        Trip.fails("type_mismatch", "$", "expected a map, found array", List.of(), Shape.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Cat.class, name = "cat"), @JsonSubTypes.Type(Dog.class)})
    public abstract static class Animal {
        public String name;
    }

    public static class Cat extends Animal {
        public int lives;
    }

    @JsonTypeName("dog")
    public static class Dog extends Animal {}

    @Test
    void theSubtypesOfJacksonAreKnown() {
        Animal cat = Trip.read(Map.of("name", "Tom", "type", "cat", "lives", 9), Animal.class);
        assertEquals("{type=cat, name=Tom, lives=9}", Trip.plain(cat).toString());
        assertEquals(Dog.class, Trip.read(Map.of("type", "dog"), Animal.class).getClass());
    }
}
