package packord.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;
import packord.ErrorKind;
import packord.PackordException;
import packord.wire.Marker;

/** Reads what follows a mark, with the checks of {@code spec/container.md} section 2.1. */
final class BlockReader {
  private static final int MAX_PADDING = 7;
  private static final int LONGEST_CODEC = 64;

  private final FileInput in;
  private final Faults faults;
  private final ContainerHeader header;
  private final Bodies bodies;
  private final int maxBlock;
  private final ValueScan scan;
  private final CRC32C crc32 = new CRC32C();

  private long markAt;
  private long arrayAt;

  /** The offset that the block must not go beyond. */
  private long limit;

  private boolean isIndex;
  private long end;

  BlockReader(FileInput in, Faults faults, ContainerHeader header, Bodies bodies, int maxBlock) {
    this.in = in;
    this.faults = faults;
    this.header = header;
    this.bodies = bodies;
    this.maxBlock = maxBlock;
    scan = new ValueScan(in, faults);
  }

  /** Returns how many bytes the last check has looked at. */
  long taken() {
    return Math.max(0, scan.pos - markAt);
  }

  /** Returns the offset after what was read last. */
  long end() {
    return end;
  }

  /**
   * Reads the array after a mark.
   *
   * @return the block, or null for an index, which is passed
   * @throws PackordException by the first check that fails
   */
  Block read(long mark) {
    return read(mark, false);
  }

  /** Makes the checks of a search, which does not mind an unknown codec. */
  void check(long mark) {
    read(mark, true);
  }

  /** Whether what was read or checked last, and may be at fault, is an index. */
  boolean isIndex() {
    return isIndex;
  }

  private Block read(long mark, boolean isSearch) {
    begin(mark, Long.MAX_VALUE);
    if (!ValueScan.isArray(scan.marker())) throw wrong("a mark is not followed by an array");
    long size = scan.header();
    isIndex = size > 0 && ValueScan.isStr(scan.marker());
    if (isIndex) {
      scan.pos = arrayAt;
      scan.value();
      end = scan.pos;
      return null;
    }
    return block(size, isSearch, -1);
  }

  /**
   * Reads a block that an index names, of this size and count.
   *
   * @return the block, or null if it is not there
   * @throws PackordException by the first check that fails
   */
  Block listed(long mark, long size, long count) {
    begin(mark, mark + size);
    if (!ValueScan.isArray(scan.marker())) return null;
    long elements = scan.header();
    if (elements > 0 && ValueScan.isStr(scan.marker())) return null;
    try {
      return block(elements, false, count);
    } catch (Beyond beyond) {
      return null;
    }
  }

  /** Thrown where a block goes on after the end that an index has for it. */
  private static final class Beyond extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final Beyond INSTANCE = new Beyond();

    private Beyond() {
      super("not the block of the index", null, false, false);
    }
  }

  private void begin(long mark, long most) {
    markAt = mark;
    arrayAt = mark + Mark.SIZE;
    limit = most;
    isIndex = false;
    scan.pos = arrayAt;
  }

  private Block block(long size, boolean isSearch, long listed) {
    if (size < 6) throw wrong("the block has " + size + " elements");
    long kind = uint();
    boolean isPadded = kind == 2 || kind == 3;
    need(kind >= 0 && kind <= 3 && size >= (isPadded ? 7 : 6));
    long count = uint();
    need(count >= 0);
    long raw = uint();
    need(raw >= 0);
    long crc = uint();
    need(crc >= 0 && crc >>> 32 == 0);
    String codec = codec();
    if (isPadded) padding();
    int marker = scan.marker();
    long dataSize = header();
    need(ValueScan.isBin(marker));
    if (raw > maxBlock || dataSize > maxBlock) {
      throw faults.at(ErrorKind.LENGTH_LIMIT, arrayAt, "max_block is " + maxBlock);
    }
    String obstacle = isSearch ? null : Codecs.obstacle(codec);
    if (obstacle != null) throw wrong(obstacle);
    byte[] data = data((int) dataSize, isSearch);
    for (long more = size - (isPadded ? 7 : 6); more > 0; more--) {
      scan.value();
      checkEnd();
    }
    end = scan.pos;
    if (listed >= 0 && (listed != count || end != limit)) throw Beyond.INSTANCE;
    if (crc32.getValue() != crc) throw wrong("the crc of the block is wrong");
    if (isSearch) return null;
    return new Block(bodies, markAt, end - markAt, (int) kind, count, (int) raw, crc, codec, data);
  }

  private void checkEnd() {
    if (scan.pos > limit) throw Beyond.INSTANCE;
  }

  private void need(boolean isRight) {
    if (!isRight) throw wrong("an element of the block has a wrong type or value");
  }

  private long header() {
    long size = scan.header();
    checkEnd();
    return size;
  }

  private long uint() {
    long at = scan.pos;
    header();
    return scan.uint(at);
  }

  private String codec() {
    int marker = scan.marker();
    long at = scan.pos;
    long length = header();
    if (marker == Marker.NIL) return header.codec();
    need(ValueScan.isStr(marker) && length <= LONGEST_CODEC);
    scan.pos = at;
    scan.value();
    checkEnd();
    return new String(in.copy(scan.pos - length, (int) length), UTF_8);
  }

  private void padding() {
    int marker = scan.marker();
    long length = header();
    need(ValueScan.isBin(marker) && length <= MAX_PADDING);
    if (in.fill(scan.pos, (int) length) < length) throw scan.eof();
    for (long i = 0; i < length; i++) need(in.at(scan.pos + i) == 0);
    scan.pos += length;
    checkEnd();
  }

  /** Returns the data, for a search null, and finds their checksum. */
  private byte[] data(int size, boolean isSearch) {
    long from = scan.pos;
    scan.pos = from + size;
    checkEnd();
    if (!in.reaches(scan.pos)) throw scan.eof();
    byte[] data = isSearch ? null : in.copy(from, size);
    if (isSearch) in.fill(from, size);
    crc32.reset();
    crc32.update(isSearch ? in.buf : data, isSearch ? in.index(from) : 0, size);
    return data;
  }

  private PackordException wrong(String detail) {
    return faults.at(ErrorKind.INVALID_EXT, arrayAt, detail);
  }
}
