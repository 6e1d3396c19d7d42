package packord.compat;

import java.io.ByteArrayOutputStream;
import packord.wire.Bytes;
import packord.wire.Marker;

/** The format of before str 8 and bin, when one type, raw, held text and bytes. */
public final class OldRaw {
  private OldRaw() {}

  /**
   * Returns a message with each str and bin as raw. Everything else, ext too, stays as it is.
   *
   * @param message a whole message that packord has written
   */
  public static byte[] of(byte[] message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(message.length + 16);
    int copied = 0;
    int at = 0;
    while (at < message.length) {
      int marker = message[at] & 0xff;
      int payload = at + 1 + Marker.bytesAfter(marker);
      int size = payloadSize(message, at, marker);
      if (marker == Marker.STR8 || marker >= Marker.BIN8 && marker <= Marker.BIN32) {
        out.write(message, copied, at - copied);
        header(out, size);
        copied = payload;
      }
      at = payload + size;
    }
    out.write(message, copied, at - copied);
    return out.toByteArray();
  }

  private static int payloadSize(byte[] message, int at, int marker) {
    if (marker >= Marker.FIXSTR && marker < Marker.NIL) return marker & 0x1f;
    switch (marker) {
      case Marker.STR8:
      case Marker.BIN8:
      case Marker.EXT8: return message[at + 1] & 0xff;
      case Marker.STR16:
      case Marker.BIN16:
      case Marker.EXT16: return Bytes.u16(message, at + 1);
      case Marker.STR32:
      case Marker.BIN32:
      case Marker.EXT32: return (int) Bytes.u32(message, at + 1);
      default:
        return marker >= Marker.FIXEXT1 && marker <= Marker.FIXEXT16
            ? 1 << marker - Marker.FIXEXT1
            : 0;
    }
  }

  private static void header(ByteArrayOutputStream out, int size) {
    if (size < 32) {
      out.write(Marker.FIXSTR | size);
      return;
    }
    out.write(size < 1 << 16 ? Marker.STR16 : Marker.STR32);
    for (int shift = size < 1 << 16 ? 8 : 24; shift >= 0; shift -= 8) out.write(size >> shift);
  }
}
