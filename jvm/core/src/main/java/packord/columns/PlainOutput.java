package packord.columns;

import packord.wire.Bytes;
import packord.wire.Marker;

/** Writes values as plain MessagePack, each in its smallest format. */
final class PlainOutput extends GrowingBytes {
  PlainOutput(int capacity) {
    super(capacity);
  }

  private void byte1(int value) {
    bytes[size++] = (byte) value;
  }

  private void with8(int marker, int value) {
    bytes[size] = (byte) marker;
    bytes[size + 1] = (byte) value;
    size += 2;
  }

  private void with16(int marker, int value) {
    bytes[size] = (byte) marker;
    Bytes.put16(bytes, size + 1, value);
    size += 3;
  }

  private void with32(int marker, int value) {
    bytes[size] = (byte) marker;
    Bytes.put32(bytes, size + 1, value);
    size += 5;
  }

  private void with64(int marker, long value) {
    bytes[size] = (byte) marker;
    Bytes.put64(bytes, size + 1, value);
    size += 9;
  }

  void integer(long value, boolean unsigned) {
    room(9);
    if (value >= 0 || unsigned) {
      if (value >>> 7 == 0) byte1((int) value);
      else if (value >>> 8 == 0) with8(Marker.UINT8, (int) value);
      else if (value >>> 16 == 0) with16(Marker.UINT16, (int) value);
      else if (value >>> 32 == 0) with32(Marker.UINT32, (int) value);
      else with64(Marker.UINT64, value);
    } else if (value >= -32) byte1((int) value);
    else if (value >= Byte.MIN_VALUE) with8(Marker.INT8, (int) value);
    else if (value >= Short.MIN_VALUE) with16(Marker.INT16, (int) value);
    else if (value >= Integer.MIN_VALUE) with32(Marker.INT32, (int) value);
    else with64(Marker.INT64, value);
  }

  void float32(int bits) {
    room(5);
    with32(Marker.FLOAT32, bits);
  }

  void float64(long bits) {
    room(9);
    with64(Marker.FLOAT64, bits);
  }

  void time(long seconds, long nanos) {
    room(15);
    if (seconds >>> 34 != 0) {
      with8(Marker.EXT8, 12);
      byte1(-1);
      Bytes.put32(bytes, size, (int) nanos);
      Bytes.put64(bytes, size + 4, seconds);
      size += 12;
    } else if (nanos != 0 || seconds >>> 32 != 0) {
      with8(Marker.FIXEXT8, -1);
      Bytes.put64(bytes, size, nanos << 34 | seconds);
      size += 8;
    } else {
      with8(Marker.FIXEXT4, -1);
      Bytes.put32(bytes, size, (int) seconds);
      size += 4;
    }
  }

  void str(int length) {
    room(5);
    if (length < 32) byte1(Marker.FIXSTR | length);
    else sized(Marker.STR8, length);
  }

  void bin(int length) {
    room(5);
    sized(Marker.BIN8, length);
  }

  /** Writes the header of three with which bytes begin; the marker is that of 8 bits. */
  private void sized(int marker8, int length) {
    if (length >>> 8 == 0) with8(marker8, length);
    else if (length >>> 16 == 0) with16(marker8 + 1, length);
    else with32(marker8 + 2, length);
  }

  void ext(int type, int length) {
    room(6);
    if (length > 0 && length <= 16 && (length & length - 1) == 0) {
      byte1(Marker.FIXEXT1 + Integer.numberOfTrailingZeros(length));
    } else sized(Marker.EXT8, length);
    byte1(type);
  }

  void array(int count) {
    room(5);
    if (count < 16) byte1(Marker.FIXARRAY | count);
    else if (count >>> 16 == 0) with16(Marker.ARRAY16, count);
    else with32(Marker.ARRAY32, count);
  }

  void map(int count) {
    room(5);
    if (count < 16) byte1(Marker.FIXMAP | count);
    else if (count >>> 16 == 0) with16(Marker.MAP16, count);
    else with32(Marker.MAP32, count);
  }
}
