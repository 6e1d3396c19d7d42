package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbTransient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import packord.Options;
import packord.Packed;
import packord.Packer;
import packord.StructureStore;

/** Which properties a class has, what they are called, and how they are got and set. */
class PropertiesTest {
    record Account(
            @Packed(
                    name = "account_id",
                    aliases = {"accountId", "id"})
            long number,

            @Packed(ignored = true) int attempts,
            String owner) {}

    @Test
    void recordsRenameIgnoreAndHaveAliases() {
        Account account = new Account(7, 3, "Ada");
        assertEquals(Map.of("account_id", 7L, "owner", "Ada"), Trip.plain(account));
        assertEquals(new Account(7, 0, "Ada"), Trip.read(account, Account.class));
        assertEquals(new Account(8, 0, null), Trip.read(Map.of("id", 8, "attempts", 5), Account.class));
        assertEquals(new Account(9, 0, null), Trip.read(Map.of("accountId", 9), Account.class));
        Trip.fails("type_mismatch", "$", "missing field \"account_id\"", Map.of("number", 1), Account.class);
        Options records = Options.builder().records(true).build();
        byte[] packed = Packer.of(records).pack(List.of(account, account));
        assertTrue(new String(packed, java.nio.charset.StandardCharsets.ISO_8859_1).contains("account_id"));
    }

    @JsonIgnoreProperties("legacy")
    @JsonPropertyOrder({"zip", "street_name"})
    public static class Address {
        @JsonProperty("street_name")
        private String street;

        @JsonAlias("postcode")
        private String zip;

        private String legacy = "old";
        private String note = "kept";

        @JsonProperty
        private int floor;

        public String getStreet() {
            return street;
        }

        public void setStreet(String value) {
            street = value;
        }

        public String getZip() {
            return zip;
        }

        public void setZip(String value) {
            zip = value;
        }

        public String getLegacy() {
            return legacy;
        }

        public void setLegacy(String value) {
            legacy = value;
        }

        @JsonIgnore
        public String getNote() {
            return note;
        }

        public void setNote(String value) {
            note = value;
        }
    }

    @Test
    void theAnnotationsOfJacksonAreKnown() {
        Address address = Trip.read(
                Map.of("street_name", "Elm", "postcode", "9", "legacy", "x", "note", "x", "floor", 4), Address.class);
        assertEquals(
                "Elm 9 old kept 4",
                String.join(" ", address.street, address.zip, address.legacy, address.note, "" + address.floor));
        assertEquals("{zip=9, street_name=Elm, floor=4}", Trip.plain(address).toString());
    }

    public static class Parcel {
        @JsonbProperty("weight_g")
        public int weight;

        @JsonbTransient
        public String secret = "s";

        public transient int cached = 1;
        private transient String temporary = "t";

        public String getTemporary() {
            return temporary;
        }

        public void setTemporary(String value) {
            temporary = value;
        }
    }

    @Test
    void theAnnotationsOfJsonBAreKnownAndTransientIsLeftOut() {
        Parcel parcel = Trip.read(Map.of("weight_g", 5, "secret", "x", "cached", 2, "temporary", "x"), Parcel.class);
        assertEquals("5 s 1 t", parcel.weight + " " + parcel.secret + " " + parcel.cached + " " + parcel.temporary);
        assertEquals(Map.of("weight_g", 5L), Trip.plain(parcel));
    }

    enum Level {
        @Packed(name = "lo")
        LOW,
        @JsonProperty("hi")
        HIGH,
        OTHER
    }

    @Test
    void constantsOfEnumsAreRenamed() {
        assertEquals(List.of("lo", "hi", "OTHER"), Trip.plain(Level.values()));
        assertEquals(Level.HIGH, Trip.read("hi", Level.class));
        Trip.fails("type_mismatch", "$", "unknown variant \"LOW\"", "LOW", Level.class);
    }

    public static class Flags {
        private Boolean ready;
        private boolean on;
        private String nick;

        public Boolean isReady() {
            return ready;
        }

        public void setReady(Boolean value) {
            ready = value;
        }

        public boolean isOn() {
            return on;
        }

        public Flags setOn(boolean value) {
            on = value;
            return this;
        }

        public Optional<String> getNick() {
            return Optional.ofNullable(nick);
        }

        public void setNick(String value) {
            nick = value;
        }
    }

    @Test
    void gettersMayBeIsOfBooleanAndOptionalAndSettersFluent() {
        Flags flags = Trip.read(Map.of("ready", true, "on", true, "nick", "N"), Flags.class);
        assertEquals("{ready=true, on=true, nick=N}", Trip.plain(flags).toString());
        flags.setNick(null);
        assertNull(((Map<?, ?>) Trip.plain(flags)).get("nick"));
    }

    public static class Basket {
        private final List<String> items = new ArrayList<>();
        private final Map<String, Integer> counts = new HashMap<>();
        private int total;

        public List<String> getItems() {
            return items;
        }

        public Map<String, Integer> getCounts() {
            return counts;
        }

        public int getTotal() {
            return total;
        }

        public int getDouble() {
            return 2 * total;
        }

        public Runnable getTask() {
            return null;
        }
    }

    @Test
    void withoutSettersFieldsAreSetAndCollectionsFilled() {
        Basket basket = Trip.read(
                Map.of("items", List.of("a"), "counts", Map.of("a", 2), "total", 5, "double", "any", "task", 1),
                Basket.class);
        assertEquals("[a] {a=2} 5", basket.items + " " + basket.counts + " " + basket.total);
        Trip.fails(
                "type_mismatch",
                "$.counts.a",
                "expected an integer, found str",
                Map.of("counts", Map.of("a", "b")),
                Basket.class);
    }

    record Celsius(@JsonValue double degrees) {}

    @Test
    void aValueStandsForItsObject() {
        assertEquals(List.of(1.5), Trip.plain(List.of(new Celsius(1.5))));
        Options sorted = Options.builder().sortKeys(true).build();
        assertEquals(
                "cb3ff8000000000000",
                java.util.HexFormat.of().formatHex(Packer.of(sorted).pack(new Celsius(1.5))));
    }

    public static class Counters {
        public AtomicReference<List<String>> names = new AtomicReference<>();
        public AtomicBoolean open = new AtomicBoolean();
    }

    @Test
    void referencesAreWhatTheyHold() {
        Counters counters = Trip.read(Map.of("names", List.of("a"), "open", true), Counters.class);
        assertEquals("{names=[a], open=true}", Trip.plain(counters).toString());
        assertEquals("{names=null, open=false}", Trip.plain(new Counters()).toString());
    }

    /** Another writer extends the shared list first, so that the message is written twice. */
    @Test
    void whatCanBeTakenOnceIsWrittenWithSharedStructures() {
        List<List<? extends List<String>>> lists = new ArrayList<>(List.of(List.of()));
        StructureStore store = new StructureStore() {
            @Override
            public List<? extends List<String>> get() {
                return lists.get(lists.size() - 1);
            }

            @Override
            public boolean compareAndSet(List<? extends List<String>> expected, List<List<String>> longer) {
                lists.add(lists.size() == 1 ? List.of(List.of("b", "c")) : longer);
                return lists.size() > 2;
            }
        };
        Options options = Options.builder().records(true).structures(store).build();
        byte[] packed = Packer.of(options).pack(List.of(List.of(1, 2).iterator(), List.of(3).stream(), Map.of("a", 1)));
        assertEquals("93920102" + "9103" + "4101", HexFormat.of().formatHex(packed));
        assertEquals(List.of(List.of("b", "c"), List.of("a")), store.get());
    }
}
