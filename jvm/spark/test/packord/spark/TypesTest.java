package packord.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static packord.spark.Session.read;
import static packord.spark.Session.row;
import static packord.spark.Session.write;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import packord.Ext;

/** Which types of values become which types of columns. */
@Tag("engines")
class TypesTest {
    @TempDir
    Path folder;

    private static Object get(Row row, String name) {
        return row.get(row.fieldIndex(name));
    }

    @Test
    void theSchemaIsThatOfTheIndexAndValuesHaveItsTypes() {
        Instant moment = Instant.parse("2026-11-24T09:30:00.123456789Z");
        Path file = write(
                folder.resolve("types.pkd"),
                List.of(
                        row(
                                "whole",
                                1,
                                "large",
                                new BigInteger("18446744073709551615"),
                                "float",
                                1.5,
                                "both",
                                1,
                                "str",
                                "ü",
                                "bin",
                                new byte[] {0, -1},
                                "bool",
                                true,
                                "at",
                                moment,
                                "list",
                                List.of(1, 2),
                                "maps",
                                List.of(Map.of("x", 1), Map.of("y", "a")),
                                "map",
                                Map.of("a", Map.of("b", 2.5)),
                                "mixed",
                                7,
                                "nil",
                                null,
                                "ext",
                                new Ext(5, new byte[] {9}),
                                "empty",
                                List.of(),
                                "no",
                                Map.of()),
                        row("both", 0.5, "mixed", "text", "large", -1),
                        row("mixed", Map.of("a", List.of(1, true)), "list", List.of())));
        Dataset<Row> table = read(file);
        assertEquals(
                "struct<whole:bigint,large:decimal(20,0),float:double,both:double,str:string,bin:binary,bool:boolean,"
                        + "at:timestamp,list:array<bigint>,maps:array<struct<x:bigint,y:string>>,map:struct<a:struct<b:double>>,"
                        + "mixed:string,nil:string,ext:binary,empty:array<string>,no:string>",
                table.schema().simpleString());
        List<Row> rows = table.collectAsList();
        Row first = rows.get(0);
        assertEquals(1L, get(first, "whole"));
        assertEquals(new BigDecimal("18446744073709551615"), get(first, "large"));
        assertEquals(1.5, get(first, "float"));
        assertEquals(1.0, get(first, "both"));
        assertEquals("ü", get(first, "str"));
        assertArrayEquals(new byte[] {0, -1}, (byte[]) get(first, "bin"));
        assertEquals(true, get(first, "bool"));
        assertEquals(Instant.parse("2026-11-24T09:30:00.123456Z"), ((java.sql.Timestamp) get(first, "at")).toInstant());
        assertEquals(List.of(1L, 2L), first.getList(first.fieldIndex("list")));
        assertEquals(
                "[[1,null], [null,a]]", first.getList(first.fieldIndex("maps")).toString());
        assertEquals("[[2.5]]", first.getStruct(first.fieldIndex("map")).toString());
        assertEquals("7", get(first, "mixed"));
        assertEquals(null, get(first, "nil"));
        assertArrayEquals(new byte[] {9}, (byte[]) get(first, "ext"));
        assertEquals(List.of(), first.getList(first.fieldIndex("empty")));
        assertEquals("{}", get(first, "no"));
        assertEquals("text", get(rows.get(1), "mixed"));
        assertEquals(new BigDecimal(-1), get(rows.get(1), "large"));
        assertEquals(null, get(rows.get(1), "whole"));
        assertEquals("{\"a\":[1,true]}", get(rows.get(2), "mixed"));
        assertEquals(List.of(), rows.get(2).getList(rows.get(2).fieldIndex("list")));
    }
}
