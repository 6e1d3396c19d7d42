package packord.encode;

import clojure.lang.AFn;
import clojure.lang.BigInt;
import clojure.lang.Counted;
import clojure.lang.Cycle;
import clojure.lang.IDeref;
import clojure.lang.IFn;
import clojure.lang.IKVReduce;
import clojure.lang.IPersistentMap;
import clojure.lang.ISeq;
import clojure.lang.Iterate;
import clojure.lang.Keyword;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentVector;
import clojure.lang.Ratio;
import clojure.lang.Symbol;
import java.util.Map;
import packord.ClojureException;
import packord.ErrorKind;
import packord.KeywordMode;
import packord.Options;

/** Writes Clojure's data: an {@link Encoder} that tells the common classes apart by identity. */
public final class ClojureEncoder extends Encoder {
    /** The ext type of values with a name: {@code spec/extensions.md} section 2.1. */
    private static final int NAMED_VALUE = 94;

    private final IFn keyFn;
    private final boolean namedKeys;
    private final boolean stringsApart;
    private final boolean repeatsKeys;

    public ClojureEncoder(Options options, IFn keyFn, KeywordMode keys, boolean repeatsKeys) {
        super(options);
        this.repeatsKeys = repeatsKeys;
        this.keyFn = keyFn;
        this.namedKeys = keys != KeywordMode.VALUES || extensions == null;
        this.stringsApart = keys == KeywordMode.EXACT;
    }

    @Override
    RuntimeException error(ErrorKind kind, String detail, Object culprit, Throwable cause) {
        return new ClojureException(kind, -1, detail, culprit, cause);
    }

    /** Of Clojure's own classes, seqs that are not counted may have a rest that is made by a function. */
    @Override
    boolean isOfProgram(Class<?> type) {
        return !type.getPackageName().equals("clojure.lang")
                || ISeq.class.isAssignableFrom(type) && !Counted.class.isAssignableFrom(type);
    }

    /** A function of the program may make two keys the same. */
    @Override
    boolean mayRepeat(Object[] kv, int count) {
        return !repeatsKeys && (keyFn != null || super.mayRepeat(kv, count));
    }

    @Override
    public void write(Object value) {
        if (value == null) {
            nil();
            return;
        }
        Class<?> type = value.getClass();
        if (extensions != null && packedByExtension(value, type)) return;
        if (type == String.class) {
            str((String) value);
        } else if (type == Long.class) {
            integer((Long) value);
        } else if (type == PersistentArrayMap.class) {
            if (keysFirst) map((PersistentArrayMap) value);
            else arrayMap((PersistentArrayMap) value);
        } else if (type == PersistentVector.class) {
            vector((PersistentVector) value);
        } else if (type == PersistentHashMap.class) {
            map((PersistentHashMap) value);
        } else if (type == Boolean.class) {
            bool((Boolean) value);
        } else if (type == Double.class) {
            float64OrSmaller((Double) value);
        } else if (type == Keyword.class) {
            keyword((Keyword) value);
        } else if (type == Iterate.class || type == Cycle.class) {
            throw refused("a seq without an end");
        } else {
            writeCommon(value, type);
        }
    }

    @Override
    void number(Number value) {
        if (value instanceof BigInt) bigInteger(((BigInt) value).toBigInteger());
        else if (value instanceof Ratio) throw refused("a ratio without the option " + option("rich"));
        else super.number(value);
    }

    @Override
    String option(String name) {
        return ":" + name;
    }

    @Override
    String text(Object value) {
        if (value instanceof Keyword) return KeywordBytes.name((Keyword) value);
        return value instanceof Symbol ? value.toString() : super.text(value);
    }

    /** Functions and references have getters too, and are not written by them. */
    @Override
    Object formOf(Object value) {
        if (value instanceof IFn || value instanceof IDeref) throw unsupported(value);
        return super.formOf(value);
    }

    private void vector(PersistentVector vector) {
        enter(vector);
        int size = vector.count();
        arrayHeader(size);
        for (int i = 0; i < size; ) {
            Object[] chunk = vector.arrayFor(i);
            int some = Math.min(size - i, chunk.length);
            elements(chunk, some, vector, i);
            i += some;
        }
        leave();
    }

    private Object mapped(Object key) {
        if (keyFn == null) return key;
        runsProgram();
        return keyFn.invoke(key);
    }

    @Override
    public void writeKey(Object key) {
        Object mapped = mapped(key);
        if (namedKeys && mapped != null && mapped.getClass() == Keyword.class) {
            keyword((Keyword) mapped);
        } else if (stringsApart && mapped instanceof String) {
            stringApart((String) mapped);
        } else {
            super.writeKey(mapped);
        }
    }

    /** Writes a string that no reader takes for the name of a keyword. */
    private void stringApart(String key) {
        hold();
        enter(null);
        int start = beginExtension();
        nil();
        str(key);
        endExtension(NAMED_VALUE, start);
        leave();
        letGo();
    }

    @Override
    String keyName(Object key) {
        Object mapped = mapped(key);
        if (mapped instanceof String && stringsApart) return null;
        return namedKeys && mapped instanceof Keyword ? text(mapped) : super.keyName(mapped);
    }

    private void keyword(Keyword keyword) {
        KeywordBytes known = KeywordBytes.get(keyword);
        if (known != null) {
            words(known.first, known.second, known.bytes, known.size);
        } else {
            hold();
            int start = pos;
            str(KeywordBytes.name(keyword));
            KeywordBytes.put(keyword, buf, start, pos);
            letGo();
        }
    }

    /** Writes entries one by one; the accumulator is their map. */
    private final class EntryWriter extends AFn {
        /** The class of the keys of the innermost map so far. */
        private Class<?> keyClass;

        private boolean hasSeveral;

        @Override
        public Object invoke(Object map, Object key, Object value) {
            Class<?> type = key == null ? Void.class : key.getClass();
            if (type != keyClass) {
                hasSeveral |= keyClass != null;
                keyClass = type;
            }
            writeKey(key);
            try {
                write(value);
            } catch (RuntimeException error) {
                throw inEntry(error, map, key);
            }
            return map;
        }
    }

    private final EntryWriter entryWriter = new EntryWriter();

    /**
     * Writes a small map without collecting its entries. A larger map would take too much of the stack, because Clojure
     * walks its tree of hashes by recursion.
     */
    private void arrayMap(PersistentArrayMap map) {
        enter(map);
        mapHeader(map.count());
        Class<?> outerClass = entryWriter.keyClass;
        boolean outerHasSeveral = entryWriter.hasSeveral;
        entryWriter.keyClass = null;
        entryWriter.hasSeveral = keyFn != null;
        map.kvreduce(entryWriter, map);
        if (entryWriter.hasSeveral && !repeatsKeys) {
            Object[] kv = new Object[2 * map.count()];
            entries(map, kv, kv.length);
            requireDistinct(kv, kv.length);
        }
        entryWriter.keyClass = outerClass;
        entryWriter.hasSeveral = outerHasSeveral;
        leave();
    }

    /** Collects the entries of one map after another. */
    private final class Collector extends AFn {
        private Object[] kv;
        private int count;
        private int index;

        @Override
        public Object invoke(Object acc, Object key, Object value) {
            if (index == count) throw changed();
            kv[index] = key;
            kv[index + 1] = value;
            index += 2;
            return acc;
        }
    }

    private final Collector collector = new Collector();

    /**
     * A map of Clojure's that cannot be reduced, a record above all, is walked by its iterator, which keeps the order
     * of the record's fields. The order of its entry set depends on the values.
     */
    @Override
    Iterable<?> entriesOf(Map<?, ?> map) {
        return map instanceof IPersistentMap ? (IPersistentMap) map : super.entriesOf(map);
    }

    @Override
    void entries(Map<?, ?> map, Object[] kv, int count) {
        if (!(map instanceof IKVReduce)) {
            super.entries(map, kv, count);
            return;
        }
        collector.kv = kv;
        collector.count = count;
        collector.index = 0;
        ((IKVReduce) map).kvreduce(collector, null);
        collector.kv = null;
        if (collector.index != count) throw changed();
    }
}
