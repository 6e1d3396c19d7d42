package packord.container;

import packord.ErrorKind;
import packord.PackordException;

/** Marks and trailers: the bytes that a file has before blocks and indexes, and after indexes. */
final class Mark {
  /** What begins at an offset. */
  enum Found {
    /** A mark. */
    MARK,
    /** A trailer. */
    TRAILER,
    /** The end of the file. */
    END
  }

  /** The bytes of a mark. */
  static final int SIZE = 18;

  /** The bytes of a trailer. */
  static final int TRAILER_SIZE = 10;

  private static final int MARKER = 0xd8, TRAILER_MARKER = 0xd7, TYPE = 0x5d;

  private final byte[] bytes;

  Mark(byte[] sync) {
    bytes = new byte[SIZE];
    bytes[0] = (byte) MARKER;
    bytes[1] = TYPE;
    System.arraycopy(sync, 0, bytes, 2, sync.length);
  }

  /** Returns the mark itself. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns a trailer for an index whose mark is at an offset. */
  static byte[] trailer(long offset) {
    byte[] trailer = new byte[TRAILER_SIZE];
    trailer[0] = (byte) TRAILER_MARKER;
    trailer[1] = TYPE;
    for (int i = 0; i < 8; i++) trailer[2 + i] = (byte) (offset >>> 56 - 8 * i);
    return trailer;
  }

  /** Whether a trailer begins at an index of an array. */
  static boolean isTrailer(byte[] buf, int at) {
    return (buf[at] & 0xff) == TRAILER_MARKER && buf[at + 1] == TYPE;
  }

  /** Whether the mark begins at an offset. */
  boolean isAt(FileInput in, long offset) {
    return in.fill(offset, SIZE) == SIZE && isAt(in.buf, in.index(offset));
  }

  private boolean isAt(byte[] buf, int at) {
    for (int i = 0; i < SIZE; i++) if (buf[at + i] != bytes[i]) return false;
    return true;
  }

  /**
   * Returns what begins at an offset, where a file goes on or ends.
   *
   * @throws PackordException if it is something else, or cut
   */
  Found find(FileInput in, long offset, Faults faults) {
    int there = in.fill(offset, 2);
    if (there == 0) return Found.END;
    int first = in.at(offset);
    if (first == TRAILER_MARKER && (there < 2 || in.at(offset + 1) == TYPE)) {
      if (in.fill(offset, TRAILER_SIZE) == TRAILER_SIZE) return Found.TRAILER;
      throw faults.at(ErrorKind.EOF, in.end(), null);
    }
    if (first == MARKER) {
      there = in.fill(offset, SIZE);
      int from = in.index(offset);
      boolean agrees = true;
      for (int i = 0; i < there; i++) agrees &= in.buf[from + i] == bytes[i];
      if (agrees && there == SIZE) return Found.MARK;
      if (agrees) throw faults.at(ErrorKind.EOF, in.end(), null);
    }
    throw faults.at(ErrorKind.INVALID_EXT, offset, "neither a mark nor a trailer");
  }

  /**
   * Looks for the bytes of the mark.
   *
   * @param keep an offset from which on a stream is still needed
   * @return the offset of the first one from {@code from} on, or -1 if there is none
   */
  long search(FileInput in, long from, long keep) {
    long at = from;
    while (true) {
      in.keepFrom(Math.min(at, keep));
      int there = in.fill(at, SIZE);
      if (there < SIZE) return -1;
      there = in.available(at);
      byte[] buf = in.buf;
      int start = in.index(at);
      int last = start + there - SIZE;
      for (int i = start; i <= last; i++) {
        if (buf[i] == bytes[0] && buf[i + 1] == TYPE && isAt(buf, i)) return at + i - start;
      }
      at += there - SIZE + 1;
    }
  }
}
