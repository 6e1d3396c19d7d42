import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import packord.container.ContainerReader;
import packord.container.ContainerWriter;
import packord.container.DamagedRange;
import packord.container.Predicate;
import packord.container.ReadOptions;
import packord.container.Split;
import packord.container.WriteOptions;

/** The examples of the README for container files in Java. */
public final class ContainerProgram {
    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("orders", ".pkd");
        try {
            run(path);
        } finally {
            Files.delete(path);
        }
        System.out.println("passed");
    }

    private static void run(Path path) throws IOException {
        // begin: write
        try (ContainerWriter writer = ContainerWriter.create(path)) {
            for (int i = 0; i < 1000; i++) writer.write(Map.of("id", i, "price", i / 4.0));
        }
        try (ContainerWriter writer = ContainerWriter.append(path, WriteOptions.standard())) {
            writer.write(Map.of("id", 1000, "price", 0.5));
        }
        // end: write

        // begin: read
        record Order(long id, double price) {}

        ReadOptions options = ReadOptions.builder()
                .where(Predicate.of("id", ">", 997))
                .skipDamaged(true)
                .build();
        List<Order> orders = new ArrayList<>();
        try (ContainerReader reader = ContainerReader.open(path, options)) {
            for (Iterator<Order> rows = reader.rows(Order.class); rows.hasNext(); ) orders.add(rows.next());
            for (DamagedRange range : reader.damaged()) System.err.println(range);
        }
        // end: read
        check(List.of(new Order(998, 249.5), new Order(999, 249.75), new Order(1000, 0.5)), orders);

        long count = 0;
        // begin: splits
        List<Split> splits;
        try (ContainerReader reader = ContainerReader.open(path)) {
            splits = reader.splits(4);
        }
        for (Split split : splits) { // each on a thread or machine of its own
            try (ContainerReader part = ContainerReader.open(
                    path, ReadOptions.builder().split(split).build())) {
                for (Object row : part) count++;
            }
        }
        // end: splits
        check(1001L, count);
    }

    private static void check(Object expected, Object found) {
        if (!expected.equals(found)) throw new AssertionError(expected + " is not " + found);
    }
}
