import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import packord.container.ContainerLockedException;
import packord.container.ContainerWriter;
import packord.container.WriteOptions;

/** Writes a container file until it is killed, and prints the number of rows after each flush. */
class KilledWriter {
    private KilledWriter() {}

    /** The arguments are a file, a codec, the rows of a block, and those of the file. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int blockRows = Integer.parseInt(args[2]);
        int rows = Integer.parseInt(args[3]);
        WriteOptions options =
                WriteOptions.builder().codec(args[1]).blockRows(blockRows).build();
        try {
            ContainerWriter writer = ContainerWriter.create(Path.of(args[0]), options);
            for (int i = 0; i < rows; i++) {
                writer.write(Map.of("id", i, "text", "row " + i));
                if (i % (3 * blockRows) == 0) {
                    writer.flush();
                    System.out.println(writer.count());
                }
            }
            Thread.sleep(Long.MAX_VALUE);
        } catch (ContainerLockedException locked) {
            System.out.println("locked");
        }
    }
}
