package packord.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * Writes a table to a folder: each task one file, in a folder of its own within it. When all are there, the files are
 * moved, and with overwriting those of before deleted.
 */
final class PackordWrite implements WriteBuilder, SupportsTruncate, Write, BatchWrite {
    private final StructType schema;
    private final SourceOptions options;
    private final FileOpener opener;
    private final Path folder;
    private final Path unfinished;
    private boolean isOverwriting;

    PackordWrite(LogicalWriteInfo info, SourceOptions options, FileOpener opener) {
        schema = info.schema();
        this.options = options;
        this.opener = opener;
        folder = new Path(options.folder());
        unfinished = new Path(folder, "_packord-" + info.queryId());
        new RowPacker(schema); // Types that cannot be written are refused before anything runs.
    }

    @Override
    public WriteBuilder truncate() {
        isOverwriting = true;
        return this;
    }

    @Override
    public Write build() {
        return this;
    }

    @Override
    public BatchWrite toBatch() {
        return this;
    }

    @Override
    public String description() {
        return "packord " + folder;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        return new WriterFactory(schema, options, opener, unfinished.toString());
    }

    /**
     * The file of a task.
     *
     * @param name within the folder of unfinished files; null if the task had no rows
     */
    record Written(String name) implements WriterCommitMessage {}

    @Override
    public void commit(WriterCommitMessage[] messages) {
        try {
            FileSystem files = opener.fileSystem(folder);
            files.mkdirs(folder);
            List<Path> before = isOverwriting ? containerFiles(files) : List.of();
            for (WriterCommitMessage message : messages) {
                String name = message == null ? null : ((Written) message).name;
                if (name == null) continue;
                if (!files.rename(new Path(unfinished, name), new Path(folder, name))) {
                    throw new IOException("cannot move " + name + " to " + folder);
                }
            }
            for (Path file : before) files.delete(file, false);
            files.delete(unfinished, true);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private List<Path> containerFiles(FileSystem files) throws IOException {
        List<Path> found = new ArrayList<>();
        for (FileStatus each : files.listStatus(folder)) {
            String name = each.getPath().getName();
            boolean isRead = !name.startsWith("_") && !name.startsWith(".") && name.endsWith(ContainerFiles.SUFFIX);
            if (isRead && each.isFile()) found.add(each.getPath());
        }
        return found;
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        try {
            opener.fileSystem(unfinished).delete(unfinished, true);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }
}
