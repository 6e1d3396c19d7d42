package packord.bench;

import clojure.lang.AFn;
import clojure.lang.IKVReduce;
import clojure.lang.IPersistentSet;
import clojure.lang.ITransientCollection;
import clojure.lang.ITransientMap;
import clojure.lang.Keyword;
import clojure.lang.LazilyPersistentVector;
import clojure.lang.PersistentArrayMap;
import clojure.lang.PersistentHashMap;
import clojure.lang.PersistentHashSet;
import clojure.lang.PersistentVector;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.msgpack.core.ExtensionTypeHeader;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** msgpack-java with the best walk over Clojure's data that can be written by hand. */
public final class Walker {
    private Walker() {}

    /** Packs a value. */
    public static byte[] pack(Object o) throws IOException {
        MessageBufferPacker p = MessagePack.newDefaultBufferPacker();
        write(p, o, new EntryWriter(p));
        return p.toByteArray();
    }

    /** Packs values one after another to a stream. */
    public static void packAll(Iterable<?> values, OutputStream out) throws IOException {
        MessagePacker p = MessagePack.newDefaultPacker(out);
        EntryWriter entries = new EntryWriter(p);
        for (Object value : values) write(p, value, entries);
        p.flush();
    }

    /** Unpacks all values of a stream, with keyword keys. */
    public static Object unpackAll(InputStream in) throws IOException {
        MessageUnpacker u = MessagePack.newDefaultUnpacker(in);
        ITransientCollection all = PersistentVector.EMPTY.asTransient();
        while (u.hasNext()) all = all.conj(read(u, true));
        return all.persistent();
    }

    private static final class EntryWriter extends AFn {
        private final MessagePacker p;

        EntryWriter(MessagePacker p) {
            this.p = p;
        }

        @Override
        public Object invoke(Object acc, Object k, Object v) {
            try {
                writeKey(p, k, this);
                write(p, v, this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return acc;
        }
    }

    private static void writeKey(MessagePacker p, Object k, EntryWriter entries) throws IOException {
        if (k instanceof Keyword) p.packString(((Keyword) k).sym.toString());
        else write(p, k, entries);
    }

    private static void write(MessagePacker p, Object o, EntryWriter entries) throws IOException {
        if (o == null) {
            p.packNil();
        } else if (o instanceof String) {
            p.packString((String) o);
        } else if (o instanceof Keyword) {
            writeExtension(p, 3, ((Keyword) o).sym.toString().getBytes(StandardCharsets.UTF_8));
        } else if (o instanceof Long) {
            p.packLong((Long) o);
        } else if (o instanceof IKVReduce && o instanceof Map) {
            p.packMapHeader(((Map<?, ?>) o).size());
            ((IKVReduce) o).kvreduce(entries, null);
        } else if (o instanceof IPersistentSet) {
            writeExtension(p, 5, pack(((Set<?>) o).toArray()));
        } else if (o instanceof Object[]) {
            p.packArrayHeader(((Object[]) o).length);
            for (Object x : (Object[]) o) write(p, x, entries);
        } else if (o instanceof Collection) {
            p.packArrayHeader(((Collection<?>) o).size());
            for (Object x : (Collection<?>) o) write(p, x, entries);
        } else if (o instanceof Boolean) {
            p.packBoolean((Boolean) o);
        } else if (o instanceof Double) {
            p.packDouble((Double) o);
        } else if (o instanceof Map) {
            p.packMapHeader(((Map<?, ?>) o).size());
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) o).entrySet()) {
                writeKey(p, entry.getKey(), entries);
                write(p, entry.getValue(), entries);
            }
        } else if (o instanceof Instant) {
            p.packTimestamp((Instant) o);
        } else {
            throw new IllegalArgumentException(o.getClass().getName());
        }
    }

    private static void writeExtension(MessagePacker p, int type, byte[] payload) throws IOException {
        p.packExtensionTypeHeader((byte) type, payload.length);
        p.addPayload(payload);
    }

    /** Unpacks a value, with keyword or string keys. */
    public static Object unpack(byte[] b, boolean keywords) throws IOException {
        return read(MessagePack.newDefaultUnpacker(b), keywords);
    }

    private static Object read(MessageUnpacker u, boolean keywords) throws IOException {
        switch (u.getNextFormat().getValueType()) {
            case NIL:
                u.unpackNil();
                return null;
            case BOOLEAN:
                return u.unpackBoolean();
            case INTEGER:
                return u.unpackLong();
            case FLOAT:
                return u.unpackDouble();
            case STRING:
                return u.unpackString();
            case ARRAY:
                Object[] a = new Object[u.unpackArrayHeader()];
                for (int i = 0; i < a.length; i++) a[i] = read(u, keywords);
                return LazilyPersistentVector.createOwning(a);
            case MAP:
                return map(u, u.unpackMapHeader(), keywords);
            case EXTENSION:
                return extension(u, u.unpackExtensionTypeHeader(), keywords);
            default:
                throw new IllegalArgumentException();
        }
    }

    private static Object extension(MessageUnpacker u, ExtensionTypeHeader header, boolean keywords)
            throws IOException {
        switch (header.getType()) {
            case -1:
                return u.unpackTimestamp(header);
            case 3:
                byte[] name = u.readPayload(header.getLength());
                return Keyword.intern(new String(name, StandardCharsets.UTF_8));
            default:
                Object[] elements = new Object[u.unpackArrayHeader()];
                for (int i = 0; i < elements.length; i++) elements[i] = read(u, keywords);
                return PersistentHashSet.create(elements);
        }
    }

    private static Object map(MessageUnpacker u, int n, boolean keywords) throws IOException {
        if (n > 8) {
            ITransientMap m = (ITransientMap) PersistentHashMap.EMPTY.asTransient();
            for (int i = 0; i < n; i++) m = m.assoc(key(u, keywords), read(u, keywords));
            return m.persistent();
        }
        Object[] kv = new Object[2 * n];
        for (int i = 0; i < kv.length; i += 2) {
            kv[i] = key(u, keywords);
            kv[i + 1] = read(u, keywords);
        }
        return new PersistentArrayMap(kv);
    }

    private static Object key(MessageUnpacker u, boolean keywords) throws IOException {
        Object k = read(u, keywords);
        return keywords ? Keyword.intern((String) k) : k;
    }
}
