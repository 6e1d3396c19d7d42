package packord.decode;

import java.util.function.Supplier;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnNode;
import packord.columns.ColumnsPayload;
import packord.columns.MalformedColumns;
import packord.columns.PackedColumn;
import packord.wire.Marker;
import packord.wire.Type;

/** Reads single columns of a message that is one ext of type 92. For one thread. */
public final class ColumnReader {
    private final Decoder decoder;
    private final byte[] bytes;
    private final int offset;
    private final int length;

    /**
     * Makes a reader of the message in {@code bytes[offset, offset + length)}. Of a message that is columns, the array
     * may end before the sections.
     */
    public ColumnReader(Decoder decoder, byte[] bytes, int offset, int length) {
        this.decoder = decoder;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /**
     * Reads the header of the payload. Throws PackordException of kind type_mismatch if the message is another value.
     */
    public ColumnsPayload header() {
        decoder.from(bytes, offset, length);
        decoder.beginMessage();
        try {
            return open();
        } finally {
            decoder.endMessage(true);
        }
    }

    /**
     * Reads the header and the directory of the payload. Throws PackordException of kind type_mismatch if the message
     * is another value.
     */
    public ColumnsPayload payload() {
        ColumnsPayload payload = header();
        find(payload::root);
        return payload;
    }

    private ColumnsPayload open() {
        decoder.need(1, offset);
        int marker = decoder.next();
        if (Marker.type(marker) == Type.RESERVED) throw decoder.error(ErrorKind.RESERVED_MARKER, offset);
        if (!Marker.isExt(marker)) throw decoder.error(ErrorKind.TYPE_MISMATCH, offset, "not columns");
        int size = (int) decoder.extSize(marker, offset);
        if (bytes[decoder.pos - 1] != ColumnsPayload.TYPE || !ColumnsPayload.isReadable(bytes, decoder.pos, size)) {
            throw decoder.error(ErrorKind.TYPE_MISMATCH, offset, "not columns");
        }
        if (decoder.options.trailing == Options.Trailing.ERROR && decoder.pos + size < offset + length) {
            throw decoder.error(ErrorKind.TRAILING_BYTES, decoder.pos + size);
        }
        decoder.countNode(offset);
        ColumnsPayload payload = decoder.columnsHeader(size, offset);
        decoder.checkColumns(payload, size, offset, 0);
        return payload;
    }

    /** Returns an error at the ext. */
    public RuntimeException error(ErrorKind kind, String detail) {
        return decoder.error(kind, offset, detail);
    }

    /** Returns what the supplier finds in a payload; every fault of the payload is the same error. */
    private <T> T find(Supplier<T> found) {
        try {
            return found.get();
        } catch (MalformedColumns malformed) {
            throw decoder.error(ErrorKind.INVALID_EXT, offset);
        }
    }

    /** Reads the values of one column, and nothing of the others; {@code index} is that of its node. */
    public Object[] values(int index) {
        try {
            return tryValues(index);
        } catch (StackOverflowError overflow) {
            return (Object[]) decoder.onLargeStack(() -> tryValues(index));
        }
    }

    private Object[] tryValues(int index) {
        ColumnsPayload payload = payload();
        ColumnNode node = payload.nodes().get(index);
        decoder.host.begin();
        return decoder.inColumns(payload, 0, () -> {
            Object[] values = null;
            if (decoder.buildsColumns()) {
                values = decoder.inserted(
                        bytes,
                        offset + length,
                        () -> decoder.columnsDecoder(payload).values(node, 0));
            }
            return values != null ? values : expanded(payload, node);
        });
    }

    private Object[] expanded(ColumnsPayload payload, ColumnNode node) {
        PackedColumn plain = find(() -> payload.expand(node, 0, decoder.options.utf8 != Options.Utf8.ERROR));
        return decoder.inserted(plain.bytes, plain.size, () -> {
            Object[] values = new Object[node.n];
            try {
                for (int i = 0; i < values.length; i++) {
                    decoder.pos = plain.starts[i];
                    values[i] = decoder.read(0, 0);
                }
            } catch (RuntimeException fault) {
                String description = PackordException.of(fault).kind().description();
                throw decoder.error(ErrorKind.INVALID_EXT, offset, description, fault);
            }
            return values;
        });
    }

    /** Returns a node after the checks that {@link #values} makes, for the numbers in it. */
    public ColumnNode checked(int index) {
        ColumnsPayload payload = payload();
        return checked(payload, payload.nodes().get(index));
    }

    private ColumnNode checked(ColumnsPayload payload, ColumnNode node) {
        return find(() -> {
            payload.check(node, 0);
            return node;
        });
    }

    /** Returns which maps of a STRUCT with shapes, a node, have the key whose column is another node. */
    public boolean[] present(int struct, int index) {
        ColumnsPayload payload = payload();
        ColumnNode maps = payload.nodes().get(struct);
        checked(payload, maps.children.get(0));
        int key = maps.children.indexOf(payload.nodes().get(index)) - 1;
        return find(() -> maps.present(key));
    }

    /** Returns the lengths of the arrays or maps of a column. */
    public int[] lengths(int index) {
        ColumnsPayload payload = payload();
        ColumnNode node = payload.nodes().get(index);
        checked(payload, node.children.get(0));
        return find(node::lengths);
    }

    /** Returns the number of rows of a column that are nil. */
    public int nils(int index) {
        ColumnNode node = checked(index);
        boolean[] nils = find(node::nils);
        int count = 0;
        for (int i = 0; nils != null && i < nils.length; i++) if (nils[i]) count++;
        return count;
    }
}
