package packord.columns;

import static packord.columns.MalformedColumns.need;

import packord.wire.Bytes;
import packord.wire.Marker;

/** Passes the values of a section of PLAIN by their headers, and counts what is in them. */
final class PlainCursor {
  private final byte[] bytes;
  private final int end;

  /** The index of the next value. */
  int at;

  /** The values that were passed, keys and what is in containers included. */
  long count;

  PlainCursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Passes a value. */
  void next() {
    for (long unread = 1; unread > 0; unread--) {
      need(unread <= end - at);
      int marker = bytes[at] & 0xff;
      int header = 1 + Marker.bytesAfter(marker);
      need(header <= end - at);
      long length = length(marker, at + 1);
      at += header;
      count++;
      if (marker >= Marker.FIXARRAY && marker < Marker.FIXSTR || marker == Marker.ARRAY16 || marker == Marker.ARRAY32) {
        unread += length;
      } else if (marker >= Marker.FIXMAP && marker < Marker.FIXARRAY || marker >= Marker.MAP16 && marker <= Marker.MAP32) {
        unread += 2 * length;
      } else {
        need(length <= end - at);
        at += (int) length;
      }
    }
  }

  /** Returns the bytes, elements or entries that a header announces. */
  private long length(int marker, int from) {
    if (marker < Marker.FIXMAP || marker >= Marker.NEGATIVE_FIXINT) return 0;
    if (marker < Marker.FIXSTR) return marker & 0xf;
    if (marker < Marker.NIL) return marker & 0x1f;
    switch (marker) {
      case Marker.BIN8:
      case Marker.EXT8:
      case Marker.STR8: return bytes[from] & 0xff;
      case Marker.BIN16:
      case Marker.EXT16:
      case Marker.STR16:
      case Marker.ARRAY16:
      case Marker.MAP16: return Bytes.u16(bytes, from);
      case Marker.BIN32:
      case Marker.EXT32:
      case Marker.STR32:
      case Marker.ARRAY32:
      case Marker.MAP32: return Bytes.u32(bytes, from);
      default: return Marker.isExt(marker) ? 1L << marker - Marker.FIXEXT1 : 0;
    }
  }
}
