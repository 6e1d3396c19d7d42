package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import packord.TypeRef;

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
