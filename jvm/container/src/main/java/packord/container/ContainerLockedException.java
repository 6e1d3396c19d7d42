package packord.container;

import java.io.IOException;

/** Another writer, of this program or of another one, has the file. */
public final class ContainerLockedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Makes an error. */
    public ContainerLockedException(String file, Throwable cause) {
        super("another writer has " + file, cause);
    }
}
