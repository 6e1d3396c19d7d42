package packord.container;

import java.util.Iterator;
import java.util.NoSuchElementException;
import packord.PackordException;

/** Iterates over what is made of each block, unless that is null. */
abstract class BlockIterator<T> implements Iterator<T> {
    private final BlockCursor cursor;
    private T next;

    BlockIterator(BlockCursor cursor) {
        this.cursor = cursor;
    }

    /** Returns what is made of a block, or null for nothing. */
    abstract T read(Block block);

    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                Block block = cursor.next();
                if (block == null) return false;
                try {
                    next = read(block);
                } catch (RuntimeException error) {
                    cursor.refuse(block, PackordException.of(error));
                }
            }
            return true;
        } catch (FileInput.NotYet later) {
            return false;
        }
    }

    @Override
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        T result = next;
        next = null;
        return result;
    }
}
