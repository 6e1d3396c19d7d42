package packord.container;

import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import packord.TypeRef;

/** Iterates over the rows and messages of all blocks that match a predicate, with the keys that are selected. */
final class RowIterator<T> implements Iterator<T> {
    private final BodyReader bodies;
    private final Predicate where;
    private final Set<String> select;
    private final boolean isPacked;
    private final TypeRef<?> type;
    private final Iterator<List<?>> batches;
    private Iterator<?> rows = Collections.emptyIterator();

    /** The rows are packed, or else values; {@code type} is that of each, or null. */
    RowIterator(BlockCursor cursor, BodyReader bodies, ReadOptions options, boolean isPacked, TypeRef<?> type) {
        this.bodies = bodies;
        this.isPacked = isPacked;
        this.type = type;
        where = options.where;
        select = options.select;
        batches = new BlockIterator<>(cursor, this::rowsOf);
    }

    private List<?> rowsOf(Block block) {
        BlockBody body = bodies.body(block);
        if (where == null && select == null) return all(block, body, null);
        BodyColumns stored = block.hasRows() ? bodies.stored(block, body) : null;
        boolean isByKey = stored != null && stored.areByKey() && (where == null || where.keys != null);
        return isByKey ? some(block, body, stored) : some(block, body, bodies.plain(block, body));
    }

    /** Returns all rows of a block with all keys; {@code plain} is null if nobody needed it. */
    private List<?> all(Block block, BlockBody body, BodyRows plain) {
        if (!isPacked) return bodies.values(block, body, type);
        return (plain == null ? bodies.plain(block, body) : plain).rows().packed();
    }

    /** Returns rows of a block that are packed. */
    private List<?> of(Block block, BlockColumn packed) {
        return isPacked ? packed.packed() : bodies.values(block, packed, type);
    }

    /** Reads what the predicate needs first, and the keys that are selected only if a row matches. */
    private List<?> some(Block block, BlockBody body, BodyColumns stored) {
        if (where == null) return of(block, bodies.packed(block, stored, select));
        BitSet wanted = where.matches(bodies.packed(block, stored, where.keys), false);
        if (wanted.isEmpty()) return null;
        List<?> all = select == null ? all(block, body, null) : of(block, bodies.packed(block, stored, select));
        return filtered(all, wanted);
    }

    private List<?> some(Block block, BlockBody body, BodyRows plain) {
        BitSet wanted = new BitSet();
        for (int i = 0; i < plain.size(); i++) {
            if (where == null || where.matches(plain.tape, plain.place(i))) wanted.set(i);
        }
        if (wanted.isEmpty()) return null;
        return filtered(select == null ? all(block, body, plain) : of(block, plain.rows(select)), wanted);
    }

    private static List<?> filtered(List<?> all, BitSet wanted) {
        return wanted.stream().mapToObj(all::get).collect(Collectors.toList());
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext()) {
            if (!batches.hasNext()) return false;
            rows = batches.next().iterator();
        }
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // The rows are packed, or of the type.
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        return (T) rows.next();
    }
}
