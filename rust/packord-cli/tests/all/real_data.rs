//! Answers that hold on documents of the size and shape that users have.

use crate::tool::{self, succeeds};
use packord::Value;

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
    let shown = String::from_utf8(succeeds(&["stats", "--quick", "--top", "10000000"], &packed)).unwrap();
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
            ("level".to_owned(), Value::from(["info", "error"][number % 2])),
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
/// would be many minutes here, where this takes a second of the processor: on a busy machine also a minute.
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
    assert!(start.elapsed().as_secs() < 600, "{:?}", start.elapsed());
    assert_eq!(lines.len(), 40, "{lines:#?}");
    // Messages that have nothing in common.
    let new: Vec<Value> = (0..60_000)
        .map(|number| map([(format!("{number}"), Value::from(f64::from(number) / 7.0))]))
        .collect();
    let start = std::time::Instant::now();
    let lines = differences(&stream(&old), &stream(&new));
    assert!(start.elapsed().as_secs() < 600, "{:?}", start.elapsed());
    assert!(lines.len() <= 6 * 60_000, "{}", lines.len());
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

/// The definition of a structure in a damaged message moves to the first message that needs it.
#[test]
fn repair_of_sequential_records_keeps_the_messages_after_each_fault() {
    let mut lines: Vec<String> = (0..300)
        .map(|id| format!("{{\"id\":{id},\"name\":\"n\",\"in\":{{\"x\":[{id}]}}}}\n"))
        .collect();
    lines[100] = "{\"other\":\"broken\",\"n\":1}\n".to_owned();
    lines[150] = "{\"list\":[{\"other\":\"whole\",\"n\":2}]}\n".to_owned();
    lines[200] = "{\"other\":\"whole\",\"n\":3}\n".to_owned();
    let pack = |lines: &[String]| succeeds(&["pack", "--sequential"], lines.concat().as_bytes());
    let start = |number: usize| pack(&lines[..number]).len();
    let mut damaged = pack(&lines);
    // An id, a str next to a definition, and a str after which the record ends in the middle.
    damaged[start(50)] = 0xc1;
    let name = start(101) - b"broken\x01".len();
    assert_eq!(&damaged[name..name + 6], b"broken");
    damaged[name] = 0xff;
    let inner = start(250) + 3;
    assert_eq!(&damaged[inner..inner + 2], b"\xa1n");
    damaged[inner] = 0xc1;
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("damaged").display().to_string();
    std::fs::write(&path, &damaged).unwrap();
    let expected = [&lines[..50], &lines[51..100], &lines[101..250], &lines[251..]].concat();
    for (arguments, input) in [
        (vec!["repair", "--sequential"], &damaged[..]),
        (vec!["repair", "--sequential", &path], b""),
    ] {
        let output = tool::run(&arguments, input);
        let report = String::from_utf8(output.stderr).unwrap();
        let kept = succeeds(&["unpack", "--sequential"], &output.stdout);
        assert!(kept == expected.concat().as_bytes(), "{report}");
        assert!(report.contains("kept: 297 complete messages"), "{report}");
        for place in ["$50", "$100.other", "$250.name"] {
            assert!(report.contains(&format!("({place})")), "{report}");
        }
        for number in [50, 100, 250] {
            let range = format!("from byte {} to byte {}", start(number), start(number + 1));
            assert!(report.contains(&range), "{range}: {report}");
        }
    }
    // Nothing is known after a length that is wrong.
    let mut cut = pack(&lines);
    let inner = start(60) + 1;
    cut[inner] = 0xdb;
    let output = tool::run(&["repair", "--sequential"], &cut);
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.contains("kept: 60 complete messages"), "{report}");
    assert!(report.contains(&format!("from byte {} on", start(60))), "{report}");
}

#[test]
fn input_that_is_not_messagepack_is_named() {
    let text = b"id,name,city\n1,Ada,London\n2,Bob,Paris\n";
    for (input, name) in [
        (&b"{\"a\": [1, 2]}\n"[..], "JSON (packord pack reads it)"),
        (&text[..], "text (packord pack --from csv"),
        (b"PAR1\x15\x04\x15", "Parquet"),
        (b"ARROW1\0\0\x10", "an Arrow file"),
        (b"Obj\x01\x04\x14avro.codec", "Avro"),
        (b"SQLite format 3\0\x10", "an SQLite database"),
        (b"PK\x03\x04\x14\0", "a zip archive (unzip -p FILE"),
        (b"\xd9\xd9\xf7\xa1\x61\x61\x01", "CBOR"),
        (b"\xfd7zXZ\0\0\x04", "compressed with xz (xz -dc"),
        (b"BZh91AY&SY", "compressed with bzip2 (bzip2 -dc"),
        (b"\x04\x22\x4d\x18\x64\x40", "compressed with lz4 (lz4 -dc"),
        (b"\xff\x06\0\0sNaPpY", "compressed with snappy"),
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
