//! `--where`, `--select`, `--sort-by` and `--group-by` of `get` and `unpack`, and tables.

mod tool;

use tool::{fails, run, succeeds};

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
    let numbers = [
        "get",
        "n",
        "--group-by",
        "@",
        "--count",
        "--select",
        "count",
    ];
    let counts = text(&numbers, &log);
    assert_eq!(counts, "{\"count\":1}\n{\"count\":2}\n{\"count\":1}\n");
    fails(&["get", ".", "--group-by", "n"], &log, 2, "--count");
    fails(
        &["get", ".", "--group-by", "count", "--count"],
        &log,
        2,
        "write number: count",
    );
    fails(&["get", ".", "--group-by", "none", "--count"], b"", 1, "");
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
        "--count takes --select, --sort-by and --limit with --group-by only",
    );
    let limited = ["unpack", "--sort-by", "@", "--max-message", "100k"];
    fails(&limited, &many, 3, "exceeds 100000 bytes (--max-message)");
    let groups = [
        "get",
        ".",
        "--group-by",
        "@",
        "--count",
        "--max-message",
        "100k",
    ];
    fails(&groups, &many, 3, "exceeds 100000 bytes (--max-message)");
    let sorted = text(&["unpack", "--sort-by", "@"], &many);
    assert_eq!(sorted.lines().count(), 10_000);
}

#[test]
fn errors_show_the_place() {
    for (arguments, what, place) in [
        (["--select", "a,,b"], "--select: expected a name", 2),
        (
            ["--select", "a, b, a"],
            "--select: two entries are named a",
            6,
        ),
        (["--select", "a b"], "--select: expected the end", 2),
        (["--sort-by", "a[?"], "--sort-by: expected a name", 3),
        (
            ["--sort-by", "$.a"],
            "--sort-by: expected a path that begins with @ or a name",
            0,
        ),
        (["--where", "a = 1"], "--where: expected the end", 2),
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
    assert_eq!(
        text(&["get", "level", "--to", "csv"], &log),
        "info\nerror\nerror\n"
    );
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
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(3), &b"a\n1\n"[..])
    );
}

#[test]
fn tables_are_read_back_by_pack() {
    let rows = "{\"id\":1,\"name\":\"Ada, \\\"A\\\"\",\"ok\":true}\n{\"id\":2,\"name\":\"a\\nb\",\"ok\":null}\n";
    let packed = succeeds(&["pack"], rows.as_bytes());
    let csv = succeeds(&["unpack", "--to", "csv"], &packed);
    assert_eq!(succeeds(&["pack", "--from", "csv"], &csv), packed);
    let tsv = succeeds(&["unpack", "--to", "tsv"], &packed);
    assert_eq!(
        succeeds(&["pack", "--from", "csv", "--delimiter", "tab"], &tsv),
        packed
    );
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
        "--where holds for no message",
    );
}
