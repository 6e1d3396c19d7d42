package packord;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where the list of shared record structures lives ({@code spec/records.md} section 5): a list of lists of keys that
 * only grows, which both writer and reader hold.
 *
 * <p>A writer reads it when a message begins and, when the message has added to it, stores the longer list with
 * {@link #compareAndSet}; if another writer was faster, the message is written again. The lists handed over must not be
 * changed afterwards.
 */
public interface StructureStore {
    /** The list as it is now. */
    List<? extends List<String>> get();

    /**
     * Replaces the list by a longer one if it is still {@code expected}, the very object that {@link #get} returned.
     */
    boolean compareAndSet(List<? extends List<String>> expected, List<List<String>> longer);

    /** A store in memory. */
    static StructureStore of(List<? extends List<String>> initial) {
        AtomicReference<List<? extends List<String>>> list = new AtomicReference<>(initial);
        return new StructureStore() {
            @Override
            public List<? extends List<String>> get() {
                return list.get();
            }

            @Override
            public boolean compareAndSet(List<? extends List<String>> expected, List<List<String>> longer) {
                return list.compareAndSet(expected, longer);
            }
        };
    }
}
