package packord.container;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import packord.Options;
import packord.PackordException;
import packord.columns.Tape;
import packord.decode.PlainMessages;

/**
 * The rows or messages of a body as plain MessagePack: without records and without columns. Each is
 * found by its place on a tape.
 */
final class PlainRows {
  private final byte[] bytes;
  private final Tape tape = new Tape();
  private final int[] places;

  private PlainRows(ByteBuffer plain, boolean isTable) {
    bytes = plain.array();
    int size = plain.limit();
    tape.scan(bytes, 0, size);
    if (size == 0 || isTable && tape.type(0) != Tape.ARRAY) {
      places = size == 0 ? new int[0] : null;
      return;
    }
    int[] found = new int[64];
    int count = 0;
    for (int row = isTable ? 1 : 0; tape.at(row) < size; row = tape.next(row)) {
      if (count == found.length) found = Arrays.copyOf(found, 2 * count);
      found[count++] = row;
    }
    places = Arrays.copyOf(found, count);
  }

  /**
   * Returns the rows of a body of rows, or the messages of one of messages.
   *
   * @param limit the most bytes that they may take
   * @return the rows, or null if the body is no array but should be one
   * @throws PackordException when the body is malformed, with the offset in it
   */
  static PlainRows of(Options options, byte[] body, boolean isTable, long limit) {
    PlainRows rows = new PlainRows(PlainMessages.of(options, body, isTable, limit), isTable);
    return rows.places == null ? null : rows;
  }

  /** Returns the number of rows. */
  int size() {
    return places.length;
  }

  /** Returns the tape with all rows. */
  Tape tape() {
    return tape;
  }

  /** Returns the place of a row on the tape. */
  int place(int row) {
    return places[row];
  }

  /** Returns the rows, each as a message of its own that is copied when it is asked for. */
  List<byte[]> packed() {
    return new AbstractList<>() {
      @Override
      public byte[] get(int row) {
        return Arrays.copyOfRange(bytes, tape.at(places[row]), tape.end(places[row]));
      }

      @Override
      public int size() {
        return places.length;
      }
    };
  }
}
