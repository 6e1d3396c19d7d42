package packord.connect;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.function.Executable;
import packord.Notation;
import packord.Options;
import packord.PackordException;
import packord.Unpacker;

/** What the tests of the converter share. */
final class Converters {
  static final String TOPIC = "topic";

  private Converters() {}

  /** Returns a converter of values with entries of configuration, names and values in turn. */
  static PackordConverter converter(Object... entries) {
    Map<String, Object> config = new HashMap<>();
    for (int i = 0; i < entries.length; i += 2) config.put((String) entries[i], entries[i + 1]);
    PackordConverter converter = new PackordConverter();
    converter.configure(config, false);
    return converter;
  }

  static PackordConverter withSchemas(Object... entries) {
    Object[] all = new Object[entries.length + 2];
    all[0] = "schemas.enable";
    all[1] = true;
    System.arraycopy(entries, 0, all, 2, entries.length);
    return converter(all);
  }

  /** Packs diagnostic notation, which is JSON for what JSON has. */
  static byte[] packed(String notation) {
    return Notation.parse(notation);
  }

  /** Returns the notation of a message. */
  static String notation(byte[] message) {
    return Notation.of(message);
  }

  static Object unpacked(byte[] message) {
    return Unpacker.of(Options.builder().records(true).columns(true).build()).unpack(message);
  }

  static Object read(PackordConverter converter, String notation) {
    return converter.toConnectData(TOPIC, packed(notation)).value();
  }

  static String written(PackordConverter converter, Schema schema, Object value) {
    return notation(converter.fromConnectData(TOPIC, schema, value));
  }

  /** Returns the error of packord that is the cause of a DataException. */
  static PackordException fault(Executable action) {
    DataException exception = assertThrows(DataException.class, action);
    return (PackordException) exception.getCause();
  }
}
