package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/** Schemas and values of all types, the same for the same seed. Maps have strings as keys, as in JSON. */
final class RandomData {
    private static final long DAY = 86_400_000;

    private final Random random;

    RandomData(long seed) {
        random = new Random(seed);
    }

    Schema schema(int depth) {
        SchemaBuilder builder = builder(depth);
        if (random.nextBoolean()) builder.optional();
        if (random.nextInt(8) == 0) builder.doc("doc " + random.nextInt());
        if (random.nextInt(8) == 0) builder.parameter("p", "é");
        if (builder.name() == null && random.nextInt(8) == 0)
            builder.name("n" + random.nextInt(9)).version(3);
        boolean isSimple = builder.type().isPrimitive() && builder.type() != Schema.Type.BYTES;
        if (isSimple && random.nextInt(4) == 0) {
            Object value = value(builder);
            if (value != null) builder.defaultValue(value);
        }
        return builder.build();
    }

    private SchemaBuilder builder(int depth) {
        switch (random.nextInt(depth > 0 ? 16 : 13)) {
            case 0:
                return SchemaBuilder.bool();
            case 1:
                return SchemaBuilder.int8();
            case 2:
                return SchemaBuilder.int16();
            case 3:
                return SchemaBuilder.int32();
            case 4:
                return SchemaBuilder.int64();
            case 5:
                return SchemaBuilder.float32();
            case 6:
                return SchemaBuilder.float64();
            case 7:
                return SchemaBuilder.string();
            case 8:
                return SchemaBuilder.bytes();
            case 9:
                return Decimal.builder(random.nextInt(12) - 3);
            case 10:
                return org.apache.kafka.connect.data.Date.builder();
            case 11:
                return Time.builder();
            case 12:
                return Timestamp.builder();
            case 13:
                return SchemaBuilder.array(schema(depth - 1));
            case 14:
                return SchemaBuilder.map(Schema.STRING_SCHEMA, schema(depth - 1));
            default: {
                SchemaBuilder struct = SchemaBuilder.struct();
                int count = random.nextInt(5);
                for (int i = 0; i < count; i++) struct.field("f" + i, schema(depth - 1));
                return struct;
            }
        }
    }

    Object value(Schema schema) {
        if (schema.isOptional() && random.nextInt(4) == 0) return null;
        if (LogicalFormat.isLogical(schema)) return logical(schema);
        switch (schema.type()) {
            case BOOLEAN:
                return random.nextBoolean();
            case INT8:
                return (byte) random.nextInt();
            case INT16:
                return (short) random.nextInt();
            case INT32:
                return random.nextInt() >> random.nextInt(32);
            case INT64:
                return random.nextLong() >> random.nextInt(64);
            case FLOAT32:
                return random.nextFloat();
            case FLOAT64:
                return random.nextGaussian();
            case STRING:
                return "é日𝄞abc".substring(0, random.nextInt(4)) + random.nextInt(100);
            case BYTES:
                return BigInteger.valueOf(random.nextLong()).toByteArray();
            case ARRAY: {
                List<Object> array = new ArrayList<>();
                for (int i = random.nextInt(20); i > 0; i--) array.add(value(schema.valueSchema()));
                return array;
            }
            case MAP: {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) map.put("k" + i, value(schema.valueSchema()));
                return map;
            }
            default: {
                Struct struct = new Struct(schema.schema());
                for (Field field : schema.fields()) struct.put(field, value(field.schema()));
                return struct;
            }
        }
    }

    private Object logical(Schema schema) {
        switch (schema.name()) {
            case Decimal.LOGICAL_NAME:
                return new BigDecimal(
                        new BigInteger(random.nextInt(120), random),
                        Integer.parseInt(schema.parameters().get("scale")));
            case org.apache.kafka.connect.data.Date.LOGICAL_NAME:
                return new Date((random.nextInt(80_000) - 20_000) * DAY);
            case Time.LOGICAL_NAME:
                return new Date(random.nextInt((int) DAY));
            default:
                return new Date(random.nextInt() * 10_000L + random.nextInt(1000));
        }
    }
}
