package packord.encode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.ext.BigIntegers;
import packord.record.EncoderStructures;
import packord.record.Structure;
import packord.wire.WholeNumbers;

/** The part of the encoder that writes numbers, dates and bytes as the options want them, and ids of records. */
abstract class ScalarEncoder extends Output {
    private static final long CANONICAL_NAN = 0x7ff8000000000000L;

    public final Options options;

    private boolean floatsKept;

    ScalarEncoder(Options options) {
        super(options.records, options.utf8 == Options.Utf8.REPLACE);
        this.options = options;
    }

    /** Returns the error for a value of a class that has no encoding. */
    final RuntimeException unsupported(Object value) {
        return refused(value.getClass().getName());
    }

    /** Returns the error for a value that has no encoding. */
    public final RuntimeException refused(String detail) {
        return error(ErrorKind.UNSUPPORTED_TYPE, detail);
    }

    /** Returns the name of an option as the program writes it. */
    String option(String name) {
        return name;
    }

    /** Writes a number of Java's own types. */
    void number(Number value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            integer(value.longValue());
        } else if (value instanceof Double) {
            float64OrSmaller((Double) value);
        } else if (value instanceof Float) {
            float32OrDouble((Float) value);
        } else if (value instanceof BigInteger) {
            bigInteger((BigInteger) value);
        } else if (value instanceof BigDecimal) {
            str(value.toString());
        } else if (value instanceof AtomicInteger || value instanceof AtomicLong || value instanceof LongAdder) {
            integer(value.longValue());
        } else {
            throw unsupported(value);
        }
    }

    final void float32OrDouble(float value) {
        if (options.canonical) float64OrSmaller(value);
        else float32(value);
    }

    /** Writes a double as the options want it. */
    public final void float64OrSmaller(double value) {
        if (options.canonical) {
            canonicalFloat(value);
        } else if (options.float32 && survivesFloat32(value)) {
            float32((float) value);
        } else {
            float64(value);
        }
    }

    private void canonicalFloat(double value) {
        if (Double.isNaN(value)) {
            float64(Double.longBitsToDouble(CANONICAL_NAN));
        } else if (floatsKept || !WholeNumbers.isOne(value)) {
            float64(value);
        } else if (WholeNumbers.isUnsigned(value)) {
            unsigned64(WholeNumbers.bits(value));
        } else {
            integer(WholeNumbers.bits(value));
        }
    }

    /** Keeps 1.0 apart from 1 in canonical form too, as comparing values needs. */
    final void keepFloats() {
        floatsKept = true;
    }

    private static boolean survivesFloat32(double value) {
        return Double.doubleToRawLongBits((float) value) == Double.doubleToRawLongBits(value);
    }

    /** Writes an integer of any size, beyond 64 bits with the option {@code bigint} alone. */
    public final void bigInteger(BigInteger value) {
        if (!options.bigint && !BigIntegers.isWithin64Bits(value)) {
            String detail = value.bitLength() + " bits without the option " + option("bigint");
            throw error(ErrorKind.OUT_OF_RANGE, detail);
        }
        anyInteger(value);
    }

    /** Writes an integer of any size, whatever the options say. */
    final void anyInteger(BigInteger value) {
        if (value.bitLength() < 64) {
            integer(value.longValue());
        } else if (BigIntegers.isWithin64Bits(value)) {
            unsigned64(value.longValue());
        } else {
            byte[] payload = value.toByteArray();
            extHeader(BigIntegers.TYPE, payload.length);
            raw(payload, 0, payload.length);
        }
    }

    /** Writes a date as a timestamp. A subclass such as that of java.sql may be finer than a millisecond. */
    public final void date(Date date) {
        if (date.getClass() != Date.class) {
            try {
                Instant instant = date.toInstant();
                timestamp(instant.getEpochSecond(), instant.getNano());
                return;
            } catch (UnsupportedOperationException exception) {
                // The dates and times of java.sql have no instant, but milliseconds.
            }
        }
        long ms = date.getTime();
        timestamp(Math.floorDiv(ms, 1000L), (int) Math.floorMod(ms, 1000L) * 1_000_000);
    }

    /** Writes a point in time that has an offset or zone. False if the value is none. */
    final boolean pointInTime(Object value) {
        if (value instanceof ChronoZonedDateTime) {
            ChronoZonedDateTime<?> time = (ChronoZonedDateTime<?>) value;
            timestamp(time.toEpochSecond(), time.toLocalTime().getNano());
        } else if (value instanceof OffsetDateTime) {
            timestamp(((OffsetDateTime) value).toEpochSecond(), ((OffsetDateTime) value).getNano());
        } else if (value instanceof Calendar) {
            date(((Calendar) value).getTime());
        } else {
            return false;
        }
        return true;
    }

    /** Writes an array of Byte as a bin. */
    final void boxedBytes(Byte[] boxed) {
        byte[] bytes = new byte[boxed.length];
        for (int i = 0; i < boxed.length; i++) {
            if (boxed[i] == null)
                throw PackordException.of(refused("nil in an array of Byte")).inElement(boxed, i);
            bytes[i] = boxed[i];
        }
        bin(bytes, 0, bytes.length);
    }

    /** Writes the remaining bytes of a buffer as a bin; its position moves. */
    final void byteBuffer(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        bin(bytes, 0, bytes.length);
    }

    /** Writes the elements of an array of primitives. */
    final void numbers(Object array) {
        if (array instanceof long[]) {
            for (long element : (long[]) array) integer(element);
        } else if (array instanceof double[]) {
            for (double element : (double[]) array) float64OrSmaller(element);
        } else if (array instanceof int[]) {
            for (int element : (int[]) array) integer(element);
        } else if (array instanceof short[]) {
            for (short element : (short[]) array) integer(element);
        } else if (array instanceof float[]) {
            for (float element : (float[]) array) float32OrDouble(element);
        } else if (array instanceof char[]) {
            for (char element : (char[]) array) str(String.valueOf(element));
        } else {
            for (boolean element : (boolean[]) array) bool(element);
        }
    }

    /** Writes the id of a structure, after its definition if needed. False if it cannot have one. */
    final boolean recordHeader(EncoderStructures records, Structure structure) {
        EncoderStructures.Use use = records.use(structure);
        if (use == EncoderStructures.Use.PLAIN) return false;
        if (use == EncoderStructures.Use.DEFINE) {
            extHeader(Structure.EXT_TYPE, records.idLength(structure));
        }
        int id = records.id(structure);
        put(id & 0xff);
        if (records.idLength(structure) == 2) put(id >> 8);
        if (use == EncoderStructures.Use.DEFINE) definedKeys(structure);
        return true;
    }

    private void definedKeys(Structure structure) {
        if (structure.packedKeys != null) {
            raw(structure.packedKeys);
        } else {
            hold();
            int start = pos;
            arrayHeader(structure.keys.size());
            for (String key : structure.keys) str(key);
            structure.packedKeys = Arrays.copyOfRange(buf, start, pos);
            letGo();
        }
    }
}
