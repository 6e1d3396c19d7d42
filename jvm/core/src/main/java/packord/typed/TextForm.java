package packord.typed;

import java.io.File;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.chrono.ChronoZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Currency;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The text of values that have no type in MessagePack ({@code spec/defaults.md} section 1.1), and what is read of it.
 */
public final class TextForm {
    private static final DateTimeFormatter YEAR = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, 10, SignStyle.EXCEEDS_PAD)
            .toFormatter();

    private static final DateTimeFormatter YEAR_MONTH =
            new DateTimeFormatterBuilder().append(YEAR).appendPattern("-MM").toFormatter();

    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F.]*+:[0-9a-fA-F:.]*+");

    /** A duration that begins with the sign of all its numbers, which have none of their own. */
    private static final Pattern SIGNED = Pattern.compile("-PT[0-9.HMS]+");

    private static final Pattern NUMBER = Pattern.compile("[0-9.]+");

    private TextForm() {}

    /** Returns the text of a value, or null if it is of no type that is written as text. */
    public static String of(Object value) {
        if (value instanceof Enum) return EnumNames.of((Enum<?>) value);
        if (value instanceof CharSequence
                || value instanceof Character
                || value instanceof UUID
                || value instanceof BigDecimal
                || value instanceof URI
                || value instanceof URL
                || value instanceof Path
                || value instanceof File
                || value instanceof Currency) {
            return value.toString();
        }
        if (value instanceof TemporalAccessor) return isPointInTime(value) ? null : ofTime(value);
        if (value instanceof Duration) return ofDuration((Duration) value);
        if (value instanceof TemporalAmount || value instanceof ZoneId) return value.toString();
        if (value instanceof Locale) return ((Locale) value).toLanguageTag();
        return value instanceof InetAddress ? ofAddress((InetAddress) value) : null;
    }

    private static boolean isPointInTime(Object value) {
        return value instanceof Instant || value instanceof ChronoZonedDateTime || value instanceof OffsetDateTime;
    }

    private static String ofTime(Object value) {
        if (value instanceof LocalTime) return ofTime((LocalTime) value);
        if (value instanceof LocalDateTime) {
            LocalDateTime time = (LocalDateTime) value;
            return time.toLocalDate() + "T" + ofTime(time.toLocalTime());
        }
        if (value instanceof OffsetTime) {
            OffsetTime time = (OffsetTime) value;
            String offset = time.getOffset().getTotalSeconds() == 0
                    ? "+00:00"
                    : time.getOffset().getId();
            return ofTime(time.toLocalTime()) + offset;
        }
        if (value instanceof Year) return YEAR.format((Year) value);
        return value instanceof YearMonth ? YEAR_MONTH.format((YearMonth) value) : value.toString();
    }

    /** Java leaves out seconds that are zero. */
    private static String ofTime(LocalTime time) {
        String text = time.toString();
        return text.length() == 5 ? text + ":00" : text;
    }

    private static String ofDuration(Duration duration) {
        boolean negative = duration.isNegative();
        int nanos = duration.getNano();
        long seconds = duration.getSeconds();
        if (negative) {
            // The least number has no counterpart, but as unsigned it is its own.
            seconds = nanos == 0 ? -seconds : -seconds - 1;
            if (nanos != 0) nanos = 1_000_000_000 - nanos;
        }
        long hours = Long.divideUnsigned(seconds, 3600);
        int minutes = (int) (Long.remainderUnsigned(seconds, 3600) / 60);
        int rest = (int) Long.remainderUnsigned(seconds, 60);
        StringBuilder text = new StringBuilder(negative ? "-PT" : "PT");
        if (hours != 0) text.append(hours).append('H');
        if (minutes != 0) text.append(minutes).append('M');
        if (rest != 0 || nanos != 0 || text.charAt(text.length() - 1) == 'T') {
            // The text of a time of day has the digits of the fraction.
            String fraction =
                    nanos == 0 ? "" : LocalTime.of(0, 0, 0, nanos).toString().substring(8);
            text.append(rest).append(fraction).append('S');
        }
        return text.toString();
    }

    /** Reads a duration. Java itself does not read the text of the longest one that is negative. */
    public static Duration duration(String text) {
        if (!SIGNED.matcher(text).matches()) return Duration.parse(text);
        return Duration.parse(NUMBER.matcher(text.substring(1)).replaceAll("-$0"));
    }

    public static Year year(String text) {
        return YEAR.parse(text, Year::from);
    }

    public static YearMonth yearMonth(String text) {
        return YEAR_MONTH.parse(text, YearMonth::from);
    }

    /** Reads an address, and never asks for the address of a name. Null if the text is none. */
    public static InetAddress address(String text) {
        if (!ADDRESS.matcher(text).matches()) return null;
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException exception) {
            return null;
        }
    }

    /** Unlike Java, leaves out the longest run of zeros of an address of IPv6, as other languages do. */
    private static String ofAddress(InetAddress address) {
        String text = address.getHostAddress();
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) return text;
        int start = 8;
        int longest = 1;
        for (int i = 0; i < 8; i++) {
            int zeros = 0;
            while (i + zeros < 8 && (bytes[2 * (i + zeros)] | bytes[2 * (i + zeros) + 1]) == 0) zeros++;
            if (zeros > longest) {
                start = i;
                longest = zeros;
            }
        }
        if (start == 8) return text;
        int scope = text.indexOf('%');
        String[] groups = (scope < 0 ? text : text.substring(0, scope)).split(":");
        StringBuilder shorter = new StringBuilder();
        for (int i = 0; i < start; i++) shorter.append(i == 0 ? "" : ":").append(groups[i]);
        shorter.append("::");
        for (int i = start + longest; i < 8; i++) {
            shorter.append(i == start + longest ? "" : ":").append(groups[i]);
        }
        return scope < 0
                ? shorter.toString()
                : shorter.append(text, scope, text.length()).toString();
    }
}
