package packord.encode;

import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Takes elements out of collections that other threads may change meanwhile. */
final class LiveElements {
    private LiveElements() {}

    /** Begins a pass, and throws an error where the collection is changing. */
    static Iterator<?> iterator(Iterable<?> all, Encoder encoder) {
        try {
            return all.iterator();
        } catch (NullPointerException exception) {
            throw cause(all, encoder, exception);
        }
    }

    /** Whether there is another element. A collection that another thread changes has none. */
    static boolean hasNext(Iterator<?> all) {
        try {
            return all.hasNext();
        } catch (ConcurrentModificationException changed) {
            return false;
        }
    }

    /** Returns the next element, and an error where the collection has changed meanwhile. */
    static Object next(Iterator<?> all, Encoder encoder) {
        try {
            return all.next();
        } catch (ConcurrentModificationException | NoSuchElementException exception) {
            throw encoder.changed();
        } catch (NullPointerException exception) {
            throw cause(all, encoder, exception);
        }
    }

    /** From LinkedList while another thread clears it; from elsewhere it has another meaning. */
    private static RuntimeException cause(Object all, Encoder encoder, NullPointerException exception) {
        return all.getClass().getName().startsWith("java.util.") ? encoder.changed() : exception;
    }

    /** Returns the element at an index, and an error if there is none any more. */
    static Object get(List<?> list, int index, Encoder encoder) {
        try {
            return list.get(index);
        } catch (IndexOutOfBoundsException exception) {
            throw encoder.changed();
        }
    }
}
