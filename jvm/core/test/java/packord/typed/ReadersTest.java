package packord.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import packord.MessageReader;
import packord.PackordException;
import packord.Packer;
import packord.TypeRef;
import packord.Unpacker;

/** Messages of a stream, read into a type one at a time. */
class ReadersTest {
  record Event(int id) {}

  private static final class Source extends ByteArrayInputStream {
    boolean closed;

    Source(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static byte[] messages() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) out.writeBytes(Packer.standard().pack(new Event(i)));
    return out.toByteArray();
  }

  @Test
  void aReaderReturnsItsType() throws Exception {
    Source source = new Source(messages());
    try (MessageReader<Event> reader = Unpacker.standard().reader(source, Event.class)) {
      assertEquals(new Event(0), reader.next());
      assertEquals(2 * messages().length / 3, source.available());
    }
    assertTrue(source.closed);
    byte[] bytes = messages();
    MessageReader<Event> reader = Unpacker.standard().reader(bytes, 0, bytes.length, TypeRef.of(Event.class));
    assertEquals(3, reader.stream().count());
  }

  @Test
  void aStreamReadsWhatIsNeeded() {
    Source source = new Source(messages());
    try (Stream<Event> events = Unpacker.standard().reader(source, new TypeRef<Event>() {}).stream()) {
      assertEquals(List.of(new Event(0), new Event(1)), events.limit(2).toList());
    }
    assertEquals(messages().length / 3, source.available());
    assertTrue(source.closed);
  }

  @Test
  void anErrorNamesTheMessage() {
    InputStream in = new ByteArrayInputStream(new byte[] {(byte) 0x80, 1});
    MessageReader<Event> reader = Unpacker.standard().lenient().reader(in, Event.class);
    assertEquals(new Event(0), reader.next());
    assertEquals(1, assertThrows(PackordException.class, reader::next).offset());
  }
}
