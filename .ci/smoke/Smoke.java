import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import packord.Options;
import packord.Packer;
import packord.PackordException;
import packord.Unpacker;
import packord.connect.PackordConverter;
import packord.container.ContainerReader;
import packord.container.ContainerWriter;

/** Records, a container file, an error with its byte, and the converter for Kafka Connect. */
public final class Smoke {
  private Smoke() {}

  public static void main(String[] arguments) throws Exception {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long id = 0; id < 3; id++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("id", id);
      row.put("size", 9L);
      rows.add(row);
    }
    Options options = Options.builder().records(true).build();
    byte[] bytes = Packer.of(options).pack(rows);
    if (!rows.equals(Unpacker.of(options).unpack(bytes))) throw new AssertionError("the records differ");
    System.out.println("records " + bytes.length);

    Path path = Path.of("smoke-java.pkd");
    try (ContainerWriter writer = ContainerWriter.create(path)) {
      for (long id = 0; id < 1000; id++) writer.write(Map.of("id", id));
    }
    List<Object> ids = new ArrayList<>();
    try (ContainerReader reader = ContainerReader.open(path)) {
      for (Object row : reader) ids.add(((Map<?, ?>) row).get("id"));
    }
    System.out.println("container " + ids.size() + " " + ids.get(999));

    PackordConverter converter = new PackordConverter();
    converter.configure(Map.of(), false);
    SchemaAndValue value = converter.toConnectData("topic", converter.fromConnectData("topic", null, rows));
    if (!rows.equals(value.value())) throw new AssertionError("Kafka Connect: " + value.value());

    try {
      Unpacker.standard().unpack(new byte[] {(byte) 0x92, 1, (byte) 0xa3, 'A'});
    } catch (PackordException error) {
      System.out.println(error.kind().id() + " at byte " + error.offset() + " (" + error.path() + ")");
    }
  }
}
