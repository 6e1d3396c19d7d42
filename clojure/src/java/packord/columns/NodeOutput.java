package packord.columns;

/** The directory and the zones of a payload as they grow. What a node took can be taken back. */
final class NodeOutput {
  private static final int KEPT = 1 << 20;

  /** The directory. */
  PlainOutput directory = new PlainOutput(256);

  /** The zones of elements of 8, 4, 2 and 1 bytes. */
  private final GrowingBytes[] zones = new GrowingBytes[4];

  NodeOutput() {
    for (int i = 0; i < zones.length; i++) zones[i] = new GrowingBytes(256);
  }

  /** Forgets everything. */
  void clear() {
    if (directory.bytes.length > KEPT) directory = new PlainOutput(256);
    directory.size = 0;
    for (int i = 0; i < zones.length; i++) {
      if (zones[i].bytes.length > KEPT) zones[i] = new GrowingBytes(256);
      zones[i].size = 0;
    }
  }

  /** Returns the zone of elements of this width. */
  GrowingBytes zone(int width) {
    return zones[3 - Integer.numberOfTrailingZeros(width)];
  }

  /** Begins a node: its entry of the directory. */
  void entry(int kind, int mode) {
    directory.u8(kind | mode << 4);
  }

  /** Writes a number of the directory. */
  void uint(long value) {
    directory.integer(value, true);
  }

  /** Returns the sizes of all parts, for {@link #since} and {@link #back}. */
  int[] mark() {
    return new int[] {directory.size, zones[0].size, zones[1].size, zones[2].size, zones[3].size};
  }

  /** Returns the bytes of the zones. */
  long sections() {
    long size = 0;
    for (GrowingBytes zone : zones) size += zone.size;
    return size;
  }

  /** Returns the bytes that were written since a mark. */
  long since(int[] mark) {
    long size = directory.size - mark[0];
    for (int i = 0; i < zones.length; i++) size += zones[i].size - mark[i + 1];
    return size;
  }

  /** Takes back what was written since a mark. */
  void back(int[] mark) {
    directory.size = mark[0];
    for (int i = 0; i < zones.length; i++) zones[i].size = mark[i + 1];
  }

  /** Adds all zones to a payload, in their order. */
  void addSections(GrowingBytes payload) {
    for (GrowingBytes zone : zones) payload.raw(zone.bytes, 0, zone.size);
  }
}
