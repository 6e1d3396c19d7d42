package packord.container;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Iterates over the rows and messages of all blocks that match a predicate. */
abstract class RowIterator<T> implements Iterator<T> {
  private final Iterator<List<?>> batches;
  private Iterator<?> rows = Collections.emptyIterator();

  RowIterator(BlockCursor cursor, Bodies bodies, Predicate where) {
    batches =
        new BlockIterator<>(cursor) {
          @Override
          List<?> read(Block block) {
            byte[] body = block.body();
            if (where == null) return rows(block, body, null);
            PlainRows plain = bodies.plain(block, body);
            boolean[] isWanted = new boolean[plain.size()];
            int wanted = 0;
            for (int i = 0; i < isWanted.length; i++) {
              isWanted[i] = where.matches(plain.tape(), plain.place(i));
              if (isWanted[i]) wanted++;
            }
            if (wanted == 0) return null;
            List<?> all = rows(block, body, plain);
            if (wanted == isWanted.length) return all;
            List<Object> some = new ArrayList<>(wanted);
            for (int i = 0; i < isWanted.length; i++) if (isWanted[i]) some.add(all.get(i));
            return some;
          }
        };
  }

  /** Returns all rows of a block; {@code plain} is null if the predicate did not need it. */
  abstract List<?> rows(Block block, byte[] body, PlainRows plain);

  @Override
  public final boolean hasNext() {
    while (!rows.hasNext()) {
      if (!batches.hasNext()) return false;
      rows = batches.next().iterator();
    }
    return true;
  }

  @Override
  @SuppressWarnings("unchecked") // The rows are of the type that the subclass names.
  public final T next() {
    if (!hasNext()) throw new NoSuchElementException();
    return (T) rows.next();
  }
}
