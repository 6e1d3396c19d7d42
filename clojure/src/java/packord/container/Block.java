package packord.container;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import packord.PackordException;

/**
 * A block of a container file, as it is in the file: {@code spec/container.md} section 2. {@link
 * ContainerReader#blocks()} returns them. Its header is right, its data are whole and their crc is right.
 * The body is unpacked when it is asked for, every time.
 */
public final class Block {
  private final Bodies bodies;
  private final long offset;
  private final long size;
  private final int kind;
  private final long count;
  private final int bodySize;
  private final long crc;
  private final String codec;
  private final byte[] data;
  private Map<String, PathStatistics> statistics = Collections.emptyMap();

  Block(
      Bodies bodies, long offset, long size, int kind, long count, int bodySize, long crc,
      String codec, byte[] data) {
    this.bodies = bodies;
    this.offset = offset;
    this.size = size;
    this.kind = kind;
    this.count = count;
    this.bodySize = bodySize;
    this.crc = crc;
    this.codec = codec;
    this.data = data;
  }

  /**
   * Returns where the mark of the block begins.
   *
   * @return bytes from the start of the file
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns the size of the mark and the block together.
   *
   * @return bytes
   */
  public long size() {
    return size;
  }

  /**
   * Returns the kind of the block.
   *
   * @return 0 for messages, 1 for rows; 2 and 3 for the same with padding
   */
  public int kind() {
    return kind;
  }

  /**
   * Returns whether the block has rows of the table. Otherwise it has messages.
   *
   * @return true for the kinds 1 and 3
   */
  public boolean hasRows() {
    return (kind & 1) == 1;
  }

  /**
   * Returns the number of rows or messages, as the block says. Reading the body checks it.
   *
   * @return the number; {@link Long#MAX_VALUE} if it is larger
   */
  public long count() {
    return count;
  }

  /**
   * Returns the size of the body, as the block says. Reading the body checks it.
   *
   * @return bytes
   */
  public int bodySize() {
    return bodySize;
  }

  /**
   * Returns the CRC-32C of the data.
   *
   * @return 0 to 2^32 - 1
   */
  public long crc() {
    return crc;
  }

  /**
   * Returns the codec of the data.
   *
   * @return its name, that of the header if the block names none
   */
  public String codec() {
    return codec;
  }

  /**
   * Returns the data as they are in the file.
   *
   * @return the array of this block, which should not be changed
   */
  public byte[] data() {
    return data;
  }

  /**
   * Returns the statistics of the block that the index has.
   *
   * @return the statistics by their paths; empty if there are none
   */
  public Map<String, PathStatistics> statistics() {
    return statistics;
  }

  void statistics(Map<String, PathStatistics> found) {
    statistics = found;
  }

  /**
   * Unpacks the data.
   *
   * @return the body, in a new array
   * @throws PackordException of kind {@code invalid_ext} when the data do not unpack to {@link
   *     #bodySize} bytes
   */
  public byte[] body() {
    return bodies.body(this);
  }

  /**
   * Reads keys of the rows by column. Where the body has columns, those of other keys are not read, and
   * their faults not found. The body is unpacked each time.
   *
   * @param keys the keys, none of them twice
   * @return a column for each key, in their order
   * @throws PackordException when the body, or a column of it, is at fault
   * @throws IllegalStateException when the block has messages
   */
  public List<BlockColumn> columns(List<String> keys) {
    requireRows();
    return bodies.columns(this, body(), keys);
  }

  /**
   * Reads the rows in packed form.
   *
   * @return a column without a key, whose values are the rows themselves
   * @throws PackordException when the body is at fault
   * @throws IllegalStateException when the block has messages
   */
  public BlockColumn rows() {
    requireRows();
    return bodies.plain(this, body()).rows();
  }

  private void requireRows() {
    if (!hasRows()) throw new IllegalStateException("a block of messages has no rows");
  }

  /** Returns the header of the file. */
  ContainerHeader header() {
    return bodies.header();
  }

  /** Returns where the block-array begins, which is the offset of faults in it. */
  long arrayOffset() {
    return offset + Mark.SIZE;
  }
}
