package packord;

import clojure.lang.ExceptionInfo;
import clojure.lang.IPersistentMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;

/**
 * What is thrown for a {@link PackordException} in Clojure: an {@code ExceptionInfo}. Its data are {@code :type}
 * ({@code :packord/error}), {@code :kind} (for example {@code :invalid-utf8}), {@code :path}, and when reading
 * {@code :offset}.
 */
public final class ClojureException extends ExceptionInfo implements PackordException.InPlace {
    private static final long serialVersionUID = 1L;

    private final PackordException error;

    /** Makes an error; see {@link PackordException}. */
    public ClojureException(ErrorKind kind, long offset, String detail, Object culprit, Throwable cause) {
        super(null, PersistentArrayMap.EMPTY, cause);
        error = new PackordException(kind, offset, detail, culprit, cause, this);
    }

    @Override
    public PackordException error() {
        return error;
    }

    @Override
    public String getMessage() {
        return error.getMessage();
    }

    @Override
    public IPersistentMap getData() {
        IPersistentMap data = PersistentArrayMap.createAsIfByAssoc(new Object[] {
            Keyword.intern("type"), Keyword.intern("packord", "error"),
            Keyword.intern("kind"), Keyword.intern(error.kind().id().replace('_', '-')),
            Keyword.intern("path"), error.path()
        });
        return error.offset() < 0 ? data : data.assoc(Keyword.intern("offset"), error.offset());
    }

    @Override
    public String toString() {
        return getClass().getName() + ": " + getMessage();
    }
}
