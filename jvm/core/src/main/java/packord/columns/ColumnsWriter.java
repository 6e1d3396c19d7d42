package packord.columns;

import static packord.columns.MalformedColumns.need;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes payloads of columns, by {@code spec/columns.md} sections 6.3 to 6.7. For one thread. */
public final class ColumnsWriter {
  private static final int VERSION = 1;
  private static final int FREE = 4096;
  private static final int EXPANSION = 16;
  private static final int KEPT = 1 << 20;

  private final NodeOutput nodes = new NodeOutput();
  private final ColumnBuilder builder = new ColumnBuilder(nodes);
  private PlainOutput payload = new PlainOutput(1024);

  /**
   * Makes the payload of a container, {@link #bytes} up to {@link #size}.
   *
   * @return false if it would be larger than the value, or than an array can be
   */
  public boolean make(Tape tape, int place) {
    nodes.clear();
    if (payload.bytes.length > KEPT) payload = new PlainOutput(1024);
    payload.size = 0;
    try {
      builder.root(tape, place);
      if (nodes.directory.bytes[0] == ColumnNode.PLAIN) return false;
      write(tape, place);
      return true;
    } catch (MalformedColumns tooLarge) {
      return false;
    }
  }

  /**
   * Returns the payload that stands for a message, whatever its size.
   *
   * @throws MalformedColumns when a reader of columns would refuse the message
   */
  public static byte[] payloadOf(byte[] plain) {
    Tape tape = new Tape();
    tape.scan(plain, 0, plain.length);
    ColumnsWriter writer = new ColumnsWriter();
    writer.builder.root(tape, 0);
    writer.write(tape, 0);
    byte[] payload = Arrays.copyOf(writer.payload.bytes, writer.payload.size);
    ByteBuffer again = new ColumnsPayload(payload, 0, payload.length).expand(true);
    need(again.equals(ByteBuffer.wrap(plain)));
    return payload;
  }

  /** Returns the array that holds the payload. */
  public byte[] bytes() {
    return payload.bytes;
  }

  /** Returns the size of the payload. */
  public int size() {
    return payload.size;
  }

  private void write(Tape tape, int place) {
    long plainSize = tape.size(place);
    payload.u8(VERSION);
    payload.integer(plainSize, true);
    payload.integer(tape.next(place) - place, true);
    payload.integer(tape.depth(place), true);
    payload.integer(nodes.directory.size, true);
    payload.raw(nodes.directory.bytes, 0, nodes.directory.size);
    payload.raw(nodes.sections.bytes, 0, nodes.sections.size);
    long least = (plainSize - FREE + EXPANSION - 1) / EXPANSION;
    if (payload.size < least) payload.zeros((int) least - payload.size);
  }
}
