//! Answers that hold on documents of the size and shape that users have.

mod tool;

use packord::Value;
use tool::succeeds;

fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Map(
        entries
            .into_iter()
            .map(|(key, value)| (Value::from(key), value))
            .collect(),
    )
}

/// 250 maps of 250 maps of two keys: 125,000 paths, and no map with too many keys.
fn many_paths() -> Value {
    let leaf = |name: usize| {
        map([
            (format!("p{name}"), Value::from(1)),
            (format!("q{name}"), Value::from(2)),
        ])
    };
    let inner = || map((0..250).map(|name| (format!("k{name}"), leaf(name))));
    map((0..250).map(|name| (format!("m{name}"), inner())))
}

#[test]
fn stats_names_the_top_level_however_many_paths_there_are() {
    let large = Value::from("x".repeat(3 << 20));
    let document = map([
        ("a".to_owned(), many_paths()),
        ("b".to_owned(), large),
        ("c".to_owned(), map([("d".to_owned(), Value::from(1))])),
    ]);
    let packed = packord::to_vec(&document).unwrap();
    let shown = String::from_utf8(succeeds(
        &["stats", "--quick", "--top", "10000000"],
        &packed,
    ))
    .unwrap();
    for path in ["$.a", "$.b", "$.c", "$.c.d"] {
        assert!(
            shown.contains(&format!("  {path}  ")),
            "{path} is missing: {}",
            &shown[..2000]
        );
    }
    assert!(!shown.contains("  $.*  "), "the root was merged");
    assert!(
        shown.contains("There are more than 100000 paths. The keys of deep maps with many keys are shown as .*: $.a"),
        "{}",
        &shown[shown.len() - 2000..]
    );
}

/// A log of maps with five fields.
fn log(len: usize) -> Vec<Value> {
    let message = |number: usize| {
        map([
            ("id".to_owned(), Value::from(number as u64)),
            (
                "level".to_owned(),
                Value::from(["info", "error"][number % 2]),
            ),
            (
                "text".to_owned(),
                Value::from(format!("request {} took long", number * 7)),
            ),
            ("host".to_owned(), Value::from("a")),
            ("took".to_owned(), Value::from(number as u64 % 13)),
        ])
    };
    (0..len).map(message).collect()
}

fn stream(messages: &[Value]) -> Vec<u8> {
    messages
        .iter()
        .flat_map(|message| packord::to_vec(message).unwrap())
        .collect()
}

/// Returns the lines of `diff`.
fn differences(old: &[u8], new: &[u8]) -> Vec<String> {
    let folder = tempfile::TempDir::new().unwrap();
    let paths = [old, new].map(|bytes| {
        let path = folder.path().join(bytes.len().to_string());
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    });
    let output = tool::run(&["diff", &paths[0], &paths[1]], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn diff_of_streams_shows_as_many_lines_as_there_are_edits() {
    let old = log(5000);
    let mut new = old.clone();
    new.insert(100, Value::from("new"));
    let lines = differences(&stream(&old), &stream(&new));
    assert_eq!(lines, ["+ $100  \"new\" (fixstr, 4 bytes)"]);
    new.remove(3000);
    new[4000] = map([("other".to_owned(), Value::from(true))]);
    let lines = differences(&stream(&old), &stream(&new));
    assert!(lines.len() <= 9, "{lines:#?}");
}

/// 100 MB against 100 MB take seconds in a release build. Time that grows with the square of the length
/// would be minutes here.
#[test]
fn diff_of_large_streams_takes_time_in_proportion() {
    let old = log(60_000);
    let mut new = old.clone();
    for edit in 0..20 {
        new.insert(edit * 2_900, Value::from(format!("new {edit}")));
        new.remove(edit * 2_900 + 1_500);
    }
    let start = std::time::Instant::now();
    let lines = differences(&stream(&old), &stream(&new));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    assert_eq!(lines.len(), 40, "{lines:#?}");
}

#[test]
fn diff_of_arrays_keeps_edits_that_are_near_each_other_apart() {
    let old = log(250);
    let mut new = old.clone();
    new.remove(120);
    new.insert(122, log(9000).pop().unwrap());
    new[125] = map([("id".to_owned(), Value::from(126))]);
    let pack = |list: Vec<Value>| packord::to_vec(&Value::Array(list.into())).unwrap();
    let lines = differences(&pack(old), &pack(new));
    assert!((3..=9).contains(&lines.len()), "{lines:#?}");
}

#[test]
fn repair_keeps_the_messages_after_each_fault() {
    let messages: Vec<Vec<u8>> = log(5000)
        .iter()
        .map(|message| packord::to_vec(message).unwrap())
        .collect();
    let start = |number: usize| messages[..number].concat().len();
    let whole = messages.concat();
    // A marker that is reserved, a str that is not UTF-8, and a length that is too large.
    let mut damaged = whole.clone();
    let reserved = start(2757) + 4;
    damaged[reserved] = 0xc1;
    let host = start(3000) + messages[3000].len() - 8;
    assert_eq!(&damaged[host..host + 2], b"\xa1a");
    damaged[host + 1] = 0xff;
    damaged[start(4000)] = 0xdf;
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("damaged").display().to_string();
    std::fs::write(&path, &damaged).unwrap();
    let expected = [
        &messages[..2757],
        &messages[2758..3000],
        &messages[3001..4000],
        &messages[4001..],
    ];
    for (arguments, input) in [(vec!["repair"], &damaged[..]), (vec!["repair", &path], b"")] {
        let output = tool::run(&arguments, input);
        let report = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout == expected.concat().concat(), "{report}");
        assert!(report.contains("kept: 4997 complete messages"), "{report}");
        for number in [2757, 3000, 4000] {
            let (from, to) = (start(number), start(number + 1));
            let range = format!("from byte {from} to byte {to}");
            assert!(report.contains(&range), "{range}: {report}");
        }
        assert!(!report.contains("on\n"), "{report}");
    }
}

#[test]
fn input_that_is_not_messagepack_is_named() {
    let text = b"id,name,city\n1,Ada,London\n2,Bob,Paris\n";
    for (input, name) in [
        (&b"{\"a\": [1, 2]}\n"[..], "JSON (packord pack reads it)"),
        (&text[..], "text (packord pack --from csv"),
        (b"PAR1\x15\x04\x15", "Parquet"),
        (b"\xd9\xd9\xf7\xa1\x61\x61\x01", "CBOR"),
        (b"\xfd7zXZ\0\0\x04", "compressed with xz"),
    ] {
        for command in [
            &["validate"][..],
            &["validate", "--all"],
            &["unpack"],
            &["get", "."],
            &["stats"],
            &["inspect"],
            &["repair"],
        ] {
            let message = format!("cannot read standard input: it is not MessagePack but {name}");
            tool::fails(command, input, 3, &message);
        }
    }
    // As MessagePack, each character is a small integer.
    assert_eq!(
        succeeds(&["validate", "--as-is"], b"{}"),
        b"valid: 2 messages, 2 bytes, 2 values, depth 0\n"
    );
}
