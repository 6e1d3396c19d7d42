package packord.spark.columns;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import packord.Notation;
import packord.Unpacker;

/** Writes values as JSON, in the form that the tool {@code packord unpack} writes. */
final class JsonText {
    private static final Set<String> TAKEN = Set.of("bin", "ext", "timestamp", "float");

    /** The years 0000 to 9999, in seconds since 1970. */
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();

    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private byte[] text = new byte[256];
    private int size;

    /** Forgets all that was written after a place. */
    void truncate(int to) {
        size = to;
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return text;
    }

    private void room(int count) {
        if (text.length - size < count) {
            text = Arrays.copyOf(text, (int)
                    Math.min(Integer.MAX_VALUE - 16, Math.max(2L * text.length, (long) size + count)));
        }
    }

    private void put(int value) {
        room(1);
        text[size++] = (byte) value;
    }

    /** Writes characters as they are. */
    void ascii(String value) {
        room(value.length());
        for (int i = 0; i < value.length(); i++) text[size++] = (byte) value.charAt(i);
    }

    /** Writes bytes as they are. */
    void raw(byte[] bytes, int from, int count) {
        room(count);
        System.arraycopy(bytes, from, text, size, count);
        size += count;
    }

    void integer(long value) {
        ascii(Long.toString(value));
    }

    void number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            String name = Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
            ascii("{\"$float\":\"" + name + "\"}");
            return;
        }
        double size = Math.abs(value);
        String digits = Double.toString(value);
        if (digits.indexOf('E') < 0) ascii(digits);
        else if (size >= 1e-4 && size < 1e16) ascii(plainDigits(digits));
        else ascii(Notation.of(value));
    }

    private static String plainDigits(String digits) {
        String plain = new BigDecimal(digits).stripTrailingZeros().toPlainString();
        return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }

    /** Writes a value, and returns the index after it. */
    int value(byte[] bytes, int at) {
        int from = PackedValue.content(bytes, at);
        switch (PackedValue.type(bytes, at)) {
            case NIL -> ascii("null");
            case BOOL -> ascii(PackedValue.bool(bytes, at) ? "true" : "false");
            case INT -> integer(PackedValue.integer(bytes, at));
            case UINT -> ascii(Long.toUnsignedString(PackedValue.integer(bytes, at)));
            case FLOAT -> number(PackedValue.number(bytes, at));
            case STR -> {
                int to = from + PackedValue.size(bytes, at);
                string(bytes, from, to);
                return to;
            }
            case BIN -> {
                ascii("{\"$bin\":");
                base64(bytes, from, PackedValue.size(bytes, at));
                put('}');
                return from + PackedValue.size(bytes, at);
            }
            case TIMESTAMP -> {
                ascii("{\"$timestamp\":");
                timestamp(PackedValue.seconds(bytes, at), PackedValue.nanos(bytes, at));
                put('}');
                return from + PackedValue.size(bytes, at);
            }
            case EXT -> {
                ascii("{\"$ext\":[" + PackedValue.extType(bytes, at) + ",");
                base64(bytes, from, PackedValue.size(bytes, at));
                ascii("]}");
                return from + PackedValue.size(bytes, at);
            }
            case ARRAY -> {
                return array(bytes, from, PackedValue.size(bytes, at));
            }
            case MAP -> {
                return map(bytes, from, PackedValue.size(bytes, at));
            }
        }
        return from;
    }

    private int array(byte[] bytes, int from, int count) {
        int next = from;
        put('[');
        for (int i = 0; i < count; i++) {
            if (i > 0) put(',');
            next = value(bytes, next);
        }
        put(']');
        return next;
    }

    private int map(byte[] bytes, int from, int count) {
        int next = from;
        put('{');
        for (int i = 0; i < count; i++) {
            if (i > 0) put(',');
            next = key(bytes, next);
            put(':');
            next = value(bytes, next);
        }
        put('}');
        return next;
    }

    private int key(byte[] bytes, int at) {
        int end = PackedValue.skip(bytes, at);
        put('"');
        if (PackedValue.type(bytes, at) == PackedValue.Type.STR) {
            int from = PackedValue.content(bytes, at);
            if (from < end && bytes[from] == '$' && isTaken(bytes, from, end)) put('$');
            escaped(bytes, from, end);
        } else {
            Object key = Unpacker.standard().unpack(Arrays.copyOfRange(bytes, at, end));
            byte[] notation = Notation.of(key).getBytes(StandardCharsets.UTF_8);
            ascii("$key:");
            escaped(notation, 0, notation.length);
        }
        put('"');
        return end;
    }

    /** Whether a key, after one or more $, is one of those that have a meaning here. */
    private static boolean isTaken(byte[] bytes, int from, int to) {
        String word = new String(bytes, from, to - from, StandardCharsets.UTF_8).replaceFirst("^\\$+", "");
        return TAKEN.contains(word) || word.startsWith("key:");
    }

    private void string(byte[] bytes, int from, int to) {
        put('"');
        escaped(bytes, from, to);
        put('"');
    }

    private void escaped(byte[] bytes, int from, int to) {
        int plain = from;
        for (int i = from; i < to; i++) {
            byte each = bytes[i];
            if (each >= ' ' && each != '"' && each != '\\' || each < 0) continue;
            raw(bytes, plain, i - plain);
            plain = i + 1;
            switch (each) {
                case '"' -> ascii("\\\"");
                case '\\' -> ascii("\\\\");
                case '\n' -> ascii("\\n");
                case '\r' -> ascii("\\r");
                case '\t' -> ascii("\\t");
                case '\b' -> ascii("\\b");
                case '\f' -> ascii("\\f");
                default -> ascii(String.format("\\u%04x", each));
            }
        }
        raw(bytes, plain, to - plain);
    }

    private void base64(byte[] bytes, int from, int count) {
        byte[] encoded = Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, from + count));
        put('"');
        raw(encoded, 0, encoded.length);
        put('"');
    }

    private void timestamp(long seconds, int nanos) {
        if (seconds < FIRST || seconds > LAST) {
            ascii("[" + seconds + "," + nanos + "]");
            return;
        }
        String whole = Instant.ofEpochSecond(seconds).toString();
        put('"');
        ascii(whole.substring(0, whole.length() - 1));
        if (nanos > 0) ascii(String.format(".%09d", nanos).replaceFirst("0+$", ""));
        ascii("Z\"");
    }
}
