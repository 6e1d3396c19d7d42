package packord.container;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import packord.ErrorKind;
import packord.MessageReader;
import packord.Options;
import packord.PackordException;
import packord.TypeRef;
import packord.Unpacker;
import packord.wire.PackedBytes;

/** Unpacks the bodies of a file, and reads the rows and messages in them. For one thread. */
final class BodyReader implements Closeable {
    /** What the rows of a body may take without columns, for each byte of it, and always. */
    private static final int MOST_PER_BYTE = 128;

    private static final int ALWAYS = 1 << 20;

    private final int maxBlock;
    private final Unpacker unpacker;
    private final Map<String, Codec> codecs = new HashMap<>();

    BodyReader(Unpacker unpacker, int maxBlock) {
        this.maxBlock = maxBlock;
        Options.Builder options = unpacker.options().toBuilder().records(false).columns(true);
        options.canonical(false).sequential(false).structures(null).trailing(Options.Trailing.ERROR);
        this.unpacker = unpacker.with(options.build());
    }

    BlockBody body(Block block) {
        return new BlockBody(block, codec(block.codec()));
    }

    private Codec codec(String name) {
        return codecs.computeIfAbsent(name, codec -> Codec.of(codec, null));
    }

    /** Returns the rows or messages of a block; {@code type} is that of each, or null. */
    List<?> values(Block block, BlockBody stored, TypeRef<?> type) {
        byte[] body = stored.all();
        List<?> values = inBody(block, () -> block.hasRows() ? table(body, type) : stream(body, type));
        return counted(block, values, values == null ? 0 : values.size());
    }

    /** Returns the rows or messages of a block as plain MessagePack. */
    BodyRows plain(Block block, BlockBody stored) {
        byte[] body = stored.all();
        long most = 2L * Math.max(maxBlock, ReadOptions.MAX_BLOCK);
        long limit = Math.min(most, (long) MOST_PER_BYTE * body.length + ALWAYS);
        BodyRows plain = inBody(block, () -> BodyRows.of(unpacker.options(), body, block.hasRows(), limit));
        return counted(block, plain, plain == null ? 0 : plain.size());
    }

    private <T> T counted(Block block, T values, int count) {
        if (values == null) throw fault(block, ErrorKind.INVALID_CONTAINER, "the body is not an array", null);
        if (count != block.count()) throw miscounted(block);
        return values;
    }

    /** Returns keys of the rows of a block by column; null if no row matches a predicate that is not null. */
    List<BlockColumn> columns(Block block, List<String> keys, Predicate where) {
        BlockBody body = body(block);
        BodyColumns stored = stored(block, body);
        if (stored != null) {
            if (where != null && stored.areByKey() && where.keys != null) {
                if (where.matches(packed(block, stored, where.keys), true).isEmpty()) return null;
            }
            List<BlockColumn> columns = inBody(block, () -> stored.read(keys));
            if (columns != null) return columns;
        }
        return plain(block, body).columns(keys);
    }

    /** Returns the rows of a block if they are stored by column, else null. */
    BodyColumns stored(Block block, BlockBody body) {
        BodyColumns stored = inBody(block, () -> BodyColumns.of(unpacker.options(), body));
        if (stored != null && stored.size() != block.count()) throw miscounted(block);
        return stored;
    }

    /** Returns the error for a block whose count is not true. */
    private RuntimeException miscounted(Block block) {
        return fault(block, ErrorKind.INVALID_CONTAINER, "the body does not have " + block.count() + " values", null);
    }

    /** Returns the rows of a body, or null if it is not an array. */
    private List<?> table(byte[] body, TypeRef<?> type) {
        if (type == null) {
            Object all = unpacker.unpack(body);
            return all instanceof List ? (List<?>) all : null;
        }
        try {
            return unpacker.unpack(ByteBuffer.wrap(body), type.list());
        } catch (RuntimeException thrown) {
            PackordException error = PackordException.of(thrown);
            boolean isOfAll =
                    error.kind() == ErrorKind.TYPE_MISMATCH && error.path().equals("$");
            if (isOfAll && !(unpacker.unpack(body) instanceof List)) return null;
            throw thrown;
        }
    }

    private List<?> stream(byte[] body, TypeRef<?> type) {
        MessageReader<?> reader =
                type == null ? unpacker.reader(body, 0, body.length) : unpacker.reader(body, 0, body.length, type);
        List<Object> list = new ArrayList<>();
        while (reader.hasNext()) list.add(reader.next());
        return list;
    }

    /** Returns the values of rows or messages that are packed; {@code type} is that of each, or null. */
    List<?> values(Block block, BlockColumn packed, TypeRef<?> type) {
        PackedBytes all = new PackedBytes();
        if (block.hasRows()) all.arrayHeader(packed.count());
        for (int i = 0; i < packed.count(); i++)
            all.raw(packed.bytes(), packed.start(i), packed.end(i) - packed.start(i));
        byte[] bytes = Arrays.copyOf(all.buf, all.pos);
        try {
            return block.hasRows() ? table(bytes, type) : stream(bytes, type);
        } catch (RuntimeException thrown) {
            PackordException error = PackordException.of(thrown);
            // Offsets within the body mean nothing to a reader of the file.
            throw fault(block, error.kind(), "in the body (" + error.path() + ")", thrown);
        }
    }

    /** Returns the rows of a block that is stored by column with some of their keys, as plain MessagePack. */
    BlockColumn packed(Block block, BodyColumns stored, Set<String> keys) {
        return inBody(block, () -> stored.packed(keys));
    }

    /**
     * Reads a part of a body, whose faults become those of the block; one with an offset in the file stays as it is.
     */
    private <T> T inBody(Block block, Supplier<T> read) {
        try {
            return read.get();
        } catch (RuntimeException thrown) {
            PackordException error = PackordException.of(thrown);
            if (error.kind() == ErrorKind.INVALID_CONTAINER) throw thrown;
            String detail = "at byte " + error.offset() + " of the body (" + error.path() + ")";
            throw fault(block, error.kind(), detail, thrown);
        }
    }

    RuntimeException fault(Block block, ErrorKind kind, String detail, Throwable cause) {
        return unpacker.error(kind, block.arrayOffset(), Block.numbered(block.number) + detail, cause);
    }

    @Override
    public void close() {
        codecs.values().forEach(Codec::close);
        codecs.clear();
    }
}
