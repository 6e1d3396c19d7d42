package packord.container;

import static packord.columns.MalformedColumns.need;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.columns.ColumnNode;
import packord.columns.ColumnsPayload;
import packord.columns.Decimals;
import packord.columns.Integers;
import packord.columns.MalformedColumns;
import packord.columns.PlainColumn;
import packord.decode.ColumnReader;
import packord.decode.Decoder;
import packord.decode.PlainMessages;
import packord.wire.Marker;

/**
 * Reads keys of the rows of a body that is one array of maps stored by column, and nothing of other
 * columns; of maps that are stored as keys and values, all of both. A body of another form, or one that
 * breaks a rule of columns, is not read here: its rows are read in full, which tells what is the matter.
 */
final class BodyColumns {
  private final Options options;
  private final ColumnReader reader;
  private final ColumnsPayload payload;
  private final byte[] bytes;
  private final ColumnNode rows;

  /** The index of the node of rows. */
  private final int index;

  /** What all columns that are read may take together, as plain MessagePack. */
  private long left;

  private BodyColumns(Options options, ColumnReader reader, ColumnsPayload payload) {
    this.options = options;
    this.reader = reader;
    this.payload = payload;
    bytes = payload.bytes();
    left = payload.plainSize;
    ColumnNode root = payload.root();
    need(root.kind == ColumnNode.LIST);
    payload.check(root.children.get(0));
    rows = root.children.get(1);
    need(root.children.get(0).integers(bytes)[0] == rows.n);
    index = 1 + root.children.get(0).nodes();
  }

  /**
   * Opens a body.
   *
   * @return null if it is of another form
   * @throws PackordException when it exceeds a limit or is cut, with the offset in it
   */
  static BodyColumns of(Options options, byte[] body) {
    if (body.length == 0 || !Marker.isExt(body[0] & 0xff)) return null;
    ColumnReader reader = new ColumnReader(new Decoder(options), body, 0, body.length);
    try {
      BodyColumns columns = new BodyColumns(options, reader, reader.payload());
      int kind = columns.rows.kind;
      return kind == ColumnNode.STRUCT || kind == ColumnNode.MAP ? columns : null;
    } catch (MalformedColumns malformed) {
      return null;
    } catch (PackordException error) {
      boolean isOther = error.kind() == ErrorKind.TYPE_MISMATCH || error.kind() == ErrorKind.INVALID_EXT;
      if (isOther) return null;
      throw error;
    }
  }

  /** Returns the number of rows. */
  int size() {
    return rows.n;
  }

  /**
   * Reads keys.
   *
   * @return a column for each, or null if one breaks a rule
   */
  List<BlockColumn> read(List<String> keys) {
    try {
      if (rows.kind == ColumnNode.MAP) return ofMaps(keys);
      boolean[][] has = rows.shapes == null ? null : shapes();
      List<BlockColumn> columns = new ArrayList<>(keys.size());
      for (String key : keys) columns.add(read(key.getBytes(StandardCharsets.UTF_8), has));
      return columns;
    } catch (MalformedColumns malformed) {
      return null;
    }
  }

  /** Reads keys of rows that are stored as keys and values. */
  private List<BlockColumn> ofMaps(List<String> keys) {
    ColumnNode names = rows.children.get(1);
    payload.check(rows.children.get(0));
    int[] lengths = rows.lengths(bytes);
    int at = index + 1 + rows.children.get(0).nodes();
    PlainColumn plainNames = plain(names, at);
    PlainColumn values = plain(rows.children.get(2), at + names.nodes());
    boolean isShared = names.kind == ColumnNode.DICT;
    return new KeyedValues(keys).columns(lengths, plainNames, values, isShared);
  }

  /** Returns which keys the rows of each shape have. */
  private boolean[][] shapes() {
    payload.check(rows.children.get(0));
    boolean[][] has = new boolean[rows.shapes.length][rows.keys.length];
    for (int shape = 0; shape < has.length; shape++) {
      for (int key : rows.shapes[shape]) has[shape][key] = true;
    }
    return has;
  }

  private BlockColumn read(byte[] key, boolean[][] has) {
    int first = has == null ? 0 : 1;
    int at = index + 1 + (has == null ? 0 : rows.children.get(0).nodes());
    for (int i = 0; i < rows.keys.length; i++) {
      ColumnNode column = rows.children.get(first + i);
      byte[] packed = rows.keys[i];
      int from = Marker.strPayload(packed, 0);
      if (Arrays.equals(packed, from, packed.length, key, 0, key.length)) {
        return read(column, at, has == null ? null : rowsWith(i, column.n, has));
      }
      at += column.nodes();
    }
    return BlockColumn.empty();
  }

  /** Returns which rows have a key, or null if all have it. */
  private int[] rowsWith(int key, int count, boolean[][] has) {
    if (count == rows.n) return null;
    long[] shapes = rows.children.get(0).integers(bytes);
    int[] with = new int[count];
    int found = 0;
    for (int row = 0; row < shapes.length; row++) {
      need(shapes[row] >= 0 && shapes[row] < has.length);
      if (!has[(int) shapes[row]][key]) continue;
      need(found < count);
      with[found++] = row;
    }
    need(found == count);
    return with;
  }

  private BlockColumn read(ColumnNode column, int at, int[] with) {
    if (column.kind == ColumnNode.INT) {
      payload.check(column);
      long[] integers = column.integers(bytes);
      if ((column.form & Integers.UNSIGNED) == 0 || areSigned(integers)) {
        take(column.n);
        return BlockColumn.of(with, integers);
      }
    } else if (column.kind == ColumnNode.FLOAT || column.kind == ColumnNode.SCALED) {
      payload.check(column);
      take(5L * column.n);
      return BlockColumn.of(with, column.kind == ColumnNode.FLOAT ? floats(column) : scaled(column));
    }
    return packed(column, at, with);
  }

  private void take(long size) {
    left -= size;
    need(left >= 0);
  }

  private static boolean areSigned(long[] integers) {
    for (long integer : integers) if (integer < 0) return false;
    return true;
  }

  private double[] floats(ColumnNode column) {
    double[] floats = new double[column.n];
    for (int i = 0; i < floats.length; i++) {
      floats[i] =
          column.mode == 0
              ? Double.longBitsToDouble(Integers.i64(bytes, column.at + 8 * i))
              : Float.intBitsToFloat(Integers.i32(bytes, column.at + 4 * i));
    }
    return floats;
  }

  private double[] scaled(ColumnNode column) {
    long[] mantissas = column.children.get(0).integers(bytes);
    double power = Decimals.POWERS[column.form & Decimals.DIGITS];
    double[] floats = new double[mantissas.length];
    if (column.form < Decimals.HAS_REST) {
      for (int i = 0; i < floats.length; i++) floats[i] = mantissas[i] / power;
      return floats;
    }
    long[] rests = column.children.get(1).integers(bytes);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = Double.longBitsToDouble(Decimals.bits(mantissas[i], power) + rests[i]);
    }
    return floats;
  }

  private BlockColumn packed(ColumnNode column, int at, int[] with) {
    PlainColumn plain = plain(column, at);
    return BlockColumn.packed(with, plain.bytes, plain.starts, plain.ends);
  }

  private PlainColumn plain(ColumnNode column, int at) {
    PlainColumn plain = payload.plainColumn(at);
    take(plain.plainSize());
    if (column.copiesValues()) check(plain.distinct());
    return plain;
  }

  private void check(ByteBuffer plain) {
    try {
      PlainMessages.check(options, plain);
    } catch (PackordException fault) {
      throw reader.error(ErrorKind.INVALID_EXT, fault.kind().description());
    }
  }
}
