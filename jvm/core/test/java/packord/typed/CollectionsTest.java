package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import packord.ErrorKind;
import packord.Options;
import packord.Options.DuplicateKey;
import packord.Packed;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;

/** Collections and maps of all kinds. */
class CollectionsTest {
    enum Day {
        MON,
        TUE
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ArrayList.class,
                LinkedList.class,
                Vector.class,
                Stack.class,
                CopyOnWriteArrayList.class,
                HashSet.class,
                LinkedHashSet.class,
                TreeSet.class,
                ConcurrentSkipListSet.class,
                CopyOnWriteArraySet.class,
                ArrayDeque.class,
                PriorityQueue.class,
                ConcurrentLinkedQueue.class,
                ConcurrentLinkedDeque.class,
                LinkedBlockingQueue.class,
                LinkedBlockingDeque.class,
                ArrayBlockingQueue.class,
                PriorityBlockingQueue.class,
                LinkedTransferQueue.class
            })
    void everyCollectionIsMade(Class<?> type) {
        Collection<?> read = (Collection<?>) Trip.read(List.of("a", "b"), type);
        assertEquals(type, read.getClass());
        assertEquals(List.of("a", "b"), new ArrayList<>(read));
        assertTrue(((Collection<?>) Trip.read(List.of(), type)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Collection.class,
                List.class,
                Set.class,
                SortedSet.class,
                NavigableSet.class,
                Queue.class,
                Deque.class,
                BlockingQueue.class,
                BlockingDeque.class,
                TransferQueue.class,
                AbstractList.class,
                AbstractSequentialList.class
            })
    void everyInterfaceHasACollection(Class<?> type) {
        Object read = Trip.read(List.of("a", "b"), type);
        assertTrue(type.isInstance(read));
        assertEquals(List.of("a", "b"), new ArrayList<>((Collection<?>) read));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                HashMap.class,
                LinkedHashMap.class,
                TreeMap.class,
                Hashtable.class,
                WeakHashMap.class,
                IdentityHashMap.class,
                ConcurrentHashMap.class,
                ConcurrentSkipListMap.class,
                Properties.class,
                Map.class,
                SortedMap.class,
                NavigableMap.class,
                ConcurrentMap.class,
                ConcurrentNavigableMap.class,
                AbstractMap.class
            })
    void everyMapIsMade(Class<?> type) {
        Map<?, ?> read = (Map<?, ?>) Trip.read(Map.of("a", 1L), type);
        assertTrue(type.isInstance(read));
        assertEquals("{a=1}", read.toString());
    }

    @Test
    void enumsHaveTheirOwn() {
        assertEquals(EnumSet.of(Day.TUE), Trip.read(Set.of(Day.TUE), new TypeRef<EnumSet<Day>>() {}));
        EnumMap<Day, Integer> map = Trip.read(Map.of(Day.MON, 1), new TypeRef<EnumMap<Day, Integer>>() {});
        assertEquals(Map.of(Day.MON, 1), map);
    }

    @SuppressWarnings("serial")
    static class Names extends ArrayList<Optional<Day>> {}

    /** An entry that becomes another one's is the last of both, or an error at its key. */
    @Test
    void keysThatBecomeTheSameAreOne() throws Exception {
        List<Entry> cases = List.of(
                new Entry("8203a161cb4008000000000000a162", new TypeRef<Map<Double, String>>() {}, 4),
                new Entry("82cb4008000000000000a16103a162", new TypeRef<TreeMap<Long, String>>() {}, 12),
                new Entry("8203a161a133a162", new TypeRef<Map<Integer, String>>() {}, 4),
                new Entry("82a564652d4154a161a564652d6174a162", new TypeRef<Map<Locale, String>>() {}, 0),
                new Entry("82a2696401a375696402", new TypeRef<User>() {}, 5));
        for (Entry each : cases) {
            byte[] bytes = HexFormat.of().parseHex(each.hex);
            Object value = Unpacker.standard().lenient().unpack(bytes, each.type);
            if (value instanceof Map<?, ?> map) assertEquals(List.of("b"), List.copyOf(map.values()));
            else assertEquals(new User(2), value);
            Unpacker strict = Unpacker.of(
                            Options.builder().duplicateKey(DuplicateKey.ERROR).build())
                    .lenient();
            PackordException error = assertThrows(PackordException.class, () -> strict.unpack(bytes, each.type));
            assertEquals(ErrorKind.DUPLICATE_KEY + " at " + each.offset, error.kind() + " at " + error.offset());
        }
    }

    record Entry(String hex, TypeRef<?> type, long offset) {}

    record User(@Packed(aliases = "uid") long id) {}

    @SuppressWarnings("serial")
    static class Tree extends TreeMap<String, Tree> {}

    @Test
    void ownCollectionsKnowTheirElements() {
        Names names = Trip.read(Arrays.asList("MON", null), Names.class);
        assertEquals(List.of(Optional.of(Day.MON), Optional.empty()), names);
        assertEquals(
                "{a={b={}}}",
                Trip.read(Map.of("a", Map.of("b", Map.of())), Tree.class).toString());
        Trip.fails("type_mismatch", "$.a.b", "expected a map, found integer", Map.of("a", Map.of("b", 1)), Tree.class);
    }

    @Test
    void whatACollectionDoesNotHoldIsAnError() {
        Trip.fails("type_mismatch", "$", "elements cannot be kept so", Arrays.asList("a", null), ArrayDeque.class);
        Map<String, Object> nil = new HashMap<>();
        nil.put("a", null);
        Trip.fails("type_mismatch", "$", "elements cannot be kept so", nil, ConcurrentHashMap.class);
    }
}
