package packord.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark sends to its executors is what they can read. */
@Tag("engines")
class ClusterTest {
    @TempDir
    Path folder;

    @Test
    void twoExecutorsReadAndWriteATable() throws IOException, InterruptedException {
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(System.getProperty("packord.opens").split(" ")));
        command.addAll(List.of("-Xmx512m", "-cp", classPath, ClusterProgram.class.getName(), folder.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.directory(folder.toFile());
        builder.environment().put("SPARK_HOME", home(classPath).toString());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        assertEquals("executors 2\nrows 5000\ngroups 7\n", out);
    }

    /** Makes the folder from which the workers start executors: it has the jars of Spark. */
    private Path home(String classPath) throws IOException {
        Path jars = Files.createDirectories(folder.resolve("home/jars"));
        for (String entry : classPath.split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar")) Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
        }
        return jars.getParent();
    }
}
