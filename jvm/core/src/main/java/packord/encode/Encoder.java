package packord.encode;

import java.io.OutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import packord.ErrorKind;
import packord.Ext;
import packord.Extension;
import packord.ExtensionPacker;
import packord.Options;
import packord.PackordException;
import packord.Timestamp;
import packord.ext.Elements;
import packord.ext.ExtensionTable;
import packord.record.EncoderStructures;
import packord.record.Structure;
import packord.typed.BeanType;
import packord.typed.Property;
import packord.typed.TextForm;
import packord.wire.LargeStack;

/**
 * Writes values. This class knows what Java's own types become; {@link ClojureEncoder} adds Clojure's. Not thread-safe:
 * one message at a time.
 */
public class Encoder extends ScalarEncoder {
    private static final int ROOMS = 16;
    private static final int ROOM = 1 << 12;

    /** The handlers of extensions, or null. */
    final ExtensionTable extensions;

    private final EncoderStructures records;
    private final boolean sorted;

    /** Whether all keys of a map must be known before its first is written. */
    final boolean keysFirst;

    /** The number of open containers. */
    int depth;

    /** Writes columns, or null if they are off. */
    private final ColumnsEncoder columns;

    private int payloads;

    /** Whether code of the program has run for this message, and whether none may, as the thread is another. */
    private boolean ranProgram;

    private boolean onLargeStack;

    /** The elements of iterators and streams, which a message that is written once more needs again; or null. */
    private IdentityHashMap<Object, List<Object>> taken;

    /** Arrays for the entries of the open maps, the outermost first, kept for the next maps. */
    private final Object[][] rooms = new Object[ROOMS][];

    public Encoder(Options options) {
        super(options);
        this.extensions = ExtensionTable.of(options);
        this.records = options.records ? new EncoderStructures(options) : null;
        this.sorted = options.sortKeys || options.canonical;
        this.keysFirst = sorted || records != null || options.skipNil;
        this.columns = options.columns && !options.canonical ? ColumnsEncoder.of(this, records) : null;
    }

    @Override
    RuntimeException error(ErrorKind kind, String detail, Object culprit, Throwable cause) {
        return new PackordException(kind, -1, detail, culprit, cause);
    }

    /**
     * Appends one message. After an error the output, and the structures of records, are as before. Throws
     * PackordException when the value cannot be packed.
     */
    public final void message(Object value) {
        ranProgram = hasSink() || options.structures != null;
        try {
            tryMessage(value);
        } catch (StackOverflowError overflow) {
            if (ranProgram) throw stackTooSmall();
            again(value);
        } finally {
            taken = null;
        }
    }

    /** Keeps floats apart from integers in canonical form too, so that values that differ are different bytes. */
    public final Encoder keepingFloats() {
        keepFloats();
        return this;
    }

    /**
     * Appends a message that is there as plain MessagePack, its maps as records and its containers as columns as the
     * options say.
     */
    public final void plainMessage(byte[] message, int size) {
        int start = pos;
        if (records != null) records.begin();
        holdAll(true);
        boolean done = false;
        try {
            raw(message, 0, size);
            if (columns != null) columns.rewrite(start, records != null);
            else if (records != null) RecordCopy.withRecords(this, records, message, size, start);
            done = records == null || records.commit();
        } finally {
            if (!done) {
                pos = start;
                if (records != null) records.rollback();
            }
        }
    }

    /** Writes a message once more, on a stack that holds the permitted depth. */
    private void again(Object value) {
        onLargeStack = true;
        try {
            LargeStack.call(options.maxDepth, () -> {
                tryMessage(value);
                return null;
            });
        } catch (StackOverflowError overflow) {
            throw stackTooSmall();
        } finally {
            onLargeStack = false;
        }
    }

    /**
     * Called before code of the program runs: an extension, a getter, the iterator of a collection of its own. It runs
     * once, on the thread of the caller.
     */
    final void runsProgram() {
        if (onLargeStack) throw stackTooSmall();
        ranProgram = true;
    }

    /** Whether methods of a class that is not the platform's may be code of the program. */
    boolean isOfProgram(Class<?> type) {
        return true;
    }

    /** Returns the error for a value that is nested deeper than the stack allows. */
    public final RuntimeException stackTooSmall() {
        return error(ErrorKind.DEPTH_LIMIT, "the thread's stack is too small");
    }

    /**
     * Writes one message to a stream, and a large one as it grows. Of a value that cannot be packed a part may then
     * have been written.
     */
    public final void messageTo(Object value, OutputStream stream) {
        to(stream);
        message(value);
        drain();
    }

    private void tryMessage(Object value) {
        int start = pos;
        boolean done = false;
        while (!done) {
            if (records != null) records.begin();
            depth = 0;
            payloads = 0;
            // Another writer of the shared list may make this one write the message again.
            holdAll(columns != null || options.records && options.structures != null);
            try {
                if (columns == null) write(value);
                else writeWithColumns(value);
                done = records == null || records.commit();
            } finally {
                if (!done) {
                    pos = start;
                    if (records != null) records.rollback();
                }
            }
        }
    }

    /** Writes a value plainly, without records as if it were a payload, and then with columns. */
    private void writeWithColumns(Object value) {
        int start = pos;
        payloads++;
        wideInts(false);
        try {
            write(value);
        } finally {
            payloads--;
            wideInts(records != null);
        }
        columns.rewrite(start, records != null);
    }

    /** Begins a message that is written in pieces. */
    public final void beginMessage() {
        if (records != null) records.begin();
        depth = 0;
        payloads = 0;
        holdAll(false);
    }

    /** Ends a message that was written in pieces. */
    public final void endMessage() {
        if (records != null) records.commit();
    }

    /** Forgets the output, and what a sequential stream has defined. */
    public final void release() {
        reset();
        to(null);
        if (records != null) records.forget();
    }

    /** Writes any value. */
    public void write(Object value) {
        if (value == null) {
            nil();
            return;
        }
        Class<?> type = value.getClass();
        if (extensions != null && packedByExtension(value, type)) return;
        if (type == String.class) {
            str((String) value);
        } else {
            writeCommon(value, type);
        }
    }

    /** Writes a key of a map. */
    public void writeKey(Object key) {
        try {
            write(key);
        } catch (RuntimeException error) {
            throw PackordException.of(error).inKey();
        }
    }

    /** Whether two keys may be written as the same bytes, which only those of several classes are. */
    boolean mayRepeat(Object[] kv, int count) {
        Class<?> first = count == 0 || kv[0] == null ? null : kv[0].getClass();
        for (int i = 2; i < count; i += 2) if (kv[i] == null || kv[i].getClass() != first) return true;
        return false;
    }

    /** Returns the string that a key is written as, or null if it is not a str. */
    String keyName(Object key) {
        if (key instanceof String) return (String) key;
        if (key == null) return null;
        if (extensions != null && extensions.forValue(key, key.getClass()) != null) return null;
        return text(key);
    }

    /** Has a registered extension pack the value, if one wants it. */
    final boolean packedByExtension(Object value, Class<?> type) {
        if (extensions.asksValues) runsProgram();
        Extension extension = extensions.forValue(value, type);
        if (extension == null) return false;
        if (!extension.isPure()) runsProgram();
        SingleValuePacker packer = new SingleValuePacker(this, false);
        try {
            extension.pack(packer, value);
        } catch (Exception exception) { // Clojure throws checked exceptions without declaring them.
            if (PackordException.ofOrNull(exception) != null) throw (RuntimeException) exception;
            String detail = "the extension for " + type.getName() + " threw " + exception;
            throw error(ErrorKind.UNSUPPORTED_TYPE, detail, null, exception);
        } finally {
            packer.close();
        }
        packer.checkComplete();
        return true;
    }

    /**
     * Writes a value that is neither nil nor a String. What is written as a map or list is found first, which keeps few
     * frames on the stack between one container and the next.
     */
    final void writeCommon(Object value, Class<?> type) {
        if (type.getClassLoader() != null && isOfProgram(type)) runsProgram();
        if (value instanceof Number) {
            number((Number) value);
        } else if (type == Boolean.class) {
            bool((Boolean) value);
        } else if (value instanceof Map) {
            map((Map<?, ?>) value);
        } else if (value instanceof Collection) {
            collection((Collection<?>) value);
        } else {
            Object form = writeOther(value, type);
            if (form instanceof Map) map((Map<?, ?>) form);
            else if (form instanceof List) collection((List<?>) form);
            else if (form != null) writeForm(form, value);
        }
    }

    /** Writes a scalar or an array; returns what another value is written as, as {@link #formOf} does, else null. */
    private Object writeOther(Object value, Class<?> type) {
        if (type == byte[].class) {
            bin((byte[]) value, 0, ((byte[]) value).length);
        } else if (type == Byte[].class) {
            boxedBytes((Byte[]) value);
        } else if (type.isArray()) {
            array(value);
        } else if (value instanceof Instant) {
            timestamp(((Instant) value).getEpochSecond(), ((Instant) value).getNano());
        } else if (value instanceof Date) {
            date((Date) value);
        } else if (value instanceof UUID) {
            str(value.toString());
        } else if (type == Ext.class) {
            extension(((Ext) value).type(), ((Ext) value).data());
        } else if (type == Timestamp.class) {
            timestamp(((Timestamp) value).seconds(), ((Timestamp) value).nanos());
        } else if (value instanceof ByteBuffer) {
            byteBuffer(((ByteBuffer) value).duplicate());
        } else {
            String text = text(value);
            if (text == null) return rest(value);
            str(text);
        }
        return null;
    }

    /** Returns the text that a value is written as, or null if it is not text. */
    String text(Object value) {
        return TextForm.of(value);
    }

    private Object rest(Object value) {
        if (Optionals.isOptional(value)) return value;
        List<Object> elements = elementsOf(value);
        if (elements != null) return elements;
        return pointInTime(value) ? null : formOf(value);
    }

    /** Returns the elements of what has an iterator, or is one; null for other values. */
    private List<Object> elementsOf(Object value) {
        if (value instanceof Iterable && !(value instanceof Throwable)) return listOf(((Iterable<?>) value).iterator());
        boolean isStream = value instanceof BaseStream;
        if (!isStream && !(value instanceof Iterator)) return null;
        runsProgram();
        // It can be taken only once, but may have to be written twice.
        if (taken == null) taken = new IdentityHashMap<>();
        List<Object> known = taken.get(value);
        if (known == null) {
            known = listOf(isStream ? ((BaseStream<?, ?>) value).iterator() : (Iterator<?>) value);
            taken.put(value, known);
        }
        return known;
    }

    private static List<Object> listOf(Iterator<?> elements) {
        List<Object> all = new ArrayList<>();
        elements.forEachRemaining(all::add);
        return all;
    }

    /** Returns what an object is written as: a map of its properties, or an Optional of a value. */
    Object formOf(Object value) {
        BeanType bean = beanOf(value);
        if (bean.value != null) return Optional.ofNullable(get(bean.value, value));
        return properties(bean, value);
    }

    /** Writes a form that is neither a map nor a list. */
    void writeForm(Object form, Object value) {
        write(Optionals.valueOf(form));
    }

    private Map<String, Object> properties(BeanType bean, Object value) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Property property : bean.properties) {
            if (property.isReadable()) map.put(property.name, get(property, value));
        }
        return map;
    }

    /** Returns what is known of an object's class, and an error if not all of its properties can be read. */
    final BeanType beanOf(Object value) {
        Class<?> type = value.getClass();
        BeanType bean = BeanType.of(type);
        if (!bean.isOpen) {
            String needed = ": its module does not open " + type.getPackageName() + " to packord";
            throw error(ErrorKind.UNSUPPORTED_TYPE, type.getName() + needed, value, null);
        }
        if (!bean.isBean) throw unsupported(value);
        return bean;
    }

    /** Returns the value of a property, and an error of this encoder if the program's getter throws one. */
    final Object get(Property property, Object object) {
        runsProgram();
        try {
            return property.get(object);
        } catch (RuntimeException exception) {
            String where = object.getClass().getName() + "." + property.name;
            throw error(ErrorKind.UNSUPPORTED_TYPE, where + " threw " + exception.getMessage(), null, exception);
        }
    }

    /** Opens a container, which counts for depth. */
    public final void enter(Object container) {
        if (++depth > options.maxDepth) {
            throw error(ErrorKind.DEPTH_LIMIT, "max_depth is " + options.maxDepth, container, null);
        }
    }

    /** Closes a container. */
    public final void leave() {
        depth--;
    }

    private void collection(Collection<?> list) {
        enter(list);
        int size = list.size();
        arrayHeader(size);
        if (options.canonical && size > 1 && (list instanceof Set || list instanceof Elements)) {
            sortedElements(list);
            leave();
            return;
        }
        int i = 0;
        try {
            if (list instanceof List && list instanceof RandomAccess) {
                for (; i < size; i++) write(LiveElements.get((List<?>) list, i, this));
            } else {
                Iterator<?> all = LiveElements.iterator(list, this);
                for (; LiveElements.hasNext(all); i++) write(LiveElements.next(all, this));
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inElement(list, i);
        }
        if (i != size) throw changed();
        leave();
    }

    /** Writes the elements of a set in canonical order, so that equal sets are equal bytes. */
    private void sortedElements(Collection<?> set) {
        int size = set.size();
        KeySorter sorter = new KeySorter(size);
        int i = 0;
        int start = pos;
        hold();
        try {
            for (Iterator<?> all = LiveElements.iterator(set, this); LiveElements.hasNext(all); i++) {
                if (i == size) throw changed();
                write(LiveElements.next(all, this));
                sorter.add(Arrays.copyOfRange(buf, start, pos), null, null);
                pos = start;
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inElement(set, i);
        } finally {
            letGo();
        }
        if (i != size) throw changed();
        if (!sorter.sort() && options.canonical) throw error(ErrorKind.DUPLICATE_KEY, null);
        for (byte[] packed : sorter.packedKeys()) raw(packed, 0, packed.length);
    }

    /** Writes {@code count} elements; the first of them has index {@code base} in {@code list}. */
    final void elements(Object[] elements, int count, Object list, int base) {
        int i = 0;
        try {
            for (; i < count; i++) write(elements[i]);
        } catch (RuntimeException error) {
            throw PackordException.of(error).inElement(list, base + i);
        }
    }

    private void array(Object array) {
        enter(array);
        int size = Array.getLength(array);
        arrayHeader(size);
        if (array instanceof Object[]) {
            elements((Object[]) array, size, array, 0);
        } else {
            numbers(array);
        }
        leave();
    }

    /**
     * Writes a map as a record, sorted, or plain in its own order. Its entries are collected first, which keeps few
     * frames on the stack between one container and the next.
     */
    final void map(Map<?, ?> map) {
        enter(map);
        int size = map.size();
        int count = 2 * size;
        Object[] kv = room(count);
        int i = 0;
        boolean inValue = false;
        try {
            entries(map, kv, count);
            if (options.skipNil) {
                count = Optionals.withoutNil(kv, count);
                size = count / 2;
            }
            byte[][] packedKeys = sorted && size > 1 ? sort(kv, count) : null;
            if (packedKeys == null && mayRepeat(kv, count)) requireDistinct(kv, count);
            Structure structure = records != null && payloads == 0 ? structure(kv, count) : null;
            if (structure == null || !recordHeader(records, structure)) {
                mapHeader(size);
                structure = null;
            }
            for (; i < count; i += 2) {
                if (structure == null) {
                    if (packedKeys == null) writeKey(kv[i]);
                    else raw(packedKeys[i >> 1], 0, packedKeys[i >> 1].length);
                }
                inValue = true;
                write(kv[i + 1]);
                inValue = false;
            }
        } catch (RuntimeException error) {
            throw inValue ? inEntry(error, map, kv[i]) : error;
        } finally {
            Arrays.fill(kv, 0, count, null);
        }
        leave();
    }

    /** Returns an array of at least this length, which is that of the map that is open at this depth. */
    private Object[] room(int count) {
        if (depth > ROOMS || count > ROOM) return new Object[count];
        Object[] room = rooms[depth - 1];
        if (room == null || room.length < count) {
            room = new Object[Math.max(32, Integer.highestOneBit(count) << 1)];
            rooms[depth - 1] = room;
        }
        return room;
    }

    /** Returns the entries of a map, in the order in which they are written. */
    Iterable<?> entriesOf(Map<?, ?> map) {
        return map.entrySet();
    }

    /** Puts the keys and values of a map in turn into {@code kv}; there are {@code count} of them. */
    void entries(Map<?, ?> map, Object[] kv, int count) {
        int i = 0;
        Iterator<?> all = LiveElements.iterator(entriesOf(map), this);
        while (i < count || LiveElements.hasNext(all)) {
            if (i == count) throw changed();
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) LiveElements.next(all, this);
            kv[i] = entry.getKey();
            kv[i + 1] = entry.getValue();
            i += 2;
        }
    }

    /** Returns the error for a collection that has more or fewer elements than its size. */
    final RuntimeException changed() {
        return refused("the collection changed while it was written");
    }

    /** Adds the key of the value at fault to the path of an error. */
    public final RuntimeException inEntry(RuntimeException error, Object map, Object key) {
        String name = keyName(key);
        return PackordException.of(error).inEntry(map, name != null ? name : key);
    }

    /** Sorts keys and values in place; returns the packed keys. */
    private byte[][] sort(Object[] kv, int count) {
        KeySorter sorter = new KeySorter(count / 2);
        int start = pos;
        hold();
        // A key that defined a structure would stand after a key that refers to it, and its id decide the order.
        payloads++;
        try {
            for (int i = 0; i < count; i += 2) {
                writeKey(kv[i]);
                sorter.add(Arrays.copyOfRange(buf, start, pos), kv[i], kv[i + 1]);
                pos = start;
            }
        } finally {
            payloads--;
            letGo();
        }
        if (!sorter.sortInto(kv)) throw error(ErrorKind.DUPLICATE_KEY, null);
        return sorter.packedKeys();
    }

    /** Refuses a map of which two keys are written as the same bytes. */
    final void requireDistinct(Object[] kv, int count) {
        if (count > 2) sort(Arrays.copyOf(kv, count), count);
    }

    /** Returns the structure of a map's keys, or null if the map cannot be a record. */
    private Structure structure(Object[] kv, int count) {
        if (count / 2 > options.maxRecordKeys) return null;
        EncoderStructures.KeyNode node = records.root;
        for (int i = 0; i < count && node != null; i += 2) {
            EncoderStructures.KeyNode known = node.known(kv[i]);
            node = known != null ? known : records.add(node, kv[i], keyName(kv[i]));
        }
        return records.structure(node);
    }

    /** While records are on, decoders read every ext of type 0x72 as a definition. */
    private void checkType(int type) {
        if (type != (byte) type) throw error(ErrorKind.OUT_OF_RANGE, "ext type " + type);
        if (records != null && type == Structure.EXT_TYPE) {
            throw refused("ext type 0x72 while records are on");
        }
    }

    final void extension(int type, byte[] payload) {
        checkType(type);
        extHeader(type, payload.length);
        raw(payload, 0, payload.length);
    }

    /** Writes an ext whose payload is what {@code content} writes. */
    final void extensionOf(int type, Consumer<ExtensionPacker> content) {
        checkType(type);
        SingleValuePacker packer = new SingleValuePacker(this, true);
        payloads++;
        hold();
        int start = beginExtension();
        try {
            content.accept(packer);
        } finally {
            packer.close();
            payloads--;
            letGo();
        }
        packer.checkComplete();
        endExtension(type, start);
    }

    final void extensionHeader(int type, int length) {
        checkType(type);
        if (length < 0) throw error(ErrorKind.OUT_OF_RANGE, "an ext of " + length + " bytes");
        extHeader(type, length);
    }
}
