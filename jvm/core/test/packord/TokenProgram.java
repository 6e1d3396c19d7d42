import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import packord.Packer;
import packord.PackordException;
import packord.Token;
import packord.TokenWriter;
import packord.Unpacker;
import packord.View;
import packord.Walker;

/** The examples of the README for Java, and what Javadoc promises of tokens and views. */
public final class TokenProgram {
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        // begin: writer
        try (TokenWriter out = Packer.standard().tokens(stream)) {
            out.beginMap(2);
            out.write("count").writeLong(3);
            out.write("rows").beginArray(3);
            for (int i = 0; i < 3; i++) out.write(Map.of("id", i));
            out.end();
            out.end();
        }
        // end: writer
        byte[] bytes = stream.toByteArray();
        check(
                Map.of("count", 3L, "rows", List.of(Map.of("id", 0L), Map.of("id", 1L), Map.of("id", 2L))),
                Unpacker.standard().unpack(bytes));

        // begin: walker
        long sum = 0;
        Walker walker = Unpacker.standard().walker(bytes);
        while (walker.nextMessage()) {
            for (Token token = walker.next(); token != null; token = walker.next()) {
                if (token == Token.INTEGER) sum += walker.longValue();
            }
        }
        // end: walker
        check(6L, sum);
        check(true, Unpacker.standard().walker(new ByteArrayInputStream(bytes)).nextMessage());

        // begin: view
        View view = Unpacker.standard().view(bytes);
        Object id = view.get("rows", -1, "id");
        // end: view
        check(2L, id);
        check(3, ((View) view.get("rows")).size());

        TokenWriter short1 = Packer.standard().tokens(new ByteArrayOutputStream());
        short1.beginArray(2).writeDouble(1.5);
        try {
            short1.end();
            throw new AssertionError("an incomplete array was ended");
        } catch (PackordException error) {
            check("unsupported_type at $: type has no encoding: 1 of 2 elements were written", error.getMessage());
        }
        System.out.println("passed");
    }

    private static void check(Object expected, Object found) {
        if (!expected.equals(found)) throw new AssertionError(expected + " is not " + found);
    }
}
