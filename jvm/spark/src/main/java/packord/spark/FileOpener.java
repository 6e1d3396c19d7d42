package packord.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import packord.PackordException;
import packord.container.ContainerReader;
import packord.container.ReadOptions;

/** Opens files of this machine, and by Hadoop those of all its file systems, on the driver and on executors. */
record FileOpener(SerializableConfiguration configuration) implements Serializable {
    /** Makes one with the configuration of the session, in which the options of a table have the last word. */
    static FileOpener of(Map<String, String> options) {
        Configuration configuration =
                new Configuration(SparkSession.active().sparkContext().hadoopConfiguration());
        options.forEach((name, value) -> {
            if (name.startsWith("fs.") || name.startsWith("dfs.")) configuration.set(name, value);
        });
        return new FileOpener(new SerializableConfiguration(configuration));
    }

    FileSystem fileSystem(Path path) throws IOException {
        return path.getFileSystem(configuration.value());
    }

    /** Opens a container file. Throws IOException of the file, also for a header that is faulty. */
    ContainerReader open(String path, ReadOptions options) throws IOException {
        try {
            return ContainerReader.of(channel(new Path(path)), options);
        } catch (PackordException error) {
            throw faulty(path, error);
        }
    }

    private SeekableByteChannel channel(Path path) throws IOException {
        if ("file".equals(path.toUri().getScheme())) {
            // Without the checksum files that Hadoop looks for.
            return FileChannel.open(java.nio.file.Path.of(path.toUri().getPath()), StandardOpenOption.READ);
        }
        FileSystem files = fileSystem(path);
        return new HadoopChannel(files.open(path), files.getFileStatus(path).getLen());
    }

    /** Returns an exception that names the file. */
    static IOException faulty(String path, RuntimeException error) {
        return new IOException(path + ": " + error.getMessage(), error);
    }
}
