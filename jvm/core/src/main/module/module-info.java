/**
 * MessagePack for Clojure and Java. Everything outside the package that all may use is internal.
 *
 * <p>Clojure is needed only by programs that use it.
 */
@SuppressWarnings({"module", "requires-automatic"})
module packord {
    requires static clojure;
    requires static java.sql;

    exports packord;
    exports packord.columns to
            packord.container;
    exports packord.decode to
            packord.container,
            packord.jackson;
    exports packord.encode to
            packord.container,
            packord.jackson;
    exports packord.ext to
            packord.connect;
    exports packord.wire to
            packord.container,
            packord.spark;
}
