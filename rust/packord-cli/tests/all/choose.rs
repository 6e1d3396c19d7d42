//! `--where`, `--select`, `--sort-by` and `--group-by` of `get` and `unpack`, and tables.

use crate::tool::{self, fails, run, succeeds};

const LOG: &str = r#"
{"level":"info","n":1,"at":{"host":"a"}}
{"level":"error","n":2.5,"at":{"host":"b"},"tags":["x","y"]}
{"level":"error","n":1.0,"at":{"host":"a"},"msg":"a, \"b\""}
{"n":-3}
"#;

fn log(options: &[&str]) -> Vec<u8> {
    let arguments: Vec<_> = ["pack"].iter().chain(options).copied().collect();
    succeeds(&arguments, LOG.as_bytes())
}

fn text(arguments: &[&str], input: &[u8]) -> String {
    String::from_utf8(succeeds(arguments, input)).unwrap()
}

#[test]
fn unpack_and_get_choose_and_sort_alike() {
    for options in [&[][..], &["--records"]] {
        let log = log(options);
        for (choosing, expected) in [
            (
                &["--where", "n > 1 || !level"][..],
                &[
                    r#"{"level":"error","n":2.5,"at":{"host":"b"},"tags":["x","y"]}"#,
                    r#"{"n":-3}"#,
                ][..],
            ),
            (
                &["--select", "at.host, n,first: tags[0], all: tags[*]"],
                &[
                    r#"{"at.host":"a","n":1,"first":null,"all":[]}"#,
                    r#"{"at.host":"b","n":2.5,"first":"x","all":["x","y"]}"#,
                    r#"{"at.host":"a","n":1.0,"first":null,"all":[]}"#,
                    r#"{"at.host":null,"n":-3,"first":null,"all":[]}"#,
                ],
            ),
            // 1 equals 1.0: they stay in their order, in both directions.
            (
                &["--sort-by", "n", "--select", "n"],
                &[r#"{"n":-3}"#, r#"{"n":1}"#, r#"{"n":1.0}"#, r#"{"n":2.5}"#],
            ),
            (
                &["--sort-by", "n", "--descending", "--select", "n"],
                &[r#"{"n":2.5}"#, r#"{"n":1}"#, r#"{"n":1.0}"#, r#"{"n":-3}"#],
            ),
            (
                &["--sort-by", "level desc, n", "--select", "n"],
                &[r#"{"n":1}"#, r#"{"n":1.0}"#, r#"{"n":2.5}"#, r#"{"n":-3}"#],
            ),
            (
                &["--sort-by", "level asc,n", "--descending", "--select", "n"],
                &[r#"{"n":2.5}"#, r#"{"n":1.0}"#, r#"{"n":1}"#, r#"{"n":-3}"#],
            ),
            // What has no value there comes last, in both directions.
            (
                &["--sort-by", "level", "--descending", "--select", "n"],
                &[r#"{"n":1}"#, r#"{"n":2.5}"#, r#"{"n":1.0}"#, r#"{"n":-3}"#],
            ),
        ] {
            let expected = expected.join("\n") + "\n";
            for command in [&["unpack"][..], &["get", "."]] {
                let arguments: Vec<_> = command.iter().chain(choosing).copied().collect();
                assert_eq!(text(&arguments, &log), expected, "{arguments:?}");
            }
        }
    }
}

#[test]
fn any_values_are_sorted_in_one_order() {
    let values = r#"[{"a":1}, "b", "a", 18446744073709551615, 18446744073709551614, 1.8446744073709552e19,
        -0.0, 0, {"$float":"nan"}, {"$float":"inf"}, true, false, null, 9007199254740993, 9007199254740992.0]"#;
    let packed = succeeds(&["pack"], values.as_bytes());
    let sorted = text(&["get", "[*]", "--sort-by", "@"], &packed);
    let expected = r#"null false true -0.0 0 9007199254740992.0 9007199254740993 18446744073709551614
        18446744073709551615 1.8446744073709552e19 {"$float":"inf"} {"$float":"nan"} "a" "b" {"a":1}"#;
    let expected: Vec<_> = expected.split_whitespace().collect();
    assert_eq!(sorted.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn groups_are_counted() {
    let log = log(&[]);
    assert_eq!(
        text(&["get", ".", "--group-by", "level", "--count"], &log),
        "{\"level\":null,\"count\":1}\n{\"level\":\"error\",\"count\":2}\n{\"level\":\"info\",\"count\":1}\n"
    );
    let by_count = [
        "get",
        ".",
        "--group-by",
        "host: at.host",
        "--count",
        "--sort-by",
        "count",
        "--descending",
        "--to",
        "csv",
    ];
    assert_eq!(text(&by_count, &log), "host,count\na,2\n,1\nb,1\n");
    // 1 and 1.0 are one group.
    let numbers = ["get", "n", "--group-by", "@", "--count", "--select", "count"];
    let counts = text(&numbers, &log);
    assert_eq!(counts, "{\"count\":1}\n{\"count\":2}\n{\"count\":1}\n");
    fails(&["get", ".", "--group-by", "n"], &log, 2, "--count");
    fails(
        &["get", ".", "--group-by", "count", "--count"],
        &log,
        2,
        "write other: count",
    );
    fails(&["get", ".", "--group-by", "none", "--count"], b"", 1, "");
}

#[test]
fn totals_are_exact_and_defined() {
    let total = |options: &[&str], values: &str| {
        let packed = succeeds(&["pack"], values.as_bytes());
        text(&[&["get", "."], options].concat(), &packed)
    };
    for (values, sum, avg, min, max) in [
        ("1 2 4", "7", "2.3333333333333335", "1", "4"),
        // No float has these integers.
        (
            "9007199254740993 2 -1",
            "9007199254740994",
            "3002399751580331.5",
            "-1",
            "9007199254740993",
        ),
        (
            "18446744073709551615 18446744073709551615",
            "36893488147419103230",
            "1.8446744073709552e19",
            "18446744073709551615",
            "18446744073709551615",
        ),
        // The last digits of floats are not lost on the way.
        ("1e16 0.5 -1e16", "0.5", "0.16666666666666666", "-1e16", "1e16"),
        ("1 0.5", "1.5", "0.75", "0.5", "1"),
        // Nor do sums overflow on the way.
        (
            "1e308 1e308 -1e308",
            "1e308",
            "3.333333333333333e307",
            "-1e308",
            "1e308",
        ),
        ("1e308 -1e308 1e308 5 -1e308", "5.0", "1.0", "-1e308", "1e308"),
        (
            "1.5e308 1.5e308",
            "{\"$float\":\"inf\"}",
            "1.5e308",
            "1.5e308",
            "1.5e308",
        ),
        (
            "9007199254740993 1.0",
            "9007199254740994.0",
            "4503599627370497.0",
            "1.0",
            "9007199254740993",
        ),
        (
            "{\"$float\":\"inf\"} 1",
            "{\"$float\":\"inf\"}",
            "{\"$float\":\"inf\"}",
            "1",
            "{\"$float\":\"inf\"}",
        ),
        // A NaN that is computed has the same bits on all machines.
        (
            "{\"$float\":\"inf\"} {\"$float\":\"-inf\"}",
            "{\"$float\":\"nan\"}",
            "{\"$float\":\"nan\"}",
            "{\"$float\":\"-inf\"}",
            "{\"$float\":\"inf\"}",
        ),
        // Values that are not numbers are left out of sums, and nil of all.
        ("\"b\" null \"a\" 3 true", "3", "3.0", "true", "\"b\""),
        ("null", "null", "null", "null", "null"),
    ] {
        for (option, expected) in [("--sum", sum), ("--avg", avg), ("--min", min), ("--max", max)] {
            assert_eq!(
                total(&[option, "@"], values),
                format!("{expected}\n"),
                "{option} {values}"
            );
        }
    }
    let log = log(&[]);
    for (arguments, expected) in [
        (&["--sum", "n", "--where", "n > 0"][..], "4.5\n"),
        (&["--sum", "n", "--count"], "{\"count\":4,\"sum\":1.5}\n"),
        (
            &["--sum", "none", "--max", "level"],
            "{\"sum\":null,\"max\":\"info\"}\n",
        ),
        (&["--max", "level", "--raw"], "info\n"),
        (
            &[
                "--group-by",
                "level",
                "--avg",
                "n",
                "--min",
                "at.host",
                "--sort-by",
                "avg desc",
            ],
            "{\"level\":\"error\",\"avg\":1.75,\"min\":\"a\"}\n\
             {\"level\":\"info\",\"avg\":1.0,\"min\":\"a\"}\n\
             {\"level\":null,\"avg\":-3.0,\"min\":null}\n",
        ),
        (
            &["--group-by", "level", "--sum", "n", "--to", "csv"],
            "level,sum\n,-3\nerror,3.5\ninfo,1\n",
        ),
    ] {
        assert_eq!(
            text(&[&["get", "."], arguments].concat(), &log),
            expected,
            "{arguments:?}"
        );
    }
    // Of a container file, and of the elements at a path.
    let rows = succeeds(&["container", "create"], LOG.as_bytes());
    assert_eq!(
        text(&["get", ".", "--sum", "n", "--count"], &rows),
        "{\"count\":4,\"sum\":1.5}\n"
    );
    assert_eq!(text(&["get", "tags[*]", "--max", "@"], &log), "\"y\"\n");
    let none = run(&["get", ".", "--sum", "n", "--where", "n > 99"], &log);
    assert_eq!((none.status.code(), &none.stdout[..]), (Some(1), &b"null\n"[..]));
    for (options, what) in [
        (
            &["--sum", "n", "--limit", "1"][..],
            "--max take --select, --sort-by and --limit with",
        ),
        (&["--sum", "a,"], "--sum: expected the end"),
        (&["--max", "n", "--paths"], "cannot be used with"),
        (&["--group-by", "sum: n", "--sum", "n"], "write other: sum"),
    ] {
        fails(&[&["get", "."], options].concat(), &log, 2, what);
    }
}

#[test]
fn what_is_made_of_values_may_be_as_deep_as_they_are() {
    let deep = |depth: usize| [&b"\x91".repeat(depth)[..], b"\xc0"].concat();
    for arguments in [
        &["get", ".", "--min", "@", "--count"][..],
        &["get", ".", "--count", "--group-by", "it: @"],
        &["get", ".", "--select", "it: @"],
        &["get", ".{it: @}"],
    ] {
        succeeds(arguments, &deep(1024));
    }
    let min = ["get", ".", "--max-depth", "3000", "--min", "@"];
    succeeds(&min, &deep(3000));
}

#[test]
fn a_count_has_the_format_of_the_output() {
    let input = b"\x01\x02\x03\x04";
    let count = ["get", ".", "--count", "--to"];
    assert_eq!(succeeds(&[&count[..], &["msgpack"]].concat(), input), b"\x04");
    assert_eq!(text(&[&count[..], &["json"]].concat(), input), "4\n");
    fails(&[&count[..], &["parquet"]].concat(), input, 1, "Parquet has rows");
}

#[test]
fn names_of_files_are_before_their_values() {
    let folder = tool::Folder::new();
    let one = folder.write("one", b"\x81\xa1a\x02");
    // Windows has no file with such a name.
    let end = if cfg!(windows) { ("", "") } else { ("\x1b", "\\u{1b}") };
    let other = folder.write(&format!("other{}", end.0), b"\x81\xa1a\x01\x81\xa1b\x03");
    let shown = folder.path("other") + end.1;
    for (arguments, expected) in [
        (
            &["unpack"][..],
            format!("{one}\t{{\"a\":2}}\n{shown}\t{{\"a\":1}}\n{shown}\t{{\"b\":3}}\n"),
        ),
        (
            &["unpack", "--sort-by", "a", "--limit", "2"],
            format!("{shown}\t{{\"a\":1}}\n{one}\t{{\"a\":2}}\n"),
        ),
        (&["get", "a"], format!("{one}\t2\n{shown}\t1\n")),
        (
            &["get", "a", "--paths", "--to", "diag"],
            format!("{one}\t$.a\t2\n{shown}\t$.a\t1\n"),
        ),
        (
            &["get", "[?@ > 1]", "--paths"],
            format!("{one}\t$.a\t2\n{shown}\t$1.b\t3\n"),
        ),
    ] {
        let all = [arguments, &["--file-names", &one, &other]].concat();
        assert_eq!(text(&all, b""), expected, "{arguments:?}");
    }
    for refused in [
        &["--to", "csv"][..],
        &["--to", "msgpack"],
        &["--count"],
        &["--sum", "a"],
    ] {
        let all = [&["get", ".", "--file-names"], refused].concat();
        fails(&all, b"\x01", 2, "--file-names");
    }
}

#[test]
fn the_first_bytes_are_left_out_by_option() {
    let framed = b"\0\0\0\0\x07\x81\xa1a\x01";
    let folder = tool::Folder::new();
    let file = folder.write("value", framed);
    assert_eq!(text(&["unpack", "--skip", "5"], framed), "{\"a\":1}\n");
    assert_eq!(text(&["get", "a", "--skip", "5", &file, &file], b""), "1\n1\n");
    for (command, shown) in [
        ("validate", "valid: 1 message, 4 bytes"),
        ("inspect", "00000000  81 "),
        ("stats", "1 message, "),
        ("schema", "  $    map\n  $.a  int"),
    ] {
        let found = text(&[command, "--skip", "5", &file], b"");
        assert!(found.contains(shown), "{found}");
    }
    // What follows a fault is read from there, too.
    let damaged = folder.write("damaged", b"\0\0\x91\x01\x91\xc1\x91\x02\x91\x03\x91\x04");
    let repaired = run(&["repair", "--skip", "2", &damaged], b"");
    assert_eq!(repaired.stdout, b"\x91\x01\x91\x02\x91\x03\x91\x04");
    let container = [&b"ab"[..], &succeeds(&["container", "create"], b"{\"a\":1}")].concat();
    let container = folder.write("rows", container);
    for (arguments, expected) in [
        (&["unpack"][..], "{\"a\":1}\n"),
        (&["get", ".", "--count"], "1\n"),
        (&["get", ".", "--where", "a == 1"], "{\"a\":1}\n"),
    ] {
        assert_eq!(text(&[arguments, &["--skip", "2", &container]].concat(), b""), expected);
    }
    assert!(text(&["validate", "--skip", "2", &container], b"").starts_with("valid: 1 row"));
    fails(
        &["unpack", "--skip", "99"],
        framed,
        3,
        "the input has 9 bytes, and --skip leaves out 99",
    );
}

#[test]
fn what_is_held_has_a_limit() {
    let many: Vec<u8> = (0..10_000_u32)
        .flat_map(|n| packord::to_vec(&packord::Value::from(n)).unwrap())
        .collect();
    let sort = ["get", ".", "--sort-by", "@", "--count"];
    fails(
        &sort,
        &many,
        2,
        "--max take --select, --sort-by and --limit with --group-by only",
    );
    let limited = ["unpack", "--sort-by", "@", "--max-message", "100k"];
    fails(&limited, &many, 3, "exceeds 100000 bytes (--max-message)");
    let groups = ["get", ".", "--group-by", "@", "--count", "--max-message", "100k"];
    fails(&groups, &many, 3, "exceeds 100000 bytes (--max-message)");
    let values = succeeds(&["pack"], format!("\"{}\"", "x".repeat(3000)).as_bytes());
    let extreme = ["get", ".", "--max", "@", "--max-message", "100k"];
    fails(&extreme, &values, 3, "exceeds 100000 bytes (--max-message)");
    let most = [&values[..]; 40].concat();
    for range in ["$-100:", "$:-100", "$-20:"] {
        let last = ["get", range, "--max-message", "100k", "--count"];
        if range == "$-20:" {
            assert_eq!(text(&last, &most), "20\n");
        } else {
            fails(&last, &most, 3, "hold in memory exceeds 100000 bytes (--max-message)");
        }
    }
    let sorted = text(&["unpack", "--sort-by", "@"], &many);
    assert_eq!(sorted.lines().count(), 10_000);
}

#[test]
fn errors_show_the_place() {
    for (arguments, what, place) in [
        (["--select", "a,,b"], "--select: expected a name", 2),
        (["--select", "a, b, a"], "--select: two entries are named a", 6),
        (["--select", "a b"], "--select: expected the end", 2),
        (["--sort-by", "a[?"], "--sort-by: expected a name", 3),
        (
            ["--sort-by", "$.a"],
            "--sort-by: expected a path that begins with @ or a name",
            0,
        ),
        (["--where", "a = 1"], "--where: = is written ==", 2),
    ] {
        let shown = format!("{what}\n  {}\n  {}^", arguments[1], " ".repeat(place));
        for command in [&["unpack"][..], &["get", "."]] {
            let arguments: Vec<_> = command.iter().chain(&arguments).copied().collect();
            fails(&arguments, b"\x80", 2, &shown);
        }
    }
}

#[test]
fn tables_have_the_keys_of_the_first_rows_as_header() {
    let log = log(&["--records"]);
    assert_eq!(
        text(&["unpack", "--to", "csv"], &log),
        "level,n,at,tags,msg\n\
         info,1,\"{\"\"host\"\":\"\"a\"\"}\",,\n\
         error,2.5,\"{\"\"host\"\":\"\"b\"\"}\",\"[\"\"x\"\",\"\"y\"\"]\",\n\
         error,1.0,\"{\"\"host\"\":\"\"a\"\"}\",,\"a, \"\"b\"\"\"\n\
         ,-3,,,\n"
    );
    assert_eq!(
        text(&["get", ".{n, host: at.host}", "--to", "tsv"], &log),
        "n\thost\n1\ta\n2.5\tb\n1.0\ta\n-3\t\n"
    );
    // Values that are not maps have no header.
    assert_eq!(text(&["get", "tags", "--to", "csv"], &log), "x,y\n");
    assert_eq!(text(&["get", "level", "--to", "csv"], &log), "info\nerror\nerror\n");
    assert_eq!(text(&["unpack", "--to", "csv"], b""), "");
}

#[test]
fn cells_of_every_type_are_defined() {
    let row = r#"{"a": true, "b": {"$bin": "AP8="}, "c": {"$timestamp": "2026-01-02T03:04:05Z"}, "d": {"$float": "nan"},
        "e": {"$float": "-inf"}, "f": {"$ext": [5, "AA=="]}, "$key:5": "x\ny", "g": "", "h": null, "i": 18446744073709551615}"#;
    let packed = succeeds(&["pack"], row.as_bytes());
    assert_eq!(
        text(&["unpack", "--to", "csv"], &packed),
        "a,b,c,d,e,f,[key 5],g,h,i\n\
         true,AP8=,2026-01-02T03:04:05Z,nan,-inf,\"{\"\"$ext\"\":[5,\"\"AA==\"\"]}\",\"x\ny\",,,18446744073709551615\n"
    );
    let event = b"\x91\xd7\x00\x69\x57\x4c\x65\0\0\0\0";
    let times = ["unpack", "--to", "csv", "--ext", "fluentd"];
    assert_eq!(text(&times, event), "2026-01-02T04:41:09Z\n");
}

#[test]
fn a_row_that_does_not_fit_is_an_error_after_the_rows_before_it() {
    let mut rows = b"\x81\xa1a\x01".repeat(1000);
    rows.extend(b"\x81\xa1b\x02");
    let output = run(&["unpack", "--to", "csv"], &rows);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout.len(), "a\n".len() + 2 * 1000);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("row 1001 has the key \"b\"") && message.contains("--select"),
        "{message}"
    );
    assert_eq!(
        text(&["get", "$-2:", "--select", "a,b", "--to", "csv"], &rows),
        "a,b\n1,\n,2\n"
    );
    fails(
        &["unpack", "--to", "csv"],
        &succeeds(&["pack"], b"{\"name\":\"Ada\"}\n\"x\""),
        1,
        "row 2 and the first row are not both maps",
    );
    fails(
        &["unpack", "--to", "csv"],
        &succeeds(&["pack"], b"[\"a\",2]\n[\"b\"]"),
        1,
        "row 2 has 1 cells, and the first row 2",
    );
    fails(
        &["unpack", "--to", "csv"],
        &succeeds(&["pack"], b"[{\"name\":\"Ada\"}]"),
        1,
        "packord get '[*]' makes a row of each",
    );
    fails(
        &["get", ".", "--to", "csv", "--paths"],
        b"\x01",
        2,
        "cannot be used with a table",
    );
    // The rows before a fault in the data are written, too.
    let output = run(&["unpack", "--to", "csv"], b"\x81\xa1a\x01\xc1");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b"a\n1\n"[..]));
}

#[test]
fn tables_are_read_back_by_pack() {
    let rows = "{\"id\":1,\"name\":\"Ada, \\\"A\\\"\",\"ok\":true}\n{\"id\":2,\"name\":\"a\\nb\",\"ok\":null}\n";
    let packed = succeeds(&["pack"], rows.as_bytes());
    let csv = succeeds(&["unpack", "--to", "csv"], &packed);
    assert_eq!(succeeds(&["pack", "--from", "csv"], &csv), packed);
    let tsv = succeeds(&["unpack", "--to", "tsv"], &packed);
    assert_eq!(succeeds(&["pack", "--from", "csv", "--delimiter", "tab"], &tsv), packed);
}

#[test]
fn messages_are_written_as_plain_messagepack() {
    let plain = log(&[]);
    let records = log(&["--records"]);
    assert_eq!(succeeds(&["unpack", "--to", "msgpack"], &records), plain);
    assert_eq!(succeeds(&["get", ".", "--to", "msgpack"], &records), plain);
    let kept = succeeds(&["unpack", "--where", "n < 0", "--to", "msgpack"], &records);
    assert_eq!(kept, b"\x81\xa1n\xfd");
    fails(
        &["unpack", "--where", "n > 99"],
        &plain,
        1,
        "no message matches --where",
    );
}
