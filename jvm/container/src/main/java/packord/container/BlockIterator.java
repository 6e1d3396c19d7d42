package packord.container;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import packord.PackordException;

/** Iterates over what is made of each block, unless that is null. */
final class BlockIterator<T> implements Iterator<T> {
    private final BlockCursor cursor;
    private final Function<Block, T> read;
    private T next;

    BlockIterator(BlockCursor cursor, Function<Block, T> read) {
        this.cursor = cursor;
        this.read = read;
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                Block block = cursor.next();
                if (block == null) return false;
                try {
                    next = read.apply(block);
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
