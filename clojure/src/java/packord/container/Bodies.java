package packord.container;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import packord.ErrorKind;
import packord.MessageReader;
import packord.Options;
import packord.PackordException;
import packord.StructureStore;
import packord.TypeRef;
import packord.Unpacker;

/** Unpacks the bodies of a file, and reads the rows and messages in them. For one thread. */
final class Bodies implements Closeable {
  /** What the rows of a body may take without records, for each byte of it, and always. */
  private static final int MOST_PER_BYTE = 128;

  private static final int ALWAYS = 1 << 20;

  private final Faults faults;
  private final ContainerHeader header;
  private final int maxBlock;
  private final Unpacker rows;
  private final Unpacker messages;
  private final Map<String, Codec> codecs = new HashMap<>();

  Bodies(Faults faults, ContainerHeader header, Unpacker unpacker, int maxBlock) {
    this.faults = faults;
    this.header = header;
    this.maxBlock = maxBlock;
    rows = unpacker.with(options(header, unpacker.options(), false));
    messages = unpacker.with(options(header, unpacker.options(), true));
  }

  /** Returns the options by which bodies are read. */
  static Options options(ContainerHeader header, Options wanted, boolean sequential) {
    Options.Builder options = wanted.toBuilder().records(true).columns(true).canonical(false);
    options.sequential(sequential).allowTrailing(false);
    boolean isShared = header.structures() != null;
    return options.structures(isShared ? StructureStore.of(header.structures()) : null).build();
  }

  /** Returns the header of the file. */
  ContainerHeader header() {
    return header;
  }

  /** Returns the unpacker of bodies of rows. */
  Unpacker rows() {
    return rows;
  }

  /** Unpacks the data of a block. */
  byte[] body(Block block) {
    Codec codec = codec(block.codec());
    if (block.bodySize() > codec.most(block.data().length)) {
      throw fault(block, ErrorKind.INVALID_EXT, "the data do not unpack to the announced number of bytes", null);
    }
    byte[] body = new byte[block.bodySize()];
    try {
      codec.unpack(block.data(), body);
    } catch (Codec.CodecException exception) {
      throw fault(block, ErrorKind.INVALID_EXT, exception.getMessage(), exception);
    }
    return body;
  }

  private Codec codec(String name) {
    return codecs.computeIfAbsent(
        name, n -> Codecs.of(n, Codec.DEFAULT_LEVEL, header.ownDictionary()));
  }

  /** Returns the rows or messages of a block; {@code type} is that of each, or null. */
  List<?> values(Block block, byte[] body, TypeRef<?> type) {
    List<?> values;
    try {
      values = block.hasRows() ? table(body, type) : stream(body, type);
    } catch (PackordException error) {
      throw inBody(block, error);
    }
    if (values == null) throw fault(block, ErrorKind.INVALID_EXT, "the body is not an array", null);
    if (values.size() != block.count()) throw miscounted(block);
    return values;
  }

  /** Returns the rows or messages of a block as plain MessagePack. */
  PlainRows plain(Block block, byte[] body) {
    long most = 2L * Math.max(maxBlock, ReadOptions.MAX_BLOCK);
    long limit = Math.min(most, (long) MOST_PER_BYTE * body.length + ALWAYS);
    PlainRows plain;
    try {
      Options options = (block.hasRows() ? rows : messages).options();
      plain = PlainRows.of(options, body, block.hasRows(), limit);
    } catch (PackordException error) {
      throw inBody(block, error);
    }
    if (plain == null) throw fault(block, ErrorKind.INVALID_EXT, "the body is not an array", null);
    if (plain.size() != block.count()) throw miscounted(block);
    return plain;
  }

  /** Returns keys of the rows of a block by column. */
  List<BlockColumn> columns(Block block, byte[] body, List<String> keys) {
    BodyColumns stored;
    try {
      stored = BodyColumns.of(rows.options(), body);
    } catch (PackordException error) {
      throw inBody(block, error);
    }
    if (stored != null) {
      if (stored.size() != block.count()) throw miscounted(block);
      try {
        List<BlockColumn> columns = stored.read(keys);
        if (columns != null) return columns;
      } catch (PackordException error) {
        throw inBody(block, error);
      }
    }
    return plain(block, body).columns(keys);
  }

  /** Returns the error for a block whose count is not true. */
  PackordException miscounted(Block block) {
    return fault(block, ErrorKind.INVALID_EXT, "the body has not " + block.count() + " values", null);
  }

  /** Returns the rows of a body, or null if it is not an array. */
  private List<?> table(byte[] body, TypeRef<?> type) {
    if (type == null) {
      Object all = rows.unpack(body);
      return all instanceof List ? (List<?>) all : null;
    }
    try {
      return rows.unpack(ByteBuffer.wrap(body), type.list());
    } catch (PackordException error) {
      boolean isOfAll = error.kind() == ErrorKind.TYPE_MISMATCH && error.path().equals("$");
      if (isOfAll && !(rows.unpack(body) instanceof List)) return null;
      throw error;
    }
  }

  private List<?> stream(byte[] body, TypeRef<?> type) {
    MessageReader reader =
        type == null
            ? messages.reader(body, 0, body.length)
            : messages.reader(body, 0, body.length, type);
    List<Object> list = new ArrayList<>();
    while (reader.hasNext()) list.add(reader.next());
    return list;
  }

  /** Returns the error of a block for a fault in its body. */
  PackordException inBody(Block block, PackordException error) {
    String detail = "at byte " + error.offset() + " of the body (" + error.path() + ")";
    return fault(block, error.kind(), detail, error);
  }

  private PackordException fault(Block block, ErrorKind kind, String detail, Throwable cause) {
    return faults.at(kind, block.arrayOffset(), detail, cause);
  }

  @Override
  public void close() {
    codecs.values().forEach(Codec::close);
    codecs.clear();
  }
}
