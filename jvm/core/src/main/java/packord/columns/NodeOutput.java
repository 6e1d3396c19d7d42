package packord.columns;

/** The directory and the sections of a payload as they grow. What a node took can be taken back. */
final class NodeOutput {
  private static final int KEPT = 1 << 20;

  /** The directory. */
  PlainOutput directory = new PlainOutput(256);

  /** The sections of the nodes, in their order. */
  GrowingBytes sections = new GrowingBytes(256);

  /** Forgets everything. */
  void clear() {
    if (directory.bytes.length > KEPT) directory = new PlainOutput(256);
    if (sections.bytes.length > KEPT) sections = new GrowingBytes(256);
    directory.size = 0;
    sections.size = 0;
  }

  /** Begins a node: its entry of the directory. */
  void entry(int kind, int mode) {
    directory.u8(kind | mode << 4);
  }

  /** Writes a number of the directory. */
  void uint(long value) {
    directory.integer(value, true);
  }

  /** Returns the bytes that were written. */
  long size() {
    return (long) directory.size + sections.size;
  }

  /** Takes back what was written after the parts had these sizes. */
  void back(int directorySize, int sectionsSize) {
    directory.size = directorySize;
    sections.size = sectionsSize;
  }
}
