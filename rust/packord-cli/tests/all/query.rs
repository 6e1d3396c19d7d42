//! `get` with tests, `..name`, projections and ranges of messages.

use crate::tool::{self, fails, run, succeeds};
use packord_cli::query::{Part, Query, Test};

const TEAM: &str = r#"{"users": [
    {"id": 1, "name": "Ada", "age": 36, "tags": ["a", "b"]},
    {"id": 2, "name": "Bob", "age": 25.5, "boss": {"id": 1, "name": "Ada"}},
    {"id": 3, "name": "Grace", "age": null, "odd key": true}
]}"#;

fn get(path: &str, input: &[u8]) -> String {
    let output = run(&["get", path], input);
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{path}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn queries_select_what_they_say() {
    for options in [&["pack"][..], &["pack", "--records"]] {
        let team = succeeds(options, TEAM.as_bytes());
        for (path, expected) in [
            ("users[?age > 30].name", "\"Ada\"\n"),
            ("users[?age >= 25.5 && age < 36].id", "2\n"),
            ("users[?age == null].id", "3\n"),
            ("users[?age].id", "1\n2\n3\n"),
            ("users[?!age].id", ""),
            ("users[?boss].boss.name", "\"Ada\"\n"),
            ("users[?boss.name == 'Ada' || id == 3].id", "2\n3\n"),
            ("users[?(id == 1 || id == 2) && !boss].id", "1\n"),
            (r#"users[?contains(name, "a")].name"#, "\"Ada\"\n\"Grace\"\n"),
            ("users[?contains(tags, 'b')].id", "1\n"),
            ("users[?starts_with(name, 'G')].id", "3\n"),
            ("users[?ends_with(name, 'b')].id", "2\n"),
            ("users[?length(tags) == 2].id", "1\n"),
            ("users[?length(name) > 4].id", "3\n"),
            (r#"users[?@["odd key"] == true].id"#, "3\n"),
            ("users[?@['odd key']].id", "3\n"),
            // Values of different types are neither less nor greater.
            ("users[?name > 1].id", ""),
            ("users[?name != 1].id", "1\n2\n3\n"),
            ("users[?none == other].id", "1\n2\n3\n"),
            ("..name", "\"Ada\"\n\"Bob\"\n\"Ada\"\n\"Grace\"\n"),
            ("$..boss..id", "1\n"),
            (
                "users..[0]",
                "{\"id\":1,\"name\":\"Ada\",\"age\":36,\"tags\":[\"a\",\"b\"]}\n\"a\"\n",
            ),
            ("users[0].{id, name}", "{\"id\":1,\"name\":\"Ada\"}\n"),
            (
                "users[1].{id, boss: boss.name, tags}",
                "{\"id\":2,\"boss\":\"Ada\",\"tags\":null}\n",
            ),
            (
                "{ids: users[*].id, first: users[0].{id}}",
                "{\"ids\":[1,2,3],\"first\":{\"id\":1}}\n",
            ),
            ("users[-2:][?@ == 'Grace']", "\"Grace\"\n"),
            (
                r#"users[?age > 30 && contains(name, "a")].{id, name}"#,
                "{\"id\":1,\"name\":\"Ada\"}\n",
            ),
        ] {
            assert_eq!(get(path, &team), expected, "{path}");
        }
        assert_eq!(
            succeeds(&["get", "--paths", "..id"], &team),
            b"$.users[0].id\t1\n$.users[1].id\t2\n$.users[1].boss.id\t1\n$.users[2].id\t3\n"
        );
        assert_eq!(succeeds(&["get", "--count", "..id"], &team), b"4\n");
        assert_eq!(
            succeeds(&["get", "--to", "msgpack", "users[?id == 2].name"], &team),
            b"\xa3Bob"
        );
        fails(&["get", "users[?id > 9]"], &team, 1, "no value at users[?id > 9]");
    }
}

/// Facts of RFC 9535, each with a document.
#[test]
fn what_json_path_has_too_means_the_same() {
    for (query, document, expected) in [
        ("$['a']", r#"{"a":1}"#, "1\n"),
        ("$['\\u0061']", r#"{"a":1}"#, "1\n"),
        (r#"$["a b"]['c']"#, r#"{"a b":{"c":2}}"#, "2\n"),
        ("$[?@.a]", r#"{"x":{"a":null},"y":{"b":1}}"#, "{\"a\":null}\n"),
        ("$[?@ == 1]", "[1,1.0,\"1\",true]", "1\n1.0\n"),
        (
            "$[?@.a == @.b]",
            r#"[{"a":[1]},{"a":[1],"b":[1]},{}]"#,
            "{\"a\":[1],\"b\":[1]}\n{}\n",
        ),
        ("$[?@ <= null]", "[null,1]", "null\n"),
        ("$[?@ >= 'b']", r#"["a","b","c",3]"#, "\"b\"\n\"c\"\n"),
        (
            "$[?!@.a && @.b || @.c]",
            r#"[{"b":1},{"a":1,"b":1},{"a":1,"c":1}]"#,
            "{\"b\":1}\n{\"a\":1,\"c\":1}\n",
        ),
        (
            "$[?length(@) == 2]",
            r#"["é😀",[1,2],{"a":1,"b":2},7]"#,
            "\"é😀\"\n[1,2]\n{\"a\":1,\"b\":2}\n",
        ),
        ("$[-2:]", "[1,2,3]", "2\n3\n"),
        ("$..a", r#"{"a":{"a":1},"b":[{"a":2}]}"#, "{\"a\":1}\n1\n2\n"),
        ("$..[1]", "[[1,2],3]", "2\n3\n"),
    ] {
        let packed = succeeds(&["pack"], document.as_bytes());
        let mut found: Vec<String> = get(query, &packed).lines().map(str::to_owned).collect();
        let mut wanted: Vec<_> = expected.lines().collect();
        // The order of what `..` finds is not the same: here, a container comes before what is in it.
        if query.contains("..") {
            found.sort();
            wanted.sort_unstable();
        }
        assert_eq!(found, wanted, "{query}");
    }
    for query in [
        "$[0, 1]",
        "$[::2]",
        "$[ 0 ]",
        "$[?count(@.*) > 1]",
        "$[?match(@, 'a')]",
        "$[?value(@) == 1]",
    ] {
        assert_eq!(run(&["get", query], b"\x90").status.code(), Some(2), "{query}");
    }
}

#[test]
fn ranges_of_messages_are_those_of_arrays() {
    let bytes: Vec<u8> = (0..7).collect();
    let list: Vec<_> = (0..7).map(packord::Value::from).collect();
    for range in [
        "2:5", "-3:", ":-2", "-5:-2", "2:-2", "-9:2", "5:2", ":", "-2:4", "-1", "-7", "-8", "3:",
    ] {
        let packed = packord::to_vec(&packord::Value::Array(list.clone().into())).unwrap();
        let of_messages = get(&format!("${range}"), &bytes);
        assert_eq!(of_messages, get(&format!("[{range}]"), &packed), "{range}");
    }
    assert_eq!(get("$-2:.a", b"\x81\xa1a\x01\x81\xa1a\x02\x81\xa1a\x03"), "2\n3\n");
}

#[test]
fn a_range_of_elements_names_that_of_messages() {
    let messages = b"\x01\x02\x03";
    for (path, of_messages) in [("$[-2:]", "$-2:"), ("[0]", "$0")] {
        let hint = format!("(of messages: packord get '{of_messages}')");
        fails(&["get", path], messages, 1, &hint);
    }
    let tested = "(of messages: --where 'n > 1')";
    fails(&["get", "[?n > 1]"], b"\x81\xa1n\x02", 1, tested);
    let named = "(it is read as a name: a path has no functions)";
    fails(&["get", "length(tags)"], b"\x80", 1, named);
    fails(&["get", ".tags | first"], b"\x80", 1, named);
    assert_eq!(get("$-2:", messages), "2\n3\n");
    assert_eq!(get("$[-2:]", b"\x93\x01\x02\x03\x91\x04"), "2\n3\n4\n");
}

#[test]
fn where_keeps_the_messages_for_which_a_test_holds() {
    const LOG: &[u8] = b"{\"level\":\"info\",\"n\":1}\n{\"level\":\"error\",\"n\":2}\n{\"level\":\"error\",\"n\":3}\n";
    let log = succeeds(&["pack"], LOG);
    let kept = |arguments: &[&str]| String::from_utf8(succeeds(arguments, &log)).unwrap();
    assert_eq!(kept(&["get", "n", "--where", "level == \"error\""]), "2\n3\n");
    assert_eq!(kept(&["get", "--count", ".", "--where", "level == 'info'"]), "1\n");
    let bytes = succeeds(&["get", ".", "--to", "msgpack", "--where", "n > 2"], &log);
    assert!(log.ends_with(&bytes) && bytes.len() < log.len() / 2);
    fails(&["get", ".", "--where", "n > 9"], &log, 1, "no value at .");
    let sequential = succeeds(&["pack", "--sequential"], LOG);
    let found = succeeds(&["get", "n", "--where", "n > 1", "--sequential"], &sequential);
    assert_eq!(found, b"2\n3\n");
    for command in [&["get", "."][..], &["unpack"]] {
        let arguments = [command, &["--where", "n > 1 && level == error"]].concat();
        fails(
            &arguments,
            &log,
            1,
            "--where: error is a key; a str has quotes: 'error'",
        );
    }
    fails(
        &["get", ".", "--where", "n > 1", "--keys"],
        &log,
        2,
        "--keys takes a path",
    );
}

#[test]
fn one_of_several_values_and_regular_expressions_are_found() {
    let lines = [
        r#"{"in":"GET /api/7"}"#,
        r#"{"in":"get /é"}"#,
        r#"{"in":7,"n":7.0}"#,
        r#"{"in":null}"#,
        r#"{"n":1}"#,
    ];
    let input = lines.map(|line| format!("{line}\n")).concat();
    let messages = succeeds(&["pack"], input.as_bytes());
    let folder = tool::Folder::new();
    let rows = ["container", "create", "--block-rows", "1"];
    let file = folder.write("t.pkd", succeeds(&rows, input.as_bytes()));
    for (test, numbers) in [
        ("in in (7, 'get /é')", &[1, 2][..]),
        ("in in(7.0,null)", &[2, 3]),
        ("in in (n)", &[2]),
        ("!(in in (7))", &[0, 1, 3, 4]),
        (r#"in =~ "^[A-Z]+ /api/\d+$""#, &[0]),
        (r"in=~'(?i)^GET' && !(in =~ 'api')", &[1]),
        (r"in =~ '/\pL'", &[0, 1]),
        ("in =~ '7' || n > 1", &[0, 2]),
    ] {
        let expected: String = numbers.iter().map(|&at| format!("{}\n", lines[at])).collect();
        let test = ["unpack", "--where", test];
        let of_file = [&test[..], &[&file]].concat();
        for found in [run(&test, &messages), run(&of_file, b"")] {
            assert_eq!(String::from_utf8(found.stdout).unwrap(), expected, "{test:?}");
        }
    }
    // Time in proportion to the str, where others search again and again.
    let long = format!("\"{}\"", "a".repeat(100_000));
    let long = succeeds(&["pack"], long.as_bytes());
    assert_eq!(
        run(&["unpack", "--where", "@ =~ '(a*)*b'"], &long).status.code(),
        Some(1)
    );
    fails(
        &["get", ".", "--where", "@ =~ '((a{999}){999}){999}'"],
        b"",
        2,
        "exceeds size limit",
    );
}

#[test]
fn times_are_compared_with_those_of_the_data() {
    let lines = [
        r#"{"t":{"$timestamp":"2026-03-01T00:00:01Z"}}"#,
        r#"{"t":{"$timestamp":"2026-02-01T00:00:00Z"}}"#,
        r#"{"t":5}"#,
        r#"{"t":null}"#,
    ];
    let input = lines.map(|line| format!("{line}\n")).concat();
    let messages = succeeds(&["pack"], input.as_bytes());
    let folder = tool::Folder::new();
    let rows = succeeds(&["container", "create", "--block-rows", "1"], input.as_bytes());
    let file = folder.write("t.pkd", rows);
    for (test, numbers) in [
        ("t > @2026-03-01T00:00:00Z", &[0][..]),
        ("t > @2026-03-01T02:00:00.5+02:00", &[0]),
        ("t < @2026-03-01", &[1]),
        ("@2026-02-01 == t", &[1]),
        ("t != @2026-02-01", &[0, 2, 3]),
        ("t >= @1970-01-01 && t <= @2026-02-02", &[1]),
    ] {
        let expected: String = numbers.iter().map(|&at| format!("{}\n", lines[at])).collect();
        let test = ["unpack", "--where", test];
        for found in [run(&test, &messages), run(&[&test[..], &[&file]].concat(), b"")] {
            assert_eq!(String::from_utf8(found.stdout).unwrap(), expected, "{test:?}");
        }
    }
}

#[test]
fn of_a_key_that_occurs_twice_the_last_value_is_looked_into() {
    // {"a": {"b": 1}, "a": {"c": [2]}}
    let row = b"\x82\xa1a\x81\xa1b\x01\xa1a\x81\xa1c\x91\x02";
    let chosen = get(".{b: a.b, c: a.c[0], all: a.c[*], some: a.b[*]}", row);
    assert_eq!(chosen, "{\"b\":null,\"c\":2,\"all\":[2],\"some\":[]}\n");
    assert_eq!(get("[?@.c].c[0]", row), "2\n");
    for (test, holds) in [("a.b", false), ("a.c[0] == 2", true), ("length(a) == 1", true)] {
        let found = run(&["get", ".", "--count", "--where", test], row);
        assert_eq!(found.status.success(), holds, "{test}");
    }
}

#[test]
fn of_a_key_that_occurs_twice_the_last_value_is_tested() {
    let row = b"\x83\xa1a\x01\xa1a\x02\xa1c\x91\x82\xa1d\x01\xa1d\x02";
    let folder = tool::Folder::new();
    let file = folder.write("k.pkd", succeeds(&["container", "create"], row));
    for (test, found) in [
        ("a == 1", false),
        ("a == 2", true),
        ("a[0] || a == 2", true),
        ("c[0].d == 1", false),
        ("c[0].d == 2", true),
        ("c[*].d == 1", false),
        ("c[*].d == 2", true),
        ("c[?@.d == 2]", true),
        ("..d == 1", true),
    ] {
        for (arguments, input) in [
            (&["unpack", "--where", test][..], &row[..]),
            (&["unpack", "--where", test, &file], b""),
        ] {
            let output = run(arguments, input);
            assert_eq!(!output.stdout.is_empty(), found, "{arguments:?}");
        }
    }
    let looked_up = get("{a, d: c[*].d, all: .*}", row);
    assert_eq!(looked_up, "{\"a\":2,\"d\":[2],\"all\":[1,2,[{\"d\":1,\"d\":2}]]}\n");
    assert_eq!(get("c[*].d", row), "1\n2\n");
}

#[test]
fn errors_show_the_place() {
    for (query, what, place) in [
        ("users[?age 30]", "expected ]", 11),
        ("users[?age >]", "expected a name", 12),
        ("users[?'a]", "no ' at the end of this str", 7),
        ("a..", "expected a name", 3),
        ("a.{b", "expected }", 4),
        ("$[?$.a]", "expected a path that begins with @ or a name", 3),
        ("a[?1]", "expected ==, !=, <, <=, >, >=, =~ or in", 4),
        ("a[?b in 1]", "expected (", 8),
        ("a[?b in (1, ]", "expected a name", 12),
        ("a[?b =~ c]", "expected a regular expression in quotes", 8),
        ("a[?b =~ '(']", "not a regular expression: unclosed group", 8),
        (r"a[?b == '\d']", "not a str of JSON", 8),
        ("a[?x == 1x]", "expected a number", 8),
        ("a[?(x == 1]", "expected )", 10),
        (
            "a[?t > @2026-13-01]",
            "expected a time like @2026-03-01T12:00:00Z, or a date",
            7,
        ),
        ("é[?]", "expected a name", 3),
        // As SQL has it.
        ("a[?b = 1]", "= is written ==", 5),
        ("a[?(b is null)]", "is is written ==", 6),
        ("a[?b == 1 AND c]", "AND is written &&", 10),
        ("a[?b like 'x%']", "like is written contains(a, b) or =~", 5),
        ("a[?b between 1]", "between is written a >= b && a <= c", 5),
    ] {
        let error = Query::parse(query).unwrap_err();
        let expected = format!("{what}\n  {query}\n  {}^", " ".repeat(place));
        assert_eq!(error, expected);
    }
    let error = Test::parse("level = 1").unwrap_err();
    assert_eq!(error, "= is written ==\n  level = 1\n        ^");
    for nested in ["(", "!", "length(", "a[?"] {
        let deep = format!("a[?{}", nested.repeat(100_000));
        assert!(Query::parse(&deep).is_err(), "{nested}");
    }
    assert!(Query::parse(&"a.{".repeat(100_000)).is_err());
    fails(&["get", "a[?b ~ 1]"], b"\x80", 2, "expected ]");
}

#[test]
fn what_is_deep_is_searched_without_the_stack() {
    let mut deep = vec![0x91; 1000];
    deep.extend(b"\x81\xa1a\x05");
    assert_eq!(get("..a", &deep), "5\n");
    assert_eq!(get("[?..a == 5]..a", &deep), "5\n");
    // Each level is looked at once: neither its bytes nor its path are held for those within it.
    let levels = 50_000;
    let deep = [&b"\x81\xa1a".repeat(levels)[..], b"\x81\xa1x\x05"].concat();
    let deepest = ["get", "--max-depth", "1000000"];
    let count = succeeds(&[&deepest[..], &["--count", "..a"]].concat(), &deep);
    assert_eq!(count, format!("{levels}\n").into_bytes());
    let found = succeeds(&[&deepest[..], &["--paths", "..x"]].concat(), &deep);
    assert!(found == format!("${}.x\t5\n", ".a".repeat(levels)).into_bytes());
}

#[test]
fn the_paths_of_what_is_within_are_whole() {
    let deep = succeeds(
        &["pack"],
        br#"{"a":[{"x":[{"x":1},2]},{"b":{"x":{"c":{"x":3}}}}],"x":[[4]],"d":5}"#,
    );
    for (path, expected) in [
        ("..x..[0]", "$.a[0].x[0]\t{\"x\":1}\n$.x[0]\t[4]\n$.x[0][0]\t4\n"),
        ("..x..x", "$.a[0].x[0].x\t1\n$.a[1].b.x.c.x\t3\n"),
        (
            "a[*]..x",
            "$.a[0].x\t[{\"x\":1},2]\n$.a[0].x[0].x\t1\n$.a[1].b.x\t{\"c\":{\"x\":3}}\n$.a[1].b.x.c.x\t3\n",
        ),
    ] {
        let found = succeeds(&["get", "--paths", path], &deep);
        assert_eq!(String::from_utf8(found).unwrap(), expected, "{path}");
    }
}

/// The bytes are looked through in pieces, in which messages are cut anywhere.
#[test]
fn a_str_is_found_wherever_it_is() {
    let rows: Vec<String> = (0..40_000)
        .map(|row| match row % 977 {
            0 => format!(r#"{{"n":{row},"level":"error"}}"#),
            1 => format!(r#"{{"level":"warn","n":{row},"text":"no error"}}"#),
            _ => format!(r#"{{"n":{row},"level":"info{row}"}}"#),
        })
        .collect();
    let packed = succeeds(&["pack"], rows.join("\n").as_bytes());
    let folder = tool::Folder::new();
    let file = folder.write("rows.msgpack", packed.clone());
    for (test, matches) in [
        ("level == 'error'", "level\":\"error"),
        ("level in ('error', 'warn')", "r"),
        ("contains(text, 'error') && n > 0", "no error"),
        ("starts_with(level, 'info3999')", "info3999"),
        ("'warn' == level || level == 'info7'", "warn"),
    ] {
        let is_found = |row: &&String| match matches {
            "r" => row.contains("error") || row.contains("warn"),
            "warn" => row.contains("warn") || row.contains("\"info7\""),
            other => row.contains(other),
        };
        let expected: String = rows.iter().filter(is_found).map(|row| format!("{row}\n")).collect();
        let from_file = succeeds(&["unpack", "--where", test, &file], b"");
        assert_eq!(String::from_utf8(from_file).unwrap(), expected, "{test}");
        for input in [&packed, &tool::gzip(&packed)] {
            let from_pipe = succeeds(&["unpack", "--where", test], input);
            assert_eq!(String::from_utf8(from_pipe).unwrap(), expected, "{test}");
        }
        // Each file has offsets of its own.
        let twice = succeeds(&["get", ".", "--count", "--where", test, &file, &file], b"");
        let count = 2 * expected.lines().count();
        assert_eq!(String::from_utf8(twice).unwrap(), format!("{count}\n"));
    }
    let table = format!("[{}]", rows[..2000].join(","));
    for form in [&["pack"][..], &["pack", "--columns"], &["pack", "--records"]] {
        let message = succeeds(form, table.as_bytes());
        for test in ["[977].level == 'error'", "ends_with([1999].level, 'o1999')"] {
            let count = succeeds(&["get", ".", "--count", "--where", test], &message);
            assert_eq!(count, b"1\n", "{form:?} {test}");
        }
    }
}

/// A test on the bytes of a message, and on those of the same value as a writer makes them.
#[test]
fn how_a_message_is_encoded_does_not_matter_to_a_test() {
    let values = [
        "nil",
        "true",
        "false",
        "0",
        "127",
        "-1",
        "-32",
        "5_u8",
        "300",
        "5_u64",
        "18446744073709551615",
        "-33",
        "-5_i8",
        "-5_i16",
        "-70000",
        "-5_i64",
        "-9223372036854775808",
        "1.5",
        "1.5_f32",
        "5.0",
        "nan",
        "\"\"",
        "\"abc\"",
        "\"abc\"_str8",
        "\"ab\"_str16",
        "\"é😀\"",
        "h'6162'",
        "[]",
        "[1, \"ab\", [5]]",
        "{}",
        "{\"b\": 5, 1: 2}",
        "{\"b\": {\"b\": \"abc\"}}",
        "ext(5, h'00')",
        "timestamp(\"2026-01-02T03:04:05Z\")",
    ];
    let tests = [
        "a",
        "!a",
        "a.b",
        "a.b.b",
        "@",
        "a == 5",
        "a != 5",
        "a < 5",
        "a >= -5",
        "a > 1.4",
        "a == null",
        "a == true",
        "a == 'abc'",
        "a < 'abd'",
        "contains(a, 'b')",
        "contains(a, 5)",
        "contains(a, c)",
        "starts_with(a, 'a')",
        "ends_with(a.b.b, 'c')",
        "length(a) == 2",
        "length(a) < 9",
        "a == c",
        "a <= c",
        "a.b == 5 && c || !a",
        "a == 18446744073709551615",
        "a == -9223372036854775808",
        "a in (5, 'abc', null, true)",
        "a in (c, 'ab')",
        r"a =~ '^\w{2,3}$'",
    ];
    let mut held = 0;
    for value in values {
        // Keys in other encodings, values to skip, and a key that occurs twice.
        for map in [
            format!("{{\"a\": {value}, \"c\": 5}}"),
            format!("{{1: [[{value}], {{}}], \"aa\": {value}, \"a\"_str16: {value}, \"c\": \"ab\"}}"),
            format!("{{\"x\": {value}, \"c\": {value}, \"a\": {value}, \"a\": 1}}_map32"),
            value.to_owned(),
        ] {
            let bytes = packord::notation::parse(&map).unwrap_or_else(|error| panic!("{map}: {error}"));
            let value = packord::DecodeOptions::new().decode(&bytes).unwrap();
            let smallest = packord::to_vec(&value).unwrap();
            for text in tests {
                let test = Test::parse(text).unwrap();
                let holds = test.holds(Part::of_message(&smallest));
                assert_eq!(test.holds(Part::of_message(&bytes)), holds, "{text} {map}");
                held += usize::from(holds);
            }
        }
    }
    assert!(held > 500, "{held}");
}

#[test]
fn integers_that_no_float_has_are_compared_with_floats() {
    let lines = "{\"a\":9007199254740993}\n{\"a\":9223372036854775807}\n{\"a\":1e18}\n{\"a\":18446744073709551615}\n{\"a\":-9223372036854775807}\n{\"a\":0.25}\n";
    let messages = succeeds(&["pack"], lines.as_bytes());
    let folder = tool::Folder::new();
    let file = folder.write("a.pkd", succeeds(&["container", "create"], lines.as_bytes()));
    let all: Vec<&str> = lines.lines().collect();
    let list = succeeds(&["pack"], format!("[{}]", all.join(",")).as_bytes());
    for (test, numbers) in [
        ("a > 0.5", &[0, 1, 2, 3][..]),
        ("a < 0.5", &[4, 5]),
        ("a >= 9007199254740993", &[0, 1, 2, 3]),
        ("a > 9007199254740992.0", &[0, 1, 2, 3]),
        ("a <= 9007199254740992.0", &[4, 5]),
        ("a == 9223372036854775808.0", &[]),
        ("a < 18446744073709551615", &[0, 1, 2, 4, 5]),
        ("a < 9223372036854775808.0", &[0, 1, 2, 4, 5]),
        ("a < 18446744073709551616.0 && a > 9.3e18", &[3]),
    ] {
        let expected: String = numbers.iter().map(|&at| format!("{}\n", all[at])).collect();
        for arguments in [
            &["unpack", "--where", test][..],
            &["get", ".", "--where", test],
            &["unpack", "--where", test, &file],
        ] {
            let found = run(arguments, &messages).stdout;
            assert_eq!(String::from_utf8(found).unwrap(), expected, "{arguments:?}");
        }
        assert_eq!(get(&format!("[?{test}]"), &list), expected, "{test}");
    }
}
