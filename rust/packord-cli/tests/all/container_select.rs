//! Of a container file that is stored by column, only what a command needs is read.

use crate::tool::{Folder, fails, run, succeeds};

/// Rows with fifteen keys, of which no codec makes the values of `c0` to `c13` much smaller.
fn rows(count: u64) -> String {
    let mut state = 7_u64;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state ^ state >> 29
    };
    let mut row = |number: u64| {
        let cells: Vec<_> = (0..14)
            .map(|key| match (number + key) % 11 {
                0 => format!("\"c{key}\":null"),
                _ => format!("\"c{key}\":\"{:016x}\"", word()),
            })
            .collect();
        format!("{{\"id\":{number},{}}}\n", cells.join(","))
    };
    (0..count).map(&mut row).collect()
}

/// Returns the bytes that `unpack --stats` says were read.
fn bytes_read(arguments: &[&str]) -> f64 {
    let output = run(arguments, b"");
    let said = String::from_utf8(output.stderr).unwrap();
    let said = said.split(';').next().unwrap();
    let mut words = said.rsplit(", ").next().unwrap().split(' ');
    let number: f64 = words.next().unwrap().parse().unwrap();
    number
        * match words.next().unwrap() {
            "kB" => 1e3,
            "MB" => 1e6,
            _ => 1.0,
        }
}

#[test]
fn one_column_is_read_without_the_others() {
    let folder = Folder::new();
    let bytes = succeeds(&["container", "create"], rows(20_000).as_bytes());
    let file = folder.write("rows.pkd", &bytes);
    let size = bytes.len() as f64;
    let get = ["unpack", "--stats", "--select"];
    for (select, most) in [("c3", 0.15), ("id", 0.15), ("c3,c9", 0.25)] {
        let read = bytes_read(&[&get[..], &[select, &file]].concat());
        assert!(read < most * size, "{select}: {read} of {size}");
    }
    // Where no row matches, the keys of the test alone are read.
    let none = ["c3", "--where", "c9 == 'none'", &file];
    let read = bytes_read(&[&get[..], &none].concat());
    assert!(read < 0.15 * size, "{read} of {size}");
    assert!(bytes_read(&["unpack", "--stats", &file]) > 0.9 * size);
}

#[test]
fn the_counts_of_all_ranges_are_those_of_the_file() {
    let folder = Folder::new();
    let create = ["container", "create", "--block-rows", "500"];
    let file = folder.write("rows.pkd", succeeds(&create, rows(3000).as_bytes()));
    let ranges = succeeds(&["container", "split", "--number", "3", &file], b"");
    let counts = String::from_utf8(ranges).unwrap();
    let counts = counts.lines().map(|line| {
        let range = line.split_whitespace().collect::<Vec<_>>().join("..");
        let count = succeeds(&["get", ".", "--count", "--range", &range, &file], b"");
        let count = String::from_utf8(count).unwrap();
        count.trim().parse::<u64>().unwrap()
    });
    let counts: Vec<_> = counts.collect();
    assert_eq!((counts.len(), counts.iter().sum()), (3, 3000));
    assert!(counts.iter().all(|count| *count < 3000), "{counts:?}");
}

#[test]
fn what_is_found_is_the_same_with_all_columns() {
    let folder = Folder::new();
    let mut lines = rows(3000);
    lines.push_str("[1,2]\n{\"c3\":5}\n{\"1\":{\"id\":[3]},\"id\":\"x\"}\n7\n");
    let create = ["container", "create", "--from", "ndjson", "--block-rows", "700"];
    let file = folder.write("rows.pkd", succeeds(&create, lines.as_bytes()));
    let plain = folder.write("rows.msgpack", succeeds(&["pack"], lines.as_bytes()));
    for arguments in [
        &["unpack", "--select", "id,c3"][..],
        &["unpack", "--select", "x: missing, c3"],
        &["unpack", "--where", "c3 == 5"],
        &["unpack", "--select", "c1", "--where", "id >= 2990 && c2 != null"],
        &[
            "unpack",
            "--select",
            "c1",
            "--where",
            "id < 3 || c2 == null",
            "--sort-by",
            "c5",
        ],
        &["unpack", "--select", "c1", "--where", "!c3 || c3 <= null"],
        &["unpack", "--select", "n: @[1]"],
        &["unpack", "--sort-by", "id", "--limit", "5"],
        &["get", "c7"],
        &["get", "--paths", "c7"],
        &["get", "1.id[0]"],
        &["get", "$-2:.c3"],
        &["get", "{id, c3}", "--limit", "3"],
        &["get", "..id"],
        &["get", "--keys", ".", "--to", "json"],
        &["get", "--count", "."],
        &["get", "--count", "c3"],
        &["get", "--count", ".", "--where", "c3 == null"],
        &["get", ".", "--count", "--group-by", "n: c3.x", "--sort-by", "n"],
        &["get", ".", "--to", "csv", "--select", "c3,id"],
    ] {
        let [expected, found] = [&plain, &file].map(|path| {
            let output = run(&[arguments, &[path]].concat(), b"");
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        });
        assert!(expected == found, "{arguments:?}");
    }
}

#[test]
fn faults_in_other_columns_are_not_seen() {
    let folder = Folder::new();
    let mut bytes = succeeds(&["container", "create"], rows(5000).as_bytes());
    // The last key has the last chunk.
    let index = bytes.len() - 12;
    let index = u64::from_be_bytes(bytes[index..index + 8].try_into().unwrap()) as usize;
    bytes[index - 10] ^= 1;
    let file = folder.write("rows.pkd", &bytes);
    let ids = String::from_utf8(succeeds(&["get", "id", &file], b"")).unwrap();
    assert_eq!(ids.lines().count(), 5000);
    for arguments in [&["get", "c13"][..], &["unpack"], &["validate"]] {
        let arguments = [arguments, &[&file]].concat();
        fails(&arguments, b"", 3, "invalid_container at byte");
    }
    // A pipe is read as a whole.
    fails(&["get", "id"], &bytes, 3, "invalid_container at byte");
}

#[test]
fn a_question_has_one_answer_for_a_stream_a_container_file_and_a_pipe() {
    let folder = Folder::new();
    let lines: String = (0..300)
        .map(|id| {
            let (town, tag) = (["Oslo", "Graz", "Bonn"][id % 3], ["x", "y"][id % 2]);
            let level = if id % 7 == 0 {
                "null".to_owned()
            } else {
                format!("{}.5", id % 40)
            };
            format!("{{\"id\":{id},\"town\":\"{town}\",\"level\":{level},\"tags\":[\"{tag}\"]}}\n")
        })
        .collect();
    let stream = succeeds(&["pack"], lines.as_bytes());
    let mut files = vec![folder.write("rows.msgpack", &stream)];
    for (name, options) in [
        ("rows.pkd", &["--block-rows", "50"][..]),
        ("messages.pkd", &["--messages"]),
    ] {
        let file = folder.path(name);
        let arguments = [&["container", "create", "-o", &file], options].concat();
        succeeds(&arguments, lines.as_bytes());
        files.push(file);
    }
    for question in [
        &[
            "get", ".", "--sum", "level", "--avg", "level", "--min", "level", "--max", "level", "--count",
        ][..],
        &[
            "get",
            ".",
            "--group-by",
            "town",
            "--sum",
            "level",
            "--sort-by",
            "sum desc, town",
        ],
        &["get", "tags[*]", "--group-by", "@", "--count"],
        &[
            "get",
            "id",
            "--where",
            "town in ('Oslo', 'Bonn') && tags[0] =~ '^x$'",
            "--count",
        ],
        &[
            "get",
            "id",
            "--where",
            "town =~ '(?i)^os' && !(level == null)",
            "--limit",
            "9",
        ],
        &[
            "get",
            ".",
            "--sort-by",
            "town desc, level",
            "--select",
            "town,level,id",
            "--limit",
            "30",
        ],
        &[
            "unpack",
            "--sort-by",
            "town desc, level",
            "--select",
            "town,level,id",
            "--limit",
            "30",
        ],
        &[
            "unpack",
            "--where",
            "town in ('Oslo') && tags[0] =~ 'x'",
            "--to",
            "csv",
            "--select",
            "id",
        ],
        &["unpack", "--limit", "2", "--color", "always"],
        &["get", "$-3:.id"],
    ] {
        let answer = succeeds(question, &stream);
        assert!(!answer.is_empty(), "{question:?}");
        for file in &files {
            let found = succeeds(&[question, &[file]].concat(), b"");
            assert!(found == answer, "{question:?} {file}");
            let found = succeeds(question, &std::fs::read(file).unwrap());
            assert!(found == answer, "{question:?} {file} as a pipe");
        }
    }
}
