package packord.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.jackson.dataformat.MessagePackFactory;
import packord.jackson.PackordFactory;

/** Jackson over packord beside Jackson over msgpack-java: CPU time of a thread, least of many interleaved rounds. */
public final class JacksonBridge {
    private JacksonBridge() {}

    /** A common object. */
    public static class User {
        /** Its properties. */
        public long id;

        public String name;
        public String email;
        public boolean active;
        public double score;
        public List<String> tags;
        public int[] visits;

        static User of(int i) {
            User user = new User();
            user.id = i * 7919L;
            user.name = "User number " + i;
            user.email = "user" + i + (i % 5 == 0 ? "@exämple.org" : "@example.org");
            user.active = i % 2 == 0;
            user.score = i / 3.0;
            user.tags = List.of("a", "tag" + i % 10);
            user.visits = new int[] {i, 2 * i, 300};
            return user;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double[] least(Work... works) throws Exception {
        double[] least = new double[works.length];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < works.length; i++) {
                long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                works[i].run();
                least[i] =
                        Math.min(least[i], ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
            }
        }
        return least;
    }

    private static void measure(String name, Object value, Class<?> type, int times) throws Exception {
        ObjectMapper ours = new ObjectMapper(new PackordFactory());
        ObjectMapper theirs = new ObjectMapper(new MessagePackFactory());
        byte[] bytes = ours.writeValueAsBytes(value);
        double[] least = least(
                () -> {
                    for (int i = 0; i < times; i++) ours.writeValueAsBytes(value);
                },
                () -> {
                    for (int i = 0; i < times; i++) theirs.writeValueAsBytes(value);
                },
                () -> {
                    for (int i = 0; i < times; i++) ours.readValue(bytes, type);
                },
                () -> {
                    for (int i = 0; i < times; i++) theirs.readValue(bytes, type);
                });
        System.out.printf(
                "%-20s write %.2f read %.2f times as fast (%.0f and %.0f ns)%n",
                name, least[1] / least[0], least[3] / least[2], least[0] / times, least[2] / times);
    }

    /** Prints how many times as fast packord is. */
    public static void main(String[] arguments) throws Exception {
        List<User> users = new ArrayList<>();
        List<Map<String, Object>> maps = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            users.add(User.of(i));
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("id", i);
            map.put("name", "name " + i);
            map.put("nested", Map.of("x", i * 0.5, "list", List.of(1, 2, i)));
            maps.add(map);
        }
        measure("one object", users.get(7), User.class, 1000);
        measure("1000 objects", users.toArray(User[]::new), User[].class, 2);
        measure("1000 maps", maps, Object.class, 2);
        measure("10000 integers", java.util.stream.IntStream.range(0, 10000).toArray(), int[].class, 5);
    }
}
