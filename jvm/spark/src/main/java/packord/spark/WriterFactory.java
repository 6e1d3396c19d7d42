package packord.spark;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import packord.container.ContainerWriter;

/** Makes the writers of tasks; Spark sends it to the executors. */
record WriterFactory(StructType schema, SourceOptions options, FileOpener opener, String folder)
        implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long task) {
        String name = String.format("part-%05d-%d-%s%s", partition, task, UUID.randomUUID(), ContainerFiles.SUFFIX);
        return new TaskWriter(name);
    }

    /** Writes one file, once there is a row. */
    private final class TaskWriter implements DataWriter<InternalRow> {
        private final String name;
        private final RowPacker packer = new RowPacker(schema);
        private ContainerWriter writer;

        TaskWriter(String name) {
            this.name = name;
        }

        private Path path() {
            return new Path(folder, name);
        }

        @Override
        public void write(InternalRow row) throws IOException {
            if (writer == null) {
                FileSystem files = opener.fileSystem(path());
                writer = ContainerWriter.of(files.create(path(), false), options.writeOptions());
            }
            writer.write(packer.value(row));
        }

        @Override
        public WriterCommitMessage commit() throws IOException {
            if (writer == null) return new PackordWrite.Written(null);
            writer.finish();
            close();
            return new PackordWrite.Written(name);
        }

        @Override
        public void abort() throws IOException {
            close();
            opener.fileSystem(path()).delete(path(), false);
        }

        @Override
        public void close() throws IOException {
            ContainerWriter open = writer;
            writer = null;
            if (open != null) open.close();
        }
    }
}
