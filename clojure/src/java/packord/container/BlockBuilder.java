package packord.container;

import java.util.Arrays;
import packord.Options;
import packord.StructureStore;
import packord.encode.Encoder;

/** Collects the rows or messages of a block, and makes its body and data. */
final class BlockBuilder {
  private static final int KEPT = 1 << 24;

  private final WriteOptions options;
  private final String codecName;
  private final Codec codec;

  /** Writes bodies that are not plain, or null if all are. */
  private final Encoder encoder;

  /** What was added: of rows after room for the header of their array. */
  private final Packed plain = new Packed();

  private int[] ends = new int[64];
  private int count;
  private byte[] body;
  private int bodySize;
  private byte[] data;

  BlockBuilder(ContainerHeader header, WriteOptions options) {
    this.options = options;
    boolean hasColumns = options.columns && !options.messages;
    codecName = options.views ? "none" : options.codec == null ? header.codec() : options.codec;
    String obstacle = Codecs.obstacle(codecName);
    if (obstacle != null) throw new IllegalArgumentException(obstacle);
    int level = options.level == null ? Codec.DEFAULT_LEVEL : options.level;
    codec = Codecs.of(codecName, level, header.ownDictionary());
    Options.Builder own = Options.builder().columns(hasColumns).columnViews(options.views);
    own.sequential(true).maxDepth(Integer.MAX_VALUE);
    if (header.structures() != null) {
      own.records(true).structures(StructureStore.of(header.structures()));
      own.maxSharedStructures(header.structures().size());
    }
    encoder = hasColumns || header.structures() != null ? new Encoder(own.build()) : null;
  }

  /** Whether these are rows of the table, not messages. */
  boolean hasRows() {
    return !options.messages;
  }

  int kind() {
    return (hasRows() ? 1 : 0) + (options.views ? 2 : 0);
  }

  int count() {
    return count;
  }

  private static int arrayHeader(long count) {
    return count < 16 ? 1 : count < 1 << 16 ? 3 : 5;
  }

  /** Returns the plain body of a block with one row of this size. */
  long sizeAlone(long size) {
    return hasRows() ? size + arrayHeader(1) : size;
  }

  /** Whether a row of this size belongs in the block. */
  boolean hasRoom(int size) {
    long all = (long) plain.size + size + (hasRows() ? arrayHeader(count + 1L) : 0);
    return count == 0 || all <= options.blockSize;
  }

  boolean isFull() {
    return count >= options.blockRows;
  }

  void add(byte[] message, int size) {
    plain.raw(message, 0, size);
    if (!hasRows()) {
      if (count == ends.length) ends = Arrays.copyOf(ends, 2 * count);
      ends[count] = plain.size;
    }
    count++;
  }

  /** Makes the body and the data. */
  void end() {
    if (hasRows()) table();
    else messages();
    data = codec.compress(body, bodySize);
  }

  private void table() {
    Packed array = new Packed();
    array.array(count);
    int header = array.size;
    byte[] message = new byte[header + plain.size];
    System.arraycopy(array.bytes, 0, message, 0, header);
    System.arraycopy(plain.bytes, 0, message, header, plain.size);
    body = message;
    bodySize = message.length;
    if (encoder == null) return;
    encoder.plainMessage(message, bodySize);
    body = encoder.buffer();
    bodySize = encoder.size();
  }

  private void messages() {
    body = plain.bytes;
    bodySize = plain.size;
    if (encoder == null) return;
    int from = 0;
    for (int i = 0; i < count; i++) {
      byte[] message = Arrays.copyOfRange(plain.bytes, from, ends[i]);
      encoder.plainMessage(message, message.length);
      from = ends[i];
    }
    body = encoder.buffer();
    bodySize = encoder.size();
  }

  int bodySize() {
    return bodySize;
  }

  String codec() {
    return data == null ? "none" : codecName;
  }

  byte[] data() {
    return data == null ? body : data;
  }

  int dataSize() {
    return data == null ? bodySize : data.length;
  }

  /** Begins the next block. */
  void clear() {
    plain.clear(KEPT);
    count = 0;
    body = null;
    data = null;
    if (encoder != null) encoder.release();
  }

  void close() {
    codec.close();
  }
}
