package packord.ext;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Set;

/** The elements of a set, which no extension takes for the set itself. */
public final class Elements extends AbstractCollection<Object> {
    private final Set<?> set;

    public Elements(Set<?> set) {
        this.set = set;
    }

    @Override
    @SuppressWarnings("unchecked") // Nothing is added by way of an iterator.
    public Iterator<Object> iterator() {
        return (Iterator<Object>) set.iterator();
    }

    @Override
    public int size() {
        return set.size();
    }
}
