package packord;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import packord.decode.Decoder;
import packord.decode.StepReader;

/**
 * Access to a part of a message without building the rest. {@link Unpacker#view(byte[])} makes one. Values that nobody
 * asks for are passed by their headers, and nothing is read after the value that was asked for; of a map all keys are.
 * Arrays, maps and records within are views too.
 *
 * <pre>{@code
 * View view = Unpacker.standard().view(bytes);   // {"users": [{"name": "Ada"}, {"name": "Bo"}]}
 * view.get("users", 1, "name");                  // "Bo"
 * ((View) view.get("users")).size();             // 2
 * ((View) view.get("users", 0)).unpack();        // {name=Ada}
 * }</pre>
 *
 * <p>Options and limits are those of the unpacker, and so are the errors of what was passed or read. Bytes after the
 * message are found when {@link #unpack} reads the whole. The options canonical, duplicateKey and maxNodes, which are
 * about the whole message, have it checked at first. The bytes are kept and should not change. Threads may share a
 * view; they wait for each other.
 */
public final class View {
    /** The message of a view and of the views of its parts. */
    private static final class Message {
        final StepReader steps;
        final boolean allowsTrailing;

        Message(StepReader steps, boolean allowsTrailing) {
            this.steps = steps;
            this.allowsTrailing = allowsTrailing;
        }
    }

    private final Message message;
    private final View outer;
    private final int numberInOuter;
    private final Object keyInOuter;
    private final int start;
    private final int depth;
    private final long outside;
    private final Token token;
    private final int size;
    private final Object[] recordEntries;

    /** Where the children met so far begin; of a map, its values. */
    private int[] positions = new int[4];

    private int known;
    private Map<?, ?> numbers;

    private View(Message message, View outer, int number, Object key, int start, int depth, long outside) {
        this.message = message;
        this.outer = outer;
        this.numberInOuter = number;
        this.keyInOuter = key;
        this.start = start;
        this.depth = depth;
        this.outside = outside;
        StepReader steps = message.steps;
        this.token = steps.token;
        this.size = token.isContainer() ? (int) steps.size() : 0;
        this.recordEntries = token == Token.RECORD ? steps.recordEntries() : null;
        if (size > 0) positions[known++] = steps.index();
    }

    static View of(Decoder decoder, Options options, byte[] bytes) {
        if (StepReader.isAboutAll(options)) decoder.message(bytes, 0, bytes.length);
        return of(StepReader.of(decoder, bytes, 0, bytes.length), options);
    }

    static View of(Decoder decoder, Options options, ByteBuffer buffer) {
        if (StepReader.isAboutAll(options)) decoder.message(buffer);
        return of(StepReader.of(decoder, buffer), options);
    }

    private static View of(StepReader steps, Options options) {
        steps.nextMessage();
        int start = steps.index();
        steps.aim(start, 0, 0);
        steps.next();
        return new View(new Message(steps, options.trailing == Options.Trailing.ALLOW), null, 0, null, start, 0, 0);
    }

    /** Returns the type of the value: ARRAY, MAP or RECORD; another type for a message that is not a container. */
    public Token type() {
        return token;
    }

    /** Returns the number of elements, or of keys that differ; 0 for a value that is not a container. */
    public int size() {
        return isKeyed() ? numbers().size() : size;
    }

    /**
     * Returns the value at the end of a path, a View of an array, map or record; null if there is none. The path is
     * indexes and keys; an index below 0 counts from the end.
     */
    public Object get(Object... path) {
        Object value = this;
        for (Object next : path) {
            if (!(value instanceof View)) return null;
            View view = (View) value;
            int number = view.number(next);
            if (number < 0) return null;
            value = view.child(number, next);
        }
        return value;
    }

    /** Whether there is a value at the end of a path, nil included. */
    public boolean has(Object... path) {
        if (path.length == 0) return true;
        Object holder = get(Arrays.copyOf(path, path.length - 1));
        return holder instanceof View && ((View) holder).number(path[path.length - 1]) >= 0;
    }

    /**
     * Returns where the value at the end of a path begins: bytes from the start of the message, or -1 if there is none.
     */
    public long offset(Object... path) {
        if (path.length == 0) return message.steps.offset(start);
        Object holder = get(Arrays.copyOf(path, path.length - 1));
        if (!(holder instanceof View)) return -1;
        View view = (View) holder;
        Object last = path[path.length - 1];
        int number = view.number(last);
        if (number < 0) return -1;
        synchronized (message) {
            view.passUpTo(number);
            return message.steps.offset(view.positions[number]);
        }
    }

    /** Returns the keys of a map or record, in the order of the map that {@link #unpack} returns; none for an array. */
    public List<Object> keys() {
        return isKeyed() ? new ArrayList<>(numbers().keySet()) : Collections.emptyList();
    }

    /** Reads the whole value, as {@link Unpacker} does. */
    public Object unpack() {
        return runHere(() -> {
            StepReader steps = message.steps;
            steps.next();
            Object value = steps.value();
            if (outer == null && !message.allowsTrailing && steps.hasMore()) throw steps.trailing();
            return value;
        });
    }

    private boolean isKeyed() {
        return token == Token.MAP || token == Token.RECORD;
    }

    /** Returns the number of a child, or -1 if there is none. */
    private int number(Object next) {
        if (isKeyed()) {
            Object number = numbers().get(next instanceof Integer ? (Object) ((Integer) next).longValue() : next);
            return number == null ? -1 : (Integer) number;
        }
        if (!(next instanceof Integer || next instanceof Long)) return -1;
        long index = ((Number) next).longValue();
        if (index < 0) index += size;
        return index < 0 || index >= size ? -1 : (int) index;
    }

    private long outsideOf(int number) {
        return outside + (size - 1L - number) * (token == Token.MAP ? 2 : 1);
    }

    private Object child(int number, Object key) {
        synchronized (message) {
            passUpTo(number);
            return runAt(number, key, () -> read(number, key));
        }
    }

    /** Finds where the children up to this one begin; of a map this is known with the keys. */
    private void passUpTo(int number) {
        while (known <= number) {
            int last = known - 1;
            add((Integer) runAt(last, null, this::indexAfter));
        }
    }

    private Object read(int number, Object key) {
        StepReader steps = message.steps;
        return steps.next().isContainer()
                ? new View(message, this, number, key, positions[number], depth + 1, outsideOf(number))
                : steps.value();
    }

    private Object indexAfter() {
        message.steps.next();
        message.steps.skip();
        return message.steps.index();
    }

    private void add(int position) {
        if (known == positions.length) positions = Arrays.copyOf(positions, 2 * known);
        positions[known++] = position;
    }

    /** Returns the numbers of the children by their keys; of equal keys the last. */
    private Map<?, ?> numbers() {
        synchronized (message) {
            if (numbers == null) {
                Object[] kv = token == Token.RECORD ? recordEntries.clone() : new Object[2 * size];
                if (token == Token.MAP) runHere(() -> readKeys(kv));
                for (int i = 0; i < kv.length; i += 2) kv[i + 1] = i / 2;
                numbers = (Map<?, ?>) message.steps.newMap(kv);
            }
            return numbers;
        }
    }

    private Object readKeys(Object[] kv) {
        StepReader steps = message.steps;
        int[] found = new int[size];
        steps.next();
        for (int i = 0; i < size; i++) {
            steps.next();
            kv[2 * i] = steps.key();
            found[i] = steps.index();
            steps.next();
            steps.skip();
        }
        positions = found;
        known = size;
        return null;
    }

    /** Reads at the beginning of this value. */
    private Object runHere(Supplier<Object> read) {
        synchronized (message) {
            message.steps.aim(start, depth, outside);
            try {
                return read.get();
            } catch (RuntimeException error) {
                throw within(error);
            }
        }
    }

    /** Reads at the beginning of a child, whose key is given if this is a map. */
    private Object runAt(int number, Object key, Supplier<Object> read) {
        message.steps.aim(positions[number], depth + 1, outsideOf(number));
        try {
            return read.get();
        } catch (RuntimeException error) {
            throw within(inChild(error, number, key));
        }
    }

    /** Completes the path of an error. */
    private RuntimeException within(RuntimeException error) {
        for (View view = this; view.outer != null; view = view.outer) {
            view.outer.inChild(error, view.numberInOuter, view.keyInOuter);
        }
        return error;
    }

    private RuntimeException inChild(RuntimeException thrown, int number, Object key) {
        PackordException error = PackordException.of(thrown);
        if (token == Token.ARRAY) return error.inElement(null, number);
        return error.inEntry(null, message.steps.pathKey(token == Token.RECORD ? recordEntries[2 * number] : key));
    }
}
