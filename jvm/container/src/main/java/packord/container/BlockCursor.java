package packord.container;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import packord.ErrorKind;
import packord.PackordException;

/**
 * Goes from block to block of a file: by the index, or by the marks. It leaves out what the split and the predicates
 * leave out, and what is damaged where that is needed. For one thread.
 */
final class BlockCursor {
    /** Of how many ranges that are passed over each is kept. */
    private static final int MOST_RANGES = 10_000;

    private static final long WORK_PER_BYTE = 64;
    private static final long WORK_PER_BLOCK = 16;
    private static final long LEAST_WORK = 64L << 20;

    private final FileInput in;
    private final Mark mark;
    private final BlockReader blocks;
    private final ContainerIndex index;
    private final ReadOptions options;
    private final List<DamagedRange> damaged;
    private final boolean isLazy;
    private final long from;
    private final long to;

    /** The next entry of the index, or without it the offset of what comes next. */
    private int entry;

    private long pos;
    private boolean isSought;

    /** Whether a search has come to the end of the file and found no mark that counts. */
    private boolean isExhausted;

    /**
     * The bytes that searches have passed, with those of blocks that were returned; and those that were read for marks
     * and for blocks whose body is at fault.
     */
    private long searched;

    private long spent;

    /** What is to be passed over, where it begins, and where it ends; -1 where a search is to tell that. */
    private PackordException fault;

    private long faultAt;
    private long faultEnd;

    /** The number of the next block in the file from 0, or -1 if that is not known. */
    private long number;

    /** Whether a search has found what comes next. */
    private boolean isFound;

    private boolean ended;

    /** Makes a cursor; {@code isLazy} is that of {@link BlockReader#read}. */
    BlockCursor(
            FileInput in,
            ContainerHeader header,
            Mark mark,
            BlockReader blocks,
            ContainerIndex index,
            ReadOptions options,
            List<DamagedRange> damaged,
            boolean isLazy) {
        this.in = in;
        this.isLazy = isLazy;
        this.mark = mark;
        this.blocks = blocks;
        this.index = index;
        this.options = options;
        this.damaged = damaged;
        from = options.split == null ? 0 : options.split.from();
        to = options.split == null ? Long.MAX_VALUE : options.split.to();
        pos = Math.max(from, header.size());
        isSought = from <= header.size();
        number = isSought ? 0 : -1;
        entry = index == null ? 0 : index.firstFrom(from);
    }

    /**
     * Returns the next block, or null at the end. Throws PackordException where the file is at fault and damage is not
     * passed over; it ends the reading. Throws FileInput.NotYet where it may go on later.
     */
    Block next() {
        while (!ended) {
            if (fault != null) {
                pass();
                continue;
            }
            long start = index == null ? pos : -1;
            try {
                Block block = index != null ? byIndex() : byMarks();
                if (block != null) return block;
            } catch (RuntimeException thrown) {
                PackordException error = PackordException.of(thrown);
                if (index == null) {
                    note(start, -1, error);
                } else {
                    ContainerIndex.Entry last = index.entries().get(entry - 1);
                    note(last.offset(), last.offset() + last.size(), error);
                }
            }
        }
        return null;
    }

    /** Notes that the body of a block that was returned is at fault, or throws the error. */
    void refuse(Block block, PackordException error) {
        long end = block.offset() + block.size();
        if (index == null && block.isDamaged) {
            // Its checksum was compared after all. Each such block can be in the data of another.
            searched -= block.size();
            spent += block.size();
            end = -1;
        }
        note(block.offset(), end, error);
    }

    private void note(long start, long end, PackordException error) {
        if (!options.skipDamaged) {
            ended = true;
            throw error.thrown();
        }
        fault = error;
        faultAt = start;
        faultEnd = end;
    }

    /** Passes over what is at fault. */
    private void pass() {
        if (faultEnd < 0) {
            go(search(Math.max(faultAt + 1, in.earliest()), Long.MAX_VALUE));
            faultEnd = ended ? in.end() : pos;
        }
        passed(new DamagedRange(faultAt, faultEnd, fault));
        fault = null;
    }

    private void passed(DamagedRange range) {
        int last = damaged.size() - 1;
        if (last < MOST_RANGES) damaged.add(range);
        else damaged.set(last, damaged.get(last).to(range.to()));
    }

    /** Goes to a mark that a search has found, or to the end if it has found none. */
    private void go(long found) {
        isFound = true;
        number = -1;
        if (found < 0) ended = true;
        else pos = found;
    }

    // ---------------------------------------------------------------- with an index

    private Block byIndex() {
        if (entry == index.entries().size() || index.entries().get(entry).offset() >= to) {
            ended = true;
            return null;
        }
        ContainerIndex.Entry listed = index.entries().get(entry++);
        Map<String, PathStatistics> statistics = listed.statistics();
        for (Predicate predicate : Arrays.asList(options.where, options.prune)) {
            if (predicate != null && predicate.skips(listed.count(), statistics)) return null;
        }
        long at = listed.offset();
        in.keepFrom(at);
        Block block = mark.isAt(in, at) ? blocks.listed(at, listed.size(), listed.count(), entry - 1, isLazy) : null;
        if (block == null) {
            throw in.fault(
                    ErrorKind.INVALID_CONTAINER,
                    index.offset(),
                    "the index has a block at " + at + " that is not there",
                    null);
        }
        block.statistics = statistics;
        return block;
    }

    // ---------------------------------------------------------------- without one

    private Block byMarks() {
        if (!isSought) {
            go(search(pos, to));
            isSought = true;
            return null;
        }
        in.keepFrom(pos);
        switch (mark.find(in, pos)) {
            case END:
                ended = true;
                return null;
            case TRAILER:
                pos += Mark.TRAILER_SIZE;
                isFound = false;
                return null;
            default:
        }
        if (pos >= to) {
            // The reader of the next split starts with a search and would miss a fault here.
            if (!isFound) blocks.check(pos);
            ended = true;
            return null;
        }
        Block block = blocks.read(pos, number, isLazy);
        pos = blocks.end;
        isFound = false;
        if (block == null) return null;
        if (number >= 0) number++;
        searched += block.size();
        return block;
    }

    // ---------------------------------------------------------------- searching

    /**
     * Returns the offset of the next mark that counts, else that of a block that the end of the file cuts, or -1; of
     * marks at {@code limit} or after it the first one. Throws PackordException of kind {@code length_limit} when marks
     * and blocks at fault take too long.
     */
    private long search(long start, long limit) {
        long cut = -1;
        long from = start;
        while (true) {
            long at = mark.search(in, from, cut < 0 ? Long.MAX_VALUE : cut);
            if (at < 0) break;
            if (at >= limit && cut < 0) return at;
            boolean counts = true;
            try {
                blocks.check(at);
            } catch (RuntimeException error) {
                boolean isCut = PackordException.of(error).kind() == ErrorKind.EOF && !blocks.isIndex;
                counts = false;
                if (isCut && cut < 0 && at >= in.earliest()) cut = at;
                // It is all that is left if an earlier search has found nothing that counts.
                if (isExhausted && cut >= 0) return cut;
            }
            spend(at, at - from, blocks.taken());
            if (counts) return at;
            from = Math.max(at + 1, in.earliest());
        }
        isExhausted = true;
        return cut < in.earliest() ? -1 : cut;
    }

    /** Bounds the work for false marks, each of which may be followed by a large block. */
    private void spend(long at, long passed, long read) {
        searched += passed;
        spent += read;
        if (spent > WORK_PER_BYTE * searched + Math.max(WORK_PER_BLOCK * options.maxBlock, LEAST_WORK)) {
            ended = true;
            throw in.fault(ErrorKind.LENGTH_LIMIT, at, "too many marks that no block follows", null);
        }
    }
}
