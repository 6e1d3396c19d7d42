package packord.container;

import java.util.ArrayList;
import java.util.List;

/** Divides a file into splits: {@code spec/container.md} section 5. */
final class Splits {
    private Splits() {}

    /** Returns {@code wanted} splits of a file of {@code size} bytes, or fewer. */
    static List<Split> of(int wanted, ContainerIndex index, long size) {
        if (wanted < 1) throw new IllegalArgumentException("splits " + wanted);
        List<Split> splits = new ArrayList<>();
        long from = 0;
        for (int i = 1; i <= wanted; i++) {
            // In two steps, because a file may be large.
            long to = size / wanted * i + size % wanted * i / wanted;
            if (index != null) to = i == wanted ? size : index.markFrom(to, size);
            boolean isEmpty = index == null ? to <= from : index.markFrom(from, size) >= to;
            if (!isEmpty) splits.add(new Split(from, to));
            from = Math.max(from, to);
        }
        return splits;
    }
}
