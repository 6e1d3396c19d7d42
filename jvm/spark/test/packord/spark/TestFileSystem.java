package packord.spark;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Files of this machine by another scheme, so that they are read and written by Hadoop. */
public final class TestFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
        return URI.create("packordtest:///");
    }

    @Override
    public String getScheme() {
        return "packordtest";
    }
}
