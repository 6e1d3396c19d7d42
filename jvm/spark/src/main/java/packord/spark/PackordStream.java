package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxBytes;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import packord.spark.FilePartition.Slice;

/**
 * Reads the blocks of the files of a folder as they are written. Files only ever grow, so two offsets always name the
 * same blocks, and a query that begins again at its checkpoint reads each of them once.
 */
final class PackordStream implements MicroBatchStream, SupportsTriggerAvailableNow {
    private final SourceOptions options;
    private final FileOpener opener;
    private final PartitionReaderFactory readers;

    /** The size of each file when no block after its last one was found. */
    private final Map<String, Long> sizes = new HashMap<>();

    /** Where the query ends, or null if it does not. */
    private StreamOffset last;

    PackordStream(SourceOptions options, FileOpener opener, PartitionReaderFactory readers) {
        this.options = options;
        this.opener = opener;
        this.readers = readers;
    }

    @Override
    public Offset initialOffset() {
        return new StreamOffset(Map.of());
    }

    @Override
    public Offset deserializeOffset(String json) {
        return StreamOffset.of(json);
    }

    @Override
    public ReadLimit getDefaultReadLimit() {
        long most = options.maxBytesPerTrigger();
        return most > 0 ? ReadLimit.maxBytes(most) : ReadLimit.allAvailable();
    }

    @Override
    public Offset latestOffset() {
        return latestOffset(initialOffset(), ReadLimit.allAvailable());
    }

    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        StreamOffset from = (StreamOffset) start;
        long room = limit instanceof ReadMaxBytes most ? most.maxBytes() : Long.MAX_VALUE;
        Map<String, Long> ends = new HashMap<>();
        try {
            for (ContainerFiles.File file : ContainerFiles.of(opener, options).list) {
                long begin = from.end(file.path());
                long end = room > 0 ? end(file, begin, room) : begin;
                if (end > 0) ends.put(file.path(), end);
                room -= end - begin;
            }
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        return new StreamOffset(ends);
    }

    private long end(ContainerFiles.File file, long begin, long room) throws IOException {
        boolean isLast = last != null && last.end(file.path()) <= begin;
        if (isLast || sizes.getOrDefault(file.path(), -1L) == file.size()) return begin;
        long end = GrowingFile.end(opener, file.path(), options, begin, room);
        if (end == begin) sizes.put(file.path(), file.size());
        return last == null ? end : Math.min(end, last.end(file.path()));
    }

    @Override
    public void prepareForTriggerAvailableNow() {
        last = (StreamOffset) latestOffset();
        sizes.clear();
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        StreamOffset from = (StreamOffset) start;
        List<Slice> slices = new ArrayList<>();
        ((StreamOffset) end).ends.forEach((path, to) -> {
            if (to > from.end(path)) slices.add(new Slice(path, from.end(path), to));
        });
        return Partitions.of(slices, options);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return readers;
    }

    @Override
    public void commit(Offset end) {}

    @Override
    public void stop() {}
}
