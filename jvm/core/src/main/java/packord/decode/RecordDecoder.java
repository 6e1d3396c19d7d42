package packord.decode;

import java.util.List;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnsPayload;
import packord.record.DecoderStructures;
import packord.record.Shape;
import packord.record.Structure;
import packord.wire.Marker;
import packord.wire.Type;

/** Reads keys, most of them from a table of recent ones, and records: {@code spec/records.md} sections 1 to 4. */
abstract class RecordDecoder extends ScalarDecoder {
    private static final int RECENT_SHAPES = 64;

    /** The size of expanded columns up to which there is no limit. */
    private static final int ALWAYS_ALLOWED = 4096;

    /** The keys that were read lately, or null if keys must not be remembered. */
    final KeyCache keyCache;

    private final DecoderStructures structures;
    private final Shape[] recentShapes;

    /** How keys are told apart, or null if they are not, or by their order. */
    KeyIdentity keyIdentity;

    private int maxDepth;
    private long nodes;

    /** Where the message begins that was begun last. */
    int messageStart;

    private boolean inPayload;

    /** Whether a message at fault is passed over, whose definitions have no limits but their own. */
    boolean isPassing;

    RecordDecoder(Options options, Host host, KeyCache keyCache) {
        super(options, host);
        this.keyCache = keyCache;
        structures = options.records ? new DecoderStructures(options) : null;
        recentShapes = options.records ? new Shape[RECENT_SHAPES] : null;
        maxDepth = options.maxDepth;
    }

    /** Whether records are read here: the option is on, and no extension reads its payload. */
    final boolean recordsOn() {
        return structures != null && !inPayload;
    }

    /** Sets whether an extension reads a payload, and returns what it was before. */
    final boolean enterPayload(boolean enters) {
        boolean before = inPayload;
        inPayload = enters;
        return before;
    }

    /** Begins a message, at the next byte. */
    final void beginMessage() {
        messageStart = pos;
        nodes = 0;
        if (structures != null) structures.begin(this::sharedShape);
    }

    /** Ends a message. A failed one leaves the structures as they were before. */
    final void endMessage(boolean successful) {
        if (structures != null) structures.end(successful);
    }

    /** A place in a message, with what has been counted and defined before it. */
    final class Place {
        private final int index = pos;
        private final long nodesBefore = nodes;
        private final int definitions = structures == null ? 0 : structures.count();

        /** Goes back here, as if nothing after it had been read. */
        void goBack() {
            pos = index;
            nodes = nodesBefore;
            if (structures != null) structures.forgetFrom(definitions);
        }
    }

    /** Forgets the structures of a stream. */
    final void forgetStructures() {
        if (structures != null) structures.forget();
    }

    /** Reads a value. It is in {@code depth} containers, which await {@code pending} elements after it. */
    abstract Object read(int depth, long pending);

    /** Reads a key of any type. */
    final Object key(int depth, long pending) {
        int markerOffset = pos;
        try {
            Object key = read(depth, pending);
            boolean isExt = Marker.isExt(buf[markerOffset] & 0xff);
            return isExt ? host.newExtKey(key, markerOffset) : host.newKey(key, markerOffset);
        } catch (RuntimeException error) {
            throw PackordException.of(error).inKey();
        }
    }

    /**
     * Reads a key that was read before, or that can be remembered: a short, well-formed str. Returns null for any other
     * key. Keys mostly come in the same order, so the one that followed {@code previous} last time is tried first.
     */
    final KeyCache.Entry cachedKey(KeyCache.Entry previous) {
        int markerOffset = pos;
        KeyCache.Entry next = previous == null ? null : previous.next; // Once: other threads change it.
        if (next != null && next.isAt(buf, markerOffset, end)) {
            pos = markerOffset + next.size;
            return next;
        }
        if (markerOffset == end) return null;
        int size = KeyCache.size(buf, markerOffset, end);
        if (size == 0 || size > end - markerOffset) return null;
        KeyCache.Entry entry = keyCache.get(buf, markerOffset, size, end);
        if (entry != null) {
            pos = markerOffset + size;
        } else {
            String name = strings.decode(buf, markerOffset + (size > 32 ? 2 : 1), markerOffset + size);
            if (name == null) return null;
            pos = markerOffset + size;
            entry = keyCache.put(buf, markerOffset, size, host.newKey(name, markerOffset));
        }
        if (previous != null) previous.next = entry;
        return entry;
    }

    // ---------------------------------------------------------------- limits

    /** Checks the depth limit before a container is opened. */
    final void checkDepth(int markerOffset, int depth) {
        if (depth >= maxDepth) {
            throw error(ErrorKind.DEPTH_LIMIT, markerOffset, "max_depth is " + maxDepth);
        }
    }

    /** Forgets the values that were counted, where a part of a message is read on its own. */
    final void countFromHere() {
        nodes = 0;
    }

    /** Makes the checks of columns, whose values are counted in place of the ext. */
    final void checkColumns(ColumnsPayload payload, int size, int markerOffset, int depth) {
        if (payload.plainSize > options.maxExpansion * (double) size + ALWAYS_ALLOWED) {
            throw tooLong(markerOffset, "max_expansion", options.maxExpansion);
        }
        if (!inPayload && options.maxNodes != Long.MAX_VALUE) {
            if (payload.values > options.maxNodes - nodes + 1) {
                throw tooLong(markerOffset, "max_nodes", options.maxNodes);
            }
            nodes += payload.values - 1;
        }
        if (payload.depth > maxDepth - depth) {
            throw error(ErrorKind.DEPTH_LIMIT, markerOffset, "max_depth is " + maxDepth);
        }
    }

    /** Sets how many containers may be open, and returns how many it was before. */
    final int limitDepth(int depth) {
        int before = maxDepth;
        maxDepth = depth;
        return before;
    }

    /** Counts a value, for the limit {@code maxNodes}; those in the payloads of extensions do not. */
    final void countNode(int markerOffset) {
        if (inPayload || isPassing) return;
        if (++nodes > options.maxNodes) throw tooLong(markerOffset, "max_nodes", options.maxNodes);
    }

    // ---------------------------------------------------------------- ids

    /** Returns the shape of the record whose id is {@code marker}, or null if it is an integer. */
    final Shape shapeOfId(int marker, int markerOffset, int depth) {
        Shape shape;
        if (structures.isTwoByte(marker)) {
            need(1, markerOffset);
            int high = buf[pos++] & 0xff;
            shape = high == 0xff ? null : structures.get(DecoderStructures.index(marker, high));
            if (shape == null) throw error(ErrorKind.RECORD_UNDEFINED, markerOffset);
        } else {
            shape = structures.get(marker - 0x40);
            if (shape == null && options.undefinedRecord == Options.UndefinedRecord.ERROR) {
                throw error(ErrorKind.RECORD_UNDEFINED, markerOffset);
            }
        }
        countNode(markerOffset);
        if (shape != null) {
            checkDepth(markerOffset, depth);
            checkSize(shape.size(), markerOffset);
        }
        return shape;
    }

    /** Whether the value that begins with {@code marker}, the next byte, is a record. */
    final boolean isRecordAt(int marker) {
        if (marker < 0x80) return structures.isTwoByte(marker) || structures.get(marker - 0x40) != null;
        need(1 + Marker.bytesAfter(marker), pos);
        return isDefinition(marker, pos);
    }

    final Object record(Shape shape, int markerOffset, int depth, long pending) {
        int size = shape.size();
        need(pending + size, markerOffset);
        Object[] kv = shape.entries();
        int i = 0;
        try {
            for (; i < size; i++) {
                kv[2 * i + 1] = read(depth + 1, pending + (size - 1 - i));
            }
        } catch (RuntimeException error) {
            throw PackordException.of(error).inEntry(null, host.pathKey(kv[2 * i]));
        }
        return shape.repeatsKeys ? host.newMap(kv) : host.newRecord(shape, kv);
    }

    // ---------------------------------------------------------------- definitions

    /** Whether the ext with this marker, whose header has been read up to its type, defines. */
    final boolean isDefinition(int marker, int markerOffset) {
        return Marker.isExt(marker) && buf[markerOffset + Marker.bytesAfter(marker)] == Structure.EXT_TYPE;
    }

    /** Reads a definition with its keys and returns its shape. Any other ext is left unread, and the result is null. */
    final Shape defined(int marker, int markerOffset, int depth, long pending) {
        int header = Marker.bytesAfter(marker);
        need(header, markerOffset);
        if (!isDefinition(marker, markerOffset)) return null;
        pos += header;
        long size = header > 1 ? 0 : Marker.announced(buf, markerOffset);
        boolean twoByte = size == 2;
        if (!twoByte && size != 1) throw malformed(markerOffset);
        need(size, markerOffset);
        int low = buf[pos++] & 0xff;
        int high = twoByte ? buf[pos++] & 0xff : -1;
        if (low < (twoByte ? 0x60 : 0x40) || low > 0x7f || high == 0xff) throw malformed(markerOffset);
        countNode(markerOffset);
        checkDepth(markerOffset, depth);
        Shape shape = definedShape(markerOffset, pending);
        structures.define(low, high, shape);
        return shape;
    }

    /** Defines a structure again, as the definition that was passed before. */
    final void define(int low, int high, Shape shape) {
        structures.define(low, high, shape);
    }

    private Shape definedShape(int definitionOffset, long pending) {
        Object[] keys = new Object[definedSize(definitionOffset, pending)];
        KeyChecker checker = keyIdentity == null ? null : new KeyChecker(keyIdentity, keys.length);
        boolean allCached = keyCache != null;
        for (int i = 0; i < keys.length; i++) {
            int keyOffset = pos;
            need(1, keyOffset);
            KeyCache.Entry entry = keyCache == null ? null : cachedKey(null);
            keys[i] = entry != null ? entry.key : uncachedKey(definitionOffset);
            allCached &= entry != null;
            if (checker != null && checker.check(buf, keyOffset, pos, keys[i]) != null) {
                throw error(ErrorKind.DUPLICATE_KEY, keyOffset);
            }
        }
        return allCached ? recentShape(keys) : host.newShape(keys);
    }

    /** Reads the header of the list of keys. */
    private int definedSize(int definitionOffset, long pending) {
        int markerOffset = pos;
        need(1, markerOffset);
        int marker = buf[pos++] & 0xff;
        if (Marker.type(marker) != Type.ARRAY) throw malformed(definitionOffset);
        long size = header(marker, markerOffset);
        if (size > options.maxRecordKeys) {
            throw tooLong(markerOffset, "max_record_keys", options.maxRecordKeys);
        }
        checkSize(size, definitionOffset);
        if (isPassing) checkAnnounced(size, markerOffset);
        else need(pending + size, markerOffset);
        return (int) size;
    }

    private void checkSize(long size, int markerOffset) {
        if (size > options.maxMapLen && !isPassing) throw tooLong(markerOffset, "max_map_len", options.maxMapLen);
    }

    private Object uncachedKey(int definitionOffset) {
        int markerOffset = pos;
        int marker = buf[pos++] & 0xff;
        if (Marker.type(marker) != Type.STR) throw malformed(definitionOffset);
        return host.newKey(strictString(header(marker, markerOffset), markerOffset), markerOffset);
    }

    private RuntimeException malformed(int definitionOffset) {
        return error(ErrorKind.RECORD_MALFORMED, definitionOffset);
    }

    /** Returns the shape of these keys of the cache; the same one if it was made not long ago. */
    private Shape recentShape(Object[] keys) {
        int hash = keys.length;
        for (Object key : keys) hash = hash * 31 + System.identityHashCode(key);
        int slot = (hash ^ hash >>> 16) & RECENT_SHAPES - 1;
        Shape shape = recentShapes[slot];
        if (shape == null || !shape.hasKeys(keys)) {
            shape = host.newShape(keys);
            recentShapes[slot] = shape;
        }
        return shape;
    }

    private Shape sharedShape(List<String> names) {
        Object[] keys = new Object[names.size()];
        for (int i = 0; i < keys.length; i++) keys[i] = host.newKey(names.get(i), pos);
        return host.newShape(keys);
    }
}
