package packord.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import packord.Options;
import packord.StructureStore;

/**
 * The structures of a decoder: what each index means now, and which ids have two bytes ({@code spec/records.md}
 * sections 1 and 5).
 */
public final class DecoderStructures {
    private final boolean sequential;
    private final StructureStore store;
    private List<? extends List<String>> snapshot;
    private Shape[] byIndex = new Shape[64];
    private final boolean[] twoByte = new boolean[128];

    /** What each definition of the message takes to be forgotten. */
    private final List<Runnable> undo = new ArrayList<>();

    /** Makes the structures of a decoder with these options. */
    public DecoderStructures(Options options) {
        sequential = options.sequential;
        store = options.structures;
    }

    /** Returns the index of a two-byte id. */
    public static int index(int low, int high) {
        return low - 0x40 + 32 * high;
    }

    /** Begins a message; {@code newShape} makes shapes of the keys of shared structures. */
    public void begin(Function<List<String>, Shape> newShape) {
        if (store == null) return;
        List<? extends List<String>> list = store.get();
        if (list == snapshot) return;
        int first = snapshot == null ? 0 : commonPrefix(list);
        for (int i = first; i < Math.min(list.size(), Options.MAX_STRUCTURES); i++) {
            put(i, newShape.apply(list.get(i)));
            if (i >= 32) twoByte[0x60 + i % 32] = true;
        }
        snapshot = list;
    }

    private int commonPrefix(List<? extends List<String>> list) {
        int i = 0;
        while (i < Math.min(list.size(), snapshot.size()) && list.get(i).equals(snapshot.get(i))) i++;
        return i;
    }

    /** Ends a message. Its definitions are forgotten unless the stream is sequential. */
    public void end(boolean successful) {
        if (!successful || !sequential) forgetFrom(0);
        undo.clear();
    }

    /** Returns the number of definitions of the message so far. */
    public int count() {
        return undo.size();
    }

    /** Forgets the definitions of the message from a number of them on. */
    public void forgetFrom(int count) {
        for (int i = undo.size() - 1; i >= count; i--) undo.remove(i).run();
    }

    /** Forgets everything, at the end of a stream. */
    public void forget() {
        if (sequential) {
            Arrays.fill(byIndex, null);
            Arrays.fill(twoByte, false);
            snapshot = null;
        }
    }

    private void put(int index, Shape shape) {
        if (index >= byIndex.length) {
            byIndex = Arrays.copyOf(byIndex, Math.max(index + 1, byIndex.length * 2));
        }
        byIndex[index] = shape;
    }

    /** Whether ids that begin with this byte have two bytes. */
    public boolean isTwoByte(int low) {
        return twoByte[low];
    }

    /** Returns the shape of the structure with this index, or null. */
    public Shape get(int index) {
        return index < byIndex.length ? byIndex[index] : null;
    }

    /** Defines the structure of an id; {@code high} is -1 for one byte. */
    public void define(int low, int high, Shape shape) {
        int index = high < 0 ? low - 0x40 : index(low, high);
        Shape before = get(index);
        boolean wasTwoByte = twoByte[low];
        undo.add(() -> {
            put(index, before);
            twoByte[low] = wasTwoByte;
        });
        put(index, shape);
        if (low >= 0x60) twoByte[low] = high >= 0;
    }
}
