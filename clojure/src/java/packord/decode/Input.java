package packord.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import packord.ErrorKind;
import packord.Options;
import packord.PackordException;
import packord.wire.Marker;
import packord.wire.Utf8;

/**
 * The bytes of the message that is being read: an array, or a stream of which never more is taken
 * than the message is known to need.
 *
 * <p>Every pending element takes at least one byte, so the bytes that the budget of
 * {@code spec/limits.md} asks for may be read without reading past the message's end.
 */
public abstract class Input {
  private static final byte[] NONE = {};
  private static final int STEP = 1 << 13;
  private static final int KEPT = 1 << 20;
  private static final int MOST = Integer.MAX_VALUE - 16;

  /** The bytes; those of the message begin at {@link #origin} and end before {@link #end}. */
  protected byte[] buf = NONE;

  /** The index of the next byte. */
  protected int pos;

  /** The index behind the last byte that is there. */
  protected int end;

  private int origin;
  private long base;
  private InputStream in;
  private final long maxBuffer;
  private final long maxStrLen;
  private final Options.Utf8 utf8;

  /** Makes an input without bytes. */
  protected Input(Options options) {
    maxBuffer = options.maxBuffer;
    maxStrLen = options.maxStrLen;
    utf8 = options.utf8;
  }

  /** Reads {@code length} bytes of an array from now on; offsets count from its first. */
  protected final void from(byte[] bytes, int offset, int length) {
    buf = bytes;
    pos = offset;
    origin = offset;
    end = offset + length;
    base = 0;
    in = null;
  }

  /** Reads a stream from now on; offsets count from its next byte. */
  protected final void from(InputStream stream) {
    buf = new byte[STEP];
    pos = 0;
    origin = 0;
    end = 0;
    base = 0;
    in = stream;
  }

  /** Lets go of the bytes. */
  protected final void close() {
    buf = NONE;
    pos = 0;
    end = 0;
    in = null;
  }

  /** Forgets the message before; false when the stream ends here. */
  protected final boolean nextMessage() {
    base += pos;
    pos = 0;
    end = 0;
    if (buf.length > KEPT) buf = new byte[STEP];
    return readSome(1);
  }

  /** The number of bytes before index {@code i}. */
  protected final long offset(int i) {
    return base + i - origin;
  }

  /** Makes an error at index {@code at}. */
  protected abstract PackordException error(ErrorKind kind, int at, String detail, Throwable cause);

  /** Makes an error at index {@code at}. */
  protected final PackordException error(ErrorKind kind, int at, String detail) {
    return error(kind, at, detail, null);
  }

  /** Makes sure that {@code n} bytes follow; {@code mark} is the marker of the value to blame. */
  protected final void need(long n, int mark) {
    if (end - pos < n) fill(n, mark);
  }

  /** The first byte is there before its message is known to begin; {@link #fill} sees the rest. */
  protected final void checkFirstByte() {
    if (in != null && pos < end && (buf[pos] & 0xff) != Marker.RESERVED) checkBuffer(1, pos);
  }

  private void checkBuffer(long n, int mark) {
    if (pos + n > maxBuffer) {
      throw error(ErrorKind.LENGTH_LIMIT, mark, "a message of more than " + maxBuffer + " bytes");
    }
  }

  private void fill(long n, int mark) {
    if (in != null) {
      checkBuffer(n, mark);
      boolean more = true;
      while (more && end - pos < n) {
        if (end == MOST) throw error(ErrorKind.LENGTH_LIMIT, mark, "a message of more than 2 GiB");
        more = readSome(n);
      }
      if (more) return;
    }
    throw error(ErrorKind.EOF, end, "");
  }

  /** Reads once; memory grows with the bytes that came, not with those that are announced. */
  private boolean readSome(long n) {
    if (end == buf.length) buf = Arrays.copyOf(buf, (int) Math.min(Math.max(STEP, 2L * end), MOST));
    try {
      int count = in.read(buf, end, (int) Math.min(buf.length - end, pos + n - end));
      if (count < 0) return false;
      end += count;
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Confines reading to the next {@code n} bytes, which are there; returns what ends it again. */
  protected final Runnable confine(int n) {
    int outerEnd = end;
    int innerEnd = pos + n;
    InputStream outerStream = in;
    end = innerEnd;
    in = null;
    return () -> {
      pos = innerEnd;
      end = outerEnd;
      in = outerStream;
    };
  }

  /** Reads the payload of a str; bytes instead of ill-formed text with the option {@code raw}. */
  protected final Object text(long n, int mark) {
    String s = textOrNull(n, mark);
    return s != null || utf8 != Options.Utf8.RAW ? s : Arrays.copyOfRange(buf, pos - (int) n, pos);
  }

  /** Reads the payload of a str that must be text even with the option {@code raw}. */
  protected final String strictText(long n, int mark) {
    String s = textOrNull(n, mark);
    if (s == null) throw illFormed(pos - (int) n);
    return s;
  }

  /** The text of a payload; null for ill-formed text with the option {@code raw}. */
  private String textOrNull(long n, int mark) {
    if (n > maxStrLen) throw error(ErrorKind.LENGTH_LIMIT, mark, "a str of " + n + " bytes");
    need(n, mark);
    int from = pos;
    pos += (int) n;
    if (n == 0) return "";
    String s = Utf8.decode(buf, from, pos);
    if (s != null || utf8 == Options.Utf8.RAW) return s;
    if (utf8 == Options.Utf8.REPLACE) return Utf8.decodeReplacing(buf, from, pos);
    throw illFormed(from);
  }

  private PackordException illFormed(int from) {
    return error(ErrorKind.INVALID_UTF8, Utf8.firstInvalid(buf, from, pos), "");
  }
}
