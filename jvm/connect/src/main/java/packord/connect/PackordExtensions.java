package packord.connect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import packord.Extension;
import packord.ExtensionHeader;
import packord.ExtensionPacker;
import packord.ExtensionUnpacker;

/** The ext types of {@code spec/extensions.md} for which Connect or Java has a type. */
final class PackordExtensions implements Extension {
  private static final int DECIMAL = 84;
  private static final int UUID_TYPE = 85;
  private static final int DATE = 87;
  private static final int TIME = 88;
  private static final long DAY = 86_400_000_000_000L;

  private final Class<?>[] classes;

  /** Makes handlers that read all of them, and write decimals, dates and times if {@code writes}. */
  PackordExtensions(boolean writes) {
    classes =
        writes
            ? new Class<?>[] {BigDecimal.class, LocalDate.class, LocalTime.class}
            : new Class<?>[0];
  }

  @Override
  public Class<?>[] classes() {
    return classes.clone();
  }

  @Override
  public boolean canPack(Object value) {
    return false;
  }

  @Override
  public boolean canUnpack(int type) {
    return type == DECIMAL || type == UUID_TYPE || type == DATE || type == TIME;
  }

  @Override
  public void pack(ExtensionPacker packer, Object value) {
    if (value instanceof BigDecimal) {
      BigDecimal decimal = (BigDecimal) value;
      packer.packExtensionOf(
          DECIMAL,
          out -> {
            out.packValue(decimal.scale());
            out.writePayload(decimal.unscaledValue().toByteArray());
          });
    } else if (value instanceof LocalDate) {
      int days = Math.toIntExact(((LocalDate) value).toEpochDay());
      packer.packExtension(DATE, ByteBuffer.allocate(4).putInt(days).array());
    } else {
      long nanos = ((LocalTime) value).toNanoOfDay();
      packer.packExtension(TIME, ByteBuffer.allocate(8).putLong(nanos).array());
    }
  }

  /** What is thrown here becomes an {@code invalid_ext} at the ext. */
  @Override
  public Object unpack(ExtensionUnpacker unpacker, ExtensionHeader header) {
    switch (header.getType()) {
      case DECIMAL: {
        Object scale = unpacker.unpackValue();
        if (!(scale instanceof Long) || (Long) scale != ((Long) scale).intValue()) {
          throw new IllegalArgumentException("scale of a decimal");
        }
        byte[] unscaled = unpacker.readPayload(unpacker.remaining());
        return new BigDecimal(new BigInteger(unscaled), ((Long) scale).intValue());
      }
      case UUID_TYPE: {
        ByteBuffer bytes = exactly(16, unpacker);
        return new UUID(bytes.getLong(), bytes.getLong());
      }
      case DATE: return LocalDate.ofEpochDay(exactly(4, unpacker).getInt());
      default: {
        long nanos = exactly(8, unpacker).getLong();
        if (nanos < 0 || nanos >= DAY) throw new IllegalArgumentException("time of day");
        return LocalTime.ofNanoOfDay(nanos);
      }
    }
  }

  private static ByteBuffer exactly(int length, ExtensionUnpacker unpacker) {
    if (unpacker.remaining() != length) throw new IllegalArgumentException("length of the payload");
    return ByteBuffer.wrap(unpacker.readPayload(length));
  }
}
