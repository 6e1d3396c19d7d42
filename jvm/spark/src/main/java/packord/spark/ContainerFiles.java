package packord.spark;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import packord.spark.FilePartition.Slice;

/** The files that a table consists of. */
final class ContainerFiles {
    /** The suffix of the files that are read of a folder. */
    static final String SUFFIX = ".pkd";

    /**
     * A file, as it was when the folder was listed.
     *
     * @param path with the scheme of its file system
     * @param size in bytes
     */
    record File(String path, long size) implements Serializable {}

    final FileOpener opener;
    final List<File> list;

    /** The number of rows and messages that the indexes name; empty if it is not known. */
    OptionalLong rows = OptionalLong.empty();

    private ContainerFiles(FileOpener opener, List<File> list) {
        this.opener = opener;
        this.list = list;
    }

    /**
     * Finds the files: those of a pattern, and in a folder those with the suffix, in folders within it too. Names that
     * begin with {@code _} or {@code .} are left out. Throws FileNotFoundException if there is nothing at a path.
     */
    static ContainerFiles of(FileOpener opener, SourceOptions options) throws IOException {
        List<File> files = new ArrayList<>();
        if (options.paths().isEmpty()) throw new IllegalArgumentException("a path is needed: load(path)");
        for (String name : options.paths()) {
            Path pattern = new Path(name);
            FileSystem system = opener.fileSystem(pattern);
            FileStatus[] found = system.globStatus(system.makeQualified(pattern));
            if (found == null || found.length == 0) throw new FileNotFoundException("there is no file " + name);
            for (FileStatus each : found) {
                if (each.isDirectory()) addFolder(system, each.getPath(), files);
                else files.add(new File(each.getPath().toString(), each.getLen()));
            }
        }
        files.sort(Comparator.comparing(File::path));
        return new ContainerFiles(opener, files);
    }

    private static void addFolder(FileSystem system, Path folder, List<File> files) throws IOException {
        for (FileStatus each : system.listStatus(folder)) {
            String name = each.getPath().getName();
            if (name.startsWith("_") || name.startsWith(".")) continue;
            if (each.isDirectory()) addFolder(system, each.getPath(), files);
            else if (name.endsWith(SUFFIX)) files.add(new File(each.getPath().toString(), each.getLen()));
        }
    }

    /** Returns all files as a whole. */
    List<Slice> slices() {
        return list.stream().map(file -> new Slice(file.path(), 0, file.size())).toList();
    }

    /** Returns the size of all files, in bytes. */
    long size() {
        return list.stream().mapToLong(File::size).sum();
    }
}
