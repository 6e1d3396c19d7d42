package packord.spark.columns;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import packord.Notation;
import packord.Unpacker;
import packord.wire.Marker;
import packord.wire.PackedBytes;

/** Writes values as JSON, in the form that the tool {@code packord unpack} writes. */
final class JsonText {
    private static final Set<String> TAKEN = Set.of("bin", "ext", "timestamp", "float");

    /** The years 0000 to 9999, in seconds since 1970. */
    private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();

    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    final PackedBytes out = new PackedBytes();

    /** Writes characters as they are. */
    void ascii(String value) {
        out.raw(value.getBytes(StandardCharsets.ISO_8859_1));
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
        int size = PackedValue.size(bytes, at);
        PackedValue.Type type = PackedValue.type(bytes, at);
        switch (type) {
            case NIL -> ascii("null");
            case BOOL -> ascii(PackedValue.bool(bytes, at) ? "true" : "false");
            case INT -> ascii(Long.toString(Marker.integer(bytes, at)));
            case UINT -> ascii(Long.toUnsignedString(Marker.integer(bytes, at)));
            case FLOAT -> number(Marker.number(bytes, at));
            case STR -> string(bytes, from, from + size);
            case BIN -> {
                ascii("{\"$bin\":");
                base64(bytes, from, size);
                out.put('}');
            }
            case TIMESTAMP -> {
                ascii("{\"$timestamp\":");
                timestamp(PackedValue.seconds(bytes, at), PackedValue.nanos(bytes, at));
                out.put('}');
            }
            case EXT -> {
                ascii("{\"$ext\":[" + PackedValue.extType(bytes, at) + ",");
                base64(bytes, from, size);
                ascii("]}");
            }
            case ARRAY, MAP -> {
                return container(bytes, from, size, type == PackedValue.Type.MAP);
            }
        }
        return from + size;
    }

    private int container(byte[] bytes, int from, int count, boolean isMap) {
        int next = from;
        out.put(isMap ? '{' : '[');
        for (int i = 0; i < count; i++) {
            if (i > 0) out.put(',');
            if (isMap) {
                next = key(bytes, next);
                out.put(':');
            }
            next = value(bytes, next);
        }
        out.put(isMap ? '}' : ']');
        return next;
    }

    private int key(byte[] bytes, int at) {
        int end = PackedValue.skip(bytes, at);
        out.put('"');
        if (PackedValue.type(bytes, at) == PackedValue.Type.STR) {
            int from = PackedValue.content(bytes, at);
            if (from < end && bytes[from] == '$' && isTaken(bytes, from, end)) out.put('$');
            escaped(bytes, from, end);
        } else {
            Object key = Unpacker.standard().unpack(Arrays.copyOfRange(bytes, at, end));
            byte[] notation = Notation.of(key).getBytes(StandardCharsets.UTF_8);
            ascii("$key:");
            escaped(notation, 0, notation.length);
        }
        out.put('"');
        return end;
    }

    /** Whether a key, after one or more $, is one of those that have a meaning here. */
    private static boolean isTaken(byte[] bytes, int from, int to) {
        String word = new String(bytes, from, to - from, StandardCharsets.UTF_8).replaceFirst("^\\$+", "");
        return TAKEN.contains(word) || word.startsWith("key:");
    }

    private void string(byte[] bytes, int from, int to) {
        out.put('"');
        escaped(bytes, from, to);
        out.put('"');
    }

    private void escaped(byte[] bytes, int from, int to) {
        int plain = from;
        for (int i = from; i < to; i++) {
            byte each = bytes[i];
            if (each >= ' ' && each != '"' && each != '\\' || each < 0) continue;
            out.raw(bytes, plain, i - plain);
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
        out.raw(bytes, plain, to - plain);
    }

    private void base64(byte[] bytes, int from, int count) {
        byte[] encoded = Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, from + count));
        out.put('"');
        out.raw(encoded, 0, encoded.length);
        out.put('"');
    }

    private void timestamp(long seconds, int nanos) {
        if (seconds < FIRST || seconds > LAST) {
            ascii("[" + seconds + "," + nanos + "]");
            return;
        }
        String whole = Instant.ofEpochSecond(seconds).toString();
        out.put('"');
        ascii(whole.substring(0, whole.length() - 1));
        if (nanos > 0) ascii(String.format(".%09d", nanos).replaceFirst("0+$", ""));
        ascii("Z\"");
    }
}
