package packord;

import clojure.lang.IExceptionInfo;
import clojure.lang.IPersistentMap;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;

/**
 * A {@link PackordException} that {@code ex-data} works on. The map has {@code :type} ({@code :packord/error}),
 * {@code :kind} (for example {@code :invalid-utf8}), {@code :path}, and when reading {@code :offset}.
 */
public final class ClojureException extends PackordException implements IExceptionInfo {
    private static final long serialVersionUID = 1L;

    /** Makes an error; see {@link PackordException}. */
    public ClojureException(ErrorKind kind, long offset, String detail, Object culprit, Throwable cause) {
        super(kind, offset, detail, culprit, cause);
    }

    @Override
    public IPersistentMap getData() {
        IPersistentMap data = PersistentArrayMap.createAsIfByAssoc(new Object[] {
            Keyword.intern("type"), Keyword.intern("packord", "error"),
            Keyword.intern("kind"), Keyword.intern(kind().id().replace('_', '-')),
            Keyword.intern("path"), path()
        });
        return offset() < 0 ? data : data.assoc(Keyword.intern("offset"), offset());
    }
}
