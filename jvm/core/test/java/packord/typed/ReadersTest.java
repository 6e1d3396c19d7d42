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
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Token;
import packord.TypeRef;
import packord.Unpacker;
import packord.Walker;

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

    @Test
    void theNextMessageIsReadAfterAFault() {
        byte[] bytes =
                java.util.HexFormat.of().parseHex("80" + "81a26964a178" + "92a1ff01" + "81a2696405" + "c1" + "80");
        for (boolean streamed : new boolean[] {false, true}) {
            MessageReader<Event> reader = streamed
                    ? Unpacker.standard().lenient().reader(new ByteArrayInputStream(bytes), Event.class)
                    : Unpacker.standard().lenient().reader(bytes, 0, bytes.length, TypeRef.of(Event.class));
            assertEquals(new Event(0), reader.next());
            assertEquals(
                    "$1.id", assertThrows(PackordException.class, reader::next).path());
            assertEquals(
                    "$2", assertThrows(PackordException.class, reader::next).path());
            assertEquals(new Event(5), reader.next());
            assertEquals(16, assertThrows(PackordException.class, reader::next).offset());
            assertEquals(false, reader.hasNext());
            assertThrows(java.util.NoSuchElementException.class, reader::next);
        }
    }

    @Test
    void aWalkerGoesOnAfterAFault() {
        byte[] bytes = java.util.HexFormat.of().parseHex("93" + "01" + "91a1ff" + "02" + "05" + "92c1");
        for (boolean streamed : new boolean[] {false, true}) {
            Unpacker unpacker = Unpacker.of(Options.builder().maxDepth(1).build());
            Walker walker = streamed ? unpacker.walker(new ByteArrayInputStream(bytes)) : unpacker.walker(bytes);
            assertTrue(walker.nextMessage());
            assertEquals(Token.ARRAY, walker.next());
            assertEquals(Token.INTEGER, walker.next());
            assertEquals(
                    "depth_limit",
                    assertThrows(PackordException.class, walker::next).kind().id());
            assertTrue(walker.nextMessage());
            assertEquals(Token.INTEGER, walker.next());
            assertEquals(5, walker.longValue());
            assertTrue(walker.nextMessage());
            assertThrows(PackordException.class, walker::next);
            assertEquals(false, walker.nextMessage());
            assertEquals(false, walker.nextMessage());
        }
    }
}
