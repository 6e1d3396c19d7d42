package packord;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import packord.columns.ColumnNode;
import packord.columns.ColumnsPayload;
import packord.columns.Integers;
import packord.decode.ColumnReader;
import packord.decode.Decoder;

/**
 * The columns of a value that was packed with the option {@code columns}. {@link Unpacker#columns(byte[])} makes one.
 * It reads the directory of the payload, and of the columns only those whose values are asked for.
 *
 * <pre>{@code
 * Options options = Options.builder().columns(true).build();
 * byte[] bytes = Packer.of(options).pack(rows);          // 1000 times {id=1, name=Ada, price=0.5}
 * ColumnsView view = Unpacker.standard().columns(bytes);
 * view.column("[].id").longs();                          // long[1000]
 * view.column("[].price").doubles();                     // double[1000]
 * view.column("[].name").values();                       // a List of strings
 * }</pre>
 *
 * <p>A path names a column by what is around it: {@code []} is the elements of arrays, {@code .name} the values of a
 * key, {@code {}} the values of maps and {@code {key}} their keys. The value itself has the path "". All paths together
 * have at most 16 characters for each byte of the plain value, and 65,536 more: a payload beyond that is refused as
 * {@code length_limit}. Limits are those of the unpacker, whose option {@code columns} may be off. A fault in a column
 * is found when that column is read. The bytes are kept and should not change. Threads may share a view.
 */
public final class ColumnsView {
    /** How a column is stored: the kinds of {@code spec/columns.md} section 2. */
    public enum Kind {
        /** Values one after another, each of any type. */
        PLAIN,
        /** Integers. */
        INT,
        /** Floats of 32 or 64 bits. */
        FLOAT,
        /** Floats as whole numbers and a power of ten. */
        SCALED,
        /** Timestamps. */
        TIME,
        /** Strings, bytes, or exts of one type. */
        BYTES,
        /** Values of a dictionary, and for each row the number of one. */
        DICT,
        /** Arrays, whose elements are a column. */
        LIST,
        /** Maps, with a column for each key. */
        STRUCT,
        /** Maps, whose keys and values are columns. */
        MAP,
        /** Values of several types. */
        UNION
    }

    /** What all paths together may have, in characters: for each byte of the plain value, and always. */
    private static final long PATHS_PER_BYTE = 16;

    private static final long PATHS_ALWAYS = 65_536;

    private final Supplier<? extends Decoder> decoders;
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final ColumnsPayload payload;
    private final List<Column> columns = new ArrayList<>();
    private long pathLength;

    ColumnsView(Supplier<? extends Decoder> decoders, byte[] bytes, int offset, int length) {
        this.decoders = decoders;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        payload = reader().payload();
        list(payload.root(), 0, "", 0, -1);
    }

    private ColumnReader reader() {
        return new ColumnReader(decoders.get(), bytes, offset, length);
    }

    /**
     * Adds a column and those in it, and returns the index of the node after them. {@code around} is the index of the
     * maps whose key it has, or -1.
     */
    private int list(ColumnNode node, int index, String path, int missing, int around) {
        // Each path is whole: those in a long key could take thousands of times the payload.
        pathLength += path.length();
        if (pathLength > PATHS_PER_BYTE * payload.plainSize + PATHS_ALWAYS) {
            throw reader().error(ErrorKind.LENGTH_LIMIT, "paths of columns");
        }
        columns.add(new Column(node, index, path, missing, around));
        int next = index + 1;
        for (int i = 0; i < node.children.size(); i++) {
            ColumnNode child = node.children.get(i);
            String inner = pathIn(node, i, path);
            boolean isOfKey = node.kind == ColumnNode.STRUCT;
            int without = isOfKey ? node.n - child.n : 0;
            next = inner == null ? next + child.nodes() : list(child, next, inner, without, isOfKey ? index : -1);
        }
        return next;
    }

    /** Returns the path of a child, or null if its values are not those of rows. */
    private static String pathIn(ColumnNode node, int child, String path) {
        switch (node.kind) {
            case ColumnNode.LIST:
                return child == 0 ? null : path + "[]";
            case ColumnNode.MAP:
                return child == 0 ? null : path + (child == 1 ? "{key}" : "{}");
            case ColumnNode.STRUCT: {
                int key = node.shapes == null ? child : child - 1;
                return key < 0 ? null : path + "." + node.key(key);
            }
            default:
                return null;
        }
    }

    /** Returns all columns, in the order of the payload: the value itself first. */
    public List<Column> columns() {
        return Collections.unmodifiableList(columns);
    }

    /** Returns a column; null if there is none. */
    public Column column(String path) {
        for (Column column : columns) if (column.path.equals(path)) return column;
        return null;
    }

    /** Returns the size of the value as plain MessagePack. */
    public long plainSize() {
        return payload.plainSize;
    }

    /** Returns the number of values in it, keys included. */
    public long size() {
        return payload.values;
    }

    /** One column of a payload. */
    public final class Column {
        private final ColumnNode node;
        private final int index;
        private final String path;
        private final int missing;
        private final int around;

        private Column(ColumnNode node, int index, String path, int missing, int around) {
            this.node = node;
            this.index = index;
            this.path = path;
            this.missing = missing;
            this.around = around;
        }

        /** Returns the path of the column, for example {@code [].name}. */
        public String path() {
            return path;
        }

        /** Returns how the column is stored. */
        public Kind kind() {
            return Kind.values()[node.kind];
        }

        /** Returns the number of values. */
        public int size() {
            return node.n;
        }

        /** Returns the number of maps in which the key of the column is missing. */
        public int missing() {
            return missing;
        }

        /**
         * Returns which maps have the key of the column, for each map that the column around it has; null if none lacks
         * it, or if the column is not that of a key. Those that have it have the {@link #values} in their order.
         */
        public boolean[] present() {
            return missing == 0 ? null : reader().present(around, index);
        }

        /**
         * Returns the number of elements of each array, or of entries of each map; null for a column that is not of
         * kind {@code LIST} or {@code MAP}. The columns in this one have as many values as these have together, one
         * array or map after another.
         */
        public int[] lengths() {
            boolean hasLengths = node.kind == ColumnNode.LIST || node.kind == ColumnNode.MAP;
            return hasLengths ? reader().lengths(index) : null;
        }

        /** Returns the number of values that are nil. */
        public int nils() {
            return reader().nils(index);
        }

        /** Returns the values as the unpacker reads them, one for each map that has the key. */
        public List<Object> values() {
            return Collections.unmodifiableList(Arrays.asList(reader().values(index)));
        }

        /**
         * Returns integers; those of 2^63 and more as the long of the same bits.
         *
         * @throws IllegalStateException when there are other values
         */
        public long[] longs() {
            if (node.kind == ColumnNode.INT) return reader().checked(index).integers();
            Object[] values = reader().values(index);
            long[] longs = new long[values.length];
            for (int i = 0; i < longs.length; i++) {
                if (!(values[i] instanceof Long)) throw another("integers", values[i]);
                longs[i] = (Long) values[i];
            }
            return longs;
        }

        /**
         * Returns floats.
         *
         * @throws IllegalStateException when there are other values
         */
        public double[] doubles() {
            boolean isDouble = node.kind == ColumnNode.FLOAT && node.mode == 0 || node.kind == ColumnNode.SCALED;
            if (isDouble) return reader().checked(index).doubles();
            Object[] values = reader().values(index);
            double[] doubles = new double[values.length];
            for (int i = 0; i < doubles.length; i++) {
                if (!(values[i] instanceof Double)) throw another("floats", values[i]);
                doubles[i] = (Double) values[i];
            }
            return doubles;
        }

        private IllegalStateException another(String wanted, Object found) {
            String type = found == null ? "nil" : found.getClass().getSimpleName();
            return new IllegalStateException(path + " has " + type + ", not only " + wanted);
        }

        /**
         * Returns the numbers in place, without a copy: as ByteBuffer, ShortBuffer, IntBuffer or LongBuffer of
         * integers, FloatBuffer or DoubleBuffer of floats; null where the numbers are stored otherwise, or are none. It
         * is read-only.
         */
        public Buffer buffer() {
            if (node.kind == ColumnNode.FLOAT) {
                return node.mode == 0 ? section().asDoubleBuffer() : section().asFloatBuffer();
            }
            if (node.kind != ColumnNode.INT || node.base != 0) return null;
            boolean isDelta = (node.form & Integers.DELTA) != 0;
            int element = node.form & Integers.ELEMENT;
            if (isDelta || element == Integers.NONE || element == Integers.BIT) return null;
            switch (Integers.width(element)) {
                case 1:
                    return section();
                case 2:
                    return section().asShortBuffer();
                case 4:
                    return section().asIntBuffer();
                default:
                    return section().asLongBuffer();
            }
        }

        /** Returns whether the numbers of {@link #buffer} or {@link #longs} have no sign, so that a byte -1 is 255. */
        public boolean isUnsigned() {
            int element = node.form & Integers.ELEMENT;
            boolean isLarge = (node.form & Integers.UNSIGNED) != 0;
            return node.kind == ColumnNode.INT && (isLarge || element >= Integers.U8 && element <= Integers.U32);
        }

        private ByteBuffer section() {
            ByteBuffer section = ByteBuffer.wrap(bytes, node.at, node.size).slice();
            return section.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public String toString() {
            return path + " " + kind().name().toLowerCase(Locale.ROOT) + ", " + node.n + " values";
        }
    }
}
