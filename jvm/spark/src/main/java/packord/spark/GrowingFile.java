package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import packord.ErrorKind;
import packord.PackordException;
import packord.container.Block;
import packord.container.ContainerIndex;
import packord.container.ContainerReader;
import packord.container.ReadOptions;
import packord.container.Split;

/** Files that may still be written: what is not whole at their end is read later. */
final class GrowingFile {
    private GrowingFile() {}

    /**
     * Opens a file: by its index if it is finished, else as one that grows. Throws IOException of the file, also for a
     * header that is faulty or not whole.
     */
    static ContainerReader open(FileOpener opener, String path, ReadOptions.Builder reading) throws IOException {
        ContainerReader reader = opener.open(path, reading.build());
        if (reader.index() != null) return reader;
        reader.close();
        return opener.open(path, reading.follow(Duration.ZERO).build());
    }

    /**
     * Returns where the last whole block ends. Blocks are looked for from {@code begin}: 0 or an earlier result, which
     * is returned if there is none. The first is always taken, others up to {@code room} bytes. Throws IOException of
     * the file, also if it is faulty.
     */
    static long end(FileOpener opener, String path, SourceOptions options, long begin, long room) throws IOException {
        ReadOptions.Builder reading = options.reading().split(new Split(begin, Long.MAX_VALUE));
        long most = room > Long.MAX_VALUE - begin ? Long.MAX_VALUE : begin + room;
        long end = begin;
        try (ContainerReader reader = open(opener, path, reading)) {
            if (reader.index() != null) {
                for (ContainerIndex.Entry entry : reader.index().entries()) {
                    long next = entry.offset() + entry.size();
                    if (entry.offset() >= begin && (end == begin || next <= most)) end = next;
                }
                return end;
            }
            for (Iterator<Block> blocks = reader.blocks(); blocks.hasNext(); ) {
                Block block = blocks.next();
                long next = block.offset() + block.size();
                if (end > begin && next > most) return end;
                end = next;
            }
            return end;
        } catch (PackordException error) {
            throw FileOpener.faulty(path, error);
        } catch (UncheckedIOException exception) {
            throw exception.getCause();
        } catch (IOException exception) {
            boolean isCut = exception.getCause() instanceof PackordException error && error.kind() == ErrorKind.EOF;
            if (begin == 0 && isCut) return 0;
            throw exception;
        }
    }
}
