package packord.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackMapper;
import packord.Packer;
import packord.TypeRef;
import packord.Unpacker;

/** Objects of a class with setters, packed and unpacked by packord and its peers. */
public final class TypedData {
    /** A class as programs have them. */
    public static final class User {
        private long id;
        private String name;
        private String email;
        private int age;
        private boolean active;
        private double score;
        private List<String> tags;

        /** Returns the number. */
        public long getId() {
            return id;
        }

        /** Sets the number. */
        public void setId(long value) {
            id = value;
        }

        /** Returns the name. */
        public String getName() {
            return name;
        }

        /** Sets the name. */
        public void setName(String value) {
            name = value;
        }

        /** Returns the address. */
        public String getEmail() {
            return email;
        }

        /** Sets the address. */
        public void setEmail(String value) {
            email = value;
        }

        /** Returns the age. */
        public int getAge() {
            return age;
        }

        /** Sets the age. */
        public void setAge(int value) {
            age = value;
        }

        /** Whether the user is active. */
        public boolean isActive() {
            return active;
        }

        /** Sets whether the user is active. */
        public void setActive(boolean value) {
            active = value;
        }

        /** Returns the score. */
        public double getScore() {
            return score;
        }

        /** Sets the score. */
        public void setScore(double value) {
            score = value;
        }

        /** Returns the tags. */
        public List<String> getTags() {
            return tags;
        }

        /** Sets the tags. */
        public void setTags(List<String> value) {
            tags = value;
        }
    }

    private static final TypeRef<List<User>> USERS = new TypeRef<>() {};

    private final ObjectMapper mapper = new MessagePackMapper();
    private final List<User> users = new ArrayList<>();
    private final byte[] packed;

    /** Makes this many users. */
    public TypedData(int count) {
        for (int i = 0; i < count; i++) {
            User user = new User();
            user.setId(i);
            user.setName("name " + i * 7919 % 1000);
            user.setEmail("user" + i + "@example.com");
            user.setAge(18 + i % 60);
            user.setActive(i % 3 == 0);
            user.setScore(i / 7.0);
            user.setTags(List.of("red", "green"));
            users.add(user);
        }
        packed = pack();
    }

    /** Packs by packord. */
    public byte[] pack() {
        return Packer.standard().pack(users);
    }

    /** Unpacks by packord. */
    public List<User> unpack() {
        return Unpacker.standard().unpack(packed, USERS);
    }

    /** Packs by jackson-dataformat-msgpack. */
    public byte[] packByJackson() throws IOException {
        return mapper.writeValueAsBytes(users);
    }

    /** Unpacks by jackson-dataformat-msgpack. */
    public List<User> unpackByJackson() throws IOException {
        return mapper.readerForListOf(User.class).readValue(packed);
    }

    /** Packs by msgpack-java, as a program writes it by hand. */
    public byte[] packByHand() throws IOException {
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packArrayHeader(users.size());
        for (User user : users) {
            out.packMapHeader(7);
            out.packString("id").packLong(user.getId());
            out.packString("name").packString(user.getName());
            out.packString("email").packString(user.getEmail());
            out.packString("age").packInt(user.getAge());
            out.packString("active").packBoolean(user.isActive());
            out.packString("score").packDouble(user.getScore());
            out.packString("tags").packArrayHeader(user.getTags().size());
            for (String tag : user.getTags()) out.packString(tag);
        }
        return out.toByteArray();
    }

    /** Unpacks by msgpack-java, as a program writes it by hand. */
    public List<User> unpackByHand() throws IOException {
        MessageUnpacker in = MessagePack.newDefaultUnpacker(packed);
        int count = in.unpackArrayHeader();
        List<User> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            User user = new User();
            int fields = in.unpackMapHeader();
            for (int field = 0; field < fields; field++) {
                switch (in.unpackString()) {
                    case "id":
                        user.setId(in.unpackLong());
                        break;
                    case "name":
                        user.setName(in.unpackString());
                        break;
                    case "email":
                        user.setEmail(in.unpackString());
                        break;
                    case "age":
                        user.setAge(in.unpackInt());
                        break;
                    case "active":
                        user.setActive(in.unpackBoolean());
                        break;
                    case "score":
                        user.setScore(in.unpackDouble());
                        break;
                    case "tags":
                        int size = in.unpackArrayHeader();
                        List<String> tags = new ArrayList<>(size);
                        for (int t = 0; t < size; t++) tags.add(in.unpackString());
                        user.setTags(tags);
                        break;
                    default:
                        in.skipValue();
                }
            }
            all.add(user);
        }
        return all;
    }
}
