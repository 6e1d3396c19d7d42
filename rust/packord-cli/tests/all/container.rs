//! Container files: written from every format, read by every command, joined, repaired, split.

use std::fs;
use std::path::{Path, PathBuf};

use crate::tool::{self, Folder, fails, gzip, run, succeeds};

/// Lines of a log. All maps have the same keys, and their times rise.
fn log(count: usize) -> String {
    let line = |number: usize| {
        let level = if number % 50 == 7 { "error" } else { "info" };
        format!(
            "{{\"at\":{},\"level\":\"{level}\",\"host\":\"web-{}\",\"ms\":{}.5,\"tags\":[\"a\",{}],\"user\":{{\"id\":{number}}}}}\n",
            1_700_000_000 + number,
            number % 3,
            number * 7 % 200,
            number % 4
        )
    };
    (0..count).map(line).collect()
}

/// Returns a container file of NDJSON.
#[track_caller]
fn create(arguments: &[&str], input: &str) -> Vec<u8> {
    let mut all = vec!["container", "create"];
    all.extend(arguments);
    succeeds(&all, input.as_bytes())
}

#[track_caller]
fn text(arguments: &[&str], input: &[u8]) -> String {
    String::from_utf8(succeeds(arguments, input)).unwrap()
}

/// Returns the JSON of `container info`, which has read all blocks.
#[track_caller]
fn info(file: &str) -> serde_json::Value {
    let arguments = ["container", "info", "--json", "--blocks", file];
    serde_json::from_slice(&succeeds(&arguments, b"")).unwrap()
}

#[test]
fn rows_of_every_format_come_back_in_their_order() {
    let folder = Folder::new();
    let lines = log(3000);
    let ndjson = folder.write("log.ndjson", &lines);
    let array = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
    let json = folder.write("log.json", &array);
    let packed = folder.path("log.msgpack");
    succeeds(&["pack", &ndjson, "-o", &packed], b"");
    let records = folder.path("records.msgpack");
    succeeds(&["pack", "--records", &ndjson, "-o", &records], b"");
    let compressed = folder.write("log.ndjson.gz", gzip(lines.as_bytes()));
    let (parquet, arrow) = (folder.path("log.parquet"), folder.path("log.arrow"));
    let uniform = lines.replace("[\"a\",", "[\"a\",\"").replace("],\"user", "\"],\"user");
    let tags = succeeds(&["pack"], uniform.as_bytes());
    succeeds(&["unpack", "--to", "parquet", "-o", &parquet], &tags);
    succeeds(&["unpack", "--to", "arrow", "-o", &arrow], &tags);
    let first = folder.path("first.pkd");
    succeeds(&["container", "create", &ndjson, "-o", &first], b"");
    for (file, expected) in [
        (&ndjson, &lines),
        (&json, &lines),
        (&packed, &lines),
        (&records, &lines),
        (&compressed, &lines),
        (&first, &lines),
        (&parquet, &uniform),
        (&arrow, &uniform),
    ] {
        let from_file = folder.path("file.pkd");
        succeeds(&["container", "create", file, "-o", &from_file], b"");
        assert!(&text(&["unpack", &from_file], b"") == expected, "{file}");
        let from_pipe = succeeds(&["container", "create"], &fs::read(file).unwrap());
        assert!(&text(&["unpack"], &from_pipe) == expected, "{file}");
    }
}

#[test]
fn csv_and_pack_with_container_make_the_same_rows() {
    let folder = Folder::new();
    let csv = folder.write("towns.csv", "name,people\nOslo,700000\nGraz,300000\n");
    let rows = "{\"name\":\"Oslo\",\"people\":700000}\n{\"name\":\"Graz\",\"people\":300000}\n";
    let file = folder.path("towns.pkd");
    succeeds(&["container", "create", &csv, "-o", &file], b"");
    assert_eq!(text(&["unpack", &file], b""), rows);
    for (from, input) in [("csv", "name,people\nOslo,700000\nGraz,300000\n"), ("json", rows)] {
        let packed = succeeds(&["pack", "--container", "--from", from], input.as_bytes());
        assert_eq!(text(&["unpack"], &packed), rows, "{from}");
    }
    let messages = succeeds(&["pack"], rows.as_bytes());
    let packed = succeeds(&["pack", "--container", "--from", "msgpack"], &messages);
    assert_eq!(text(&["unpack"], &packed), rows);
    for format in ["arrow", "parquet"] {
        let table = succeeds(&["unpack", "--to", format], &messages);
        let packed = succeeds(&["pack", "--container", "--from", format], &table);
        assert_eq!(text(&["unpack"], &packed), rows, "{format}");
    }
}

#[test]
fn every_codec_and_form_of_blocks_is_read() {
    let lines = log(5000);
    for arguments in [
        &["--codec", "none"][..],
        &["--codec", "deflate", "--level", "9"],
        &["--codec", "zstd", "--level", "1"],
        &["--columns", "off"],
        &["--messages"],
        &["--block-rows", "100"],
        &["--block-size", "10k"],
        &["--threads", "1"],
        &["--threads", "3", "--block-rows", "7"],
    ] {
        let file = create(arguments, &lines);
        for threads in ["1", "3"] {
            let read = text(&["unpack", "--threads", threads], &file);
            assert!(read == lines, "{arguments:?}");
        }
    }
}

#[test]
fn the_same_sync_makes_the_same_file_with_any_number_of_threads() {
    let lines = log(5000);
    let sync = "000102030405060708090a0b0c0d0e0f";
    let options = ["--sync", sync, "--block-rows", "300", "--threads"];
    let [one, three] = ["1", "3"].map(|count| create(&[&options[..], &[count]].concat(), &lines));
    assert_eq!(one, three);
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_reading_command_reads_container_files() {
    let folder = Folder::new();
    let lines = log(2000);
    let bytes = create(&["--block-rows", "500"], &lines);
    let file = folder.write("log.pkd", &bytes);
    let plain = folder.write("log.msgpack", succeeds(&["pack"], lines.as_bytes()));
    let same = |arguments: &[&str]| {
        let mut from_plain = arguments.to_vec();
        from_plain.push(&plain);
        let expected = run(&from_plain, b"");
        let expected = lossy(&expected.stdout);
        let expected = expected.replace("log.msgpack", "log.pkd");
        let mut from_file = arguments.to_vec();
        from_file.push(&file);
        assert!(lossy(&succeeds(&from_file, b"")) == expected, "{arguments:?}");
        let pipe = lossy(&succeeds(arguments, &bytes));
        // A path of Windows has characters that JSON escapes.
        let name = serde_json::to_string(&file).unwrap();
        let in_json = arguments.contains(&"--json");
        let name = if in_json { name.trim_matches('"') } else { &file };
        let pipe = pipe.replace("standard input", name);
        assert!(pipe == expected, "{arguments:?}");
    };
    for arguments in [
        &["unpack"][..],
        &["unpack", "--pretty"],
        &["unpack", "--to", "csv", "--select", "at,host,user.id"],
        &["unpack", "--to", "msgpack"],
        &["unpack", "--to", "diag"],
        &["unpack", "--where", "level == 'error' && ms > 100"],
        &["unpack", "--strict"],
        &["get", "user.id"],
        &["get", "--paths", "tags[1]"],
        &["get", "$1999.at"],
        &["get", "$-3:"],
        &["get", "--count", "."],
        &["get", ".", "--group-by", "level,host", "--count"],
        &["get", ".", "--sort-by", "ms", "--descending", "--limit", "3"],
        &["schema"],
        &["stats", "--json"],
    ] {
        same(arguments);
    }
    // The same values, so no difference, in either place.
    assert_eq!(text(&["diff", &file, &plain], b""), "");
    assert_eq!(text(&["diff", "-", &file], &bytes), "");
    let compared = text(&["compare", "--quick", "--json", &file], b"");
    assert!(compared.contains("MessagePack + columns"), "{compared}");
}

#[test]
fn tables_of_arrow_and_parquet_have_the_rows_of_the_file() {
    let lines = log(300)
        .replace("[\"a\",", "[\"a\",\"")
        .replace("],\"user", "\"],\"user");
    let file = create(&["--block-rows", "70"], &lines);
    for format in ["arrow", "parquet"] {
        let table = succeeds(&["unpack", "--to", format], &file);
        let rows = succeeds(&["pack", "--each", "--from", format], &table);
        assert!(text(&["unpack"], &rows) == lines, "{format}");
        let again = succeeds(&["container", "create", "--from", format], &table);
        assert!(text(&["unpack"], &again) == lines, "{format}");
    }
}

#[test]
fn blocks_without_matching_rows_are_not_read() {
    let folder = Folder::new();
    let lines = log(10_000);
    let file = folder.write("log.pkd", create(&["--block-rows", "500"], &lines));
    let expected: String = lines
        .lines()
        .filter(|line| line.contains("\"at\":170000421"))
        .map(|line| format!("{line}\n"))
        .collect();
    let test = "at >= 1700004210 && at < 1700004220";
    let output = run(&["unpack", "--stats", "--where", test, &file], b"");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("read: 1 of 20 blocks"), "{stderr}");
    assert!(stderr.contains("skipped: 19 blocks"), "{stderr}");
    for arguments in [&["unpack", "--where", test][..], &["get", ".", "--where", test]] {
        let found = text(&[arguments, &[&file]].concat(), b"");
        assert_eq!(found, expected, "{arguments:?}");
    }
    // A damaged block that is skipped is not read.
    let mut damaged = fs::read(&file).unwrap();
    let at = damaged.len() / 2;
    damaged[at] ^= 0xff;
    let damaged = folder.write("damaged.pkd", &damaged);
    let first = "at < 1700000003";
    assert_eq!(text(&["get", ".", "--count", "--where", first, &damaged], b""), "3\n");
}

#[test]
fn skipping_never_changes_what_is_found() {
    let folder = Folder::new();
    let mut lines = log(400);
    lines.push_str("{\"at\":null}\n{\"at\":\"later\"}\n{}\n{\"at\":1700000001.5}\n{\"level\":[]}\n");
    let file = folder.write("log.pkd", create(&["--block-rows", "40"], &lines));
    let plain = folder.write("log.msgpack", succeeds(&["pack"], lines.as_bytes()));
    for test in [
        "at == 1700000007",
        "at != 1700000007",
        "at < 1700000002",
        "at <= 1700000001.5",
        "1700000398 < at",
        "at >= 'a'",
        "at == null",
        "at <= null",
        "null <= at",
        "at in (1700000007, 'later', null)",
        "host =~ '2$'",
        "!at",
        "at == null || at == 1700000100",
        "!(at > 1700000003)",
        "level == 'error' && host == 'web-2'",
        "starts_with(level, 'err')",
        "starts_with(host, 'web-1')",
        "user.id == 300",
        "tags[1] == 2 && at > 1700000390",
        "at == host",
        "level == 'none'",
    ] {
        let [expected, found] = [&plain, &file].map(|path| {
            let output = run(&["get", ".", "--where", test, path], b"");
            (output.status.code(), output.stdout)
        });
        assert!(expected == found, "{test}");
    }
}

#[test]
fn limits_and_entries_choose_rows() {
    let folder = Folder::new();
    let file = folder.write("log.pkd", create(&["--block-rows", "40"], &log(200)));
    assert_eq!(
        text(&["unpack", "--limit", "2", "--select", "at,user.id", &file], b""),
        "{\"at\":1700000000,\"user.id\":0}\n{\"at\":1700000001,\"user.id\":1}\n"
    );
    let csv = ["unpack", "--where", "user.id > 197", "--to", "csv", "--select", "at"];
    assert_eq!(
        text(&[&csv[..], &[&file]].concat(), b""),
        "at\n1700000198\n1700000199\n"
    );
    fails(&["unpack", "--where", "at < 0", &file], b"", 1, "no message");
    fails(&["unpack", "--where", "at <", &file], b"", 2, "--where");
}

#[test]
fn splits_hold_every_row_once() {
    let folder = Folder::new();
    let lines = log(3000);
    let bytes = create(&["--block-rows", "100"], &lines);
    let file = folder.write("log.pkd", &bytes);
    for number in ["1", "4", "31"] {
        let ranges = text(&["container", "split", "-n", number, &file], b"");
        let mut rows = String::new();
        for range in ranges.lines() {
            let found = run(&["unpack", "--range", range, &file], b"");
            rows.push_str(&String::from_utf8(found.stdout).unwrap());
        }
        assert!(rows == lines, "{number}: {ranges}");
        let part = folder.path("part.pkd");
        succeeds(&["container", "split", "-n", number, &file, "-o", &part], b"");
        let mut rows = String::new();
        let count: usize = number.parse().unwrap();
        for index in 0..count {
            rows.push_str(&text(&["unpack", &folder.path(&format!("part-{index}.pkd"))], b""));
        }
        assert!(rows == lines, "{number}");
    }
}

#[test]
fn joined_files_have_the_rows_of_all() {
    let folder = Folder::new();
    let (first, second) = (log(500), log(700));
    let a = folder.write("a.pkd", create(&["--block-rows", "100", "--stats", "at"], &first));
    let b = folder.write("b.pkd", create(&["--codec", "deflate"], &second));
    let all = folder.path("all.pkd");
    succeeds(&["container", "cat", &a, &b, "-o", &all], b"");
    assert!(text(&["unpack", &all], b"") == format!("{first}{second}"));
    let found = info(&all);
    assert_eq!((&found["rows"], &found["blocks"]), (&1200.into(), &6.into()));
    // The data is copied: only marks and offsets differ.
    let stored = |file: &str| info(file)["stored"].as_u64().unwrap();
    assert!(stored(&all) <= stored(&a) + stored(&b) + 100);
    let test = ["get", ".", "--count", "--where", "at < 1700000050"];
    assert_eq!(text(&[&test[..], &[&all]].concat(), b""), "100\n");
}

#[test]
fn appended_rows_follow_those_that_are_there() {
    let folder = Folder::new();
    let file = folder.path("log.pkd");
    let lines = log(300);
    let mut expected = String::new();
    for _ in 0..3 {
        succeeds(&["container", "create", "--append", "-o", &file], lines.as_bytes());
        expected.push_str(&lines);
        assert!(text(&["unpack", &file], b"") == expected);
    }
    let found = info(&file);
    assert_eq!((&found["rows"], &found["dead"]["indexes"]), (&900.into(), &2.into()));
    let before = fs::metadata(&file).unwrap().len();
    let compact = folder.path("compact.pkd");
    succeeds(&["container", "compact", &file, "-o", &compact], b"");
    assert!(text(&["unpack", &compact], b"") == expected);
    let found = info(&compact);
    assert_eq!((&found["blocks"], &found["dead"]["indexes"]), (&1.into(), &0.into()));
    assert!(fs::metadata(&compact).unwrap().len() < before);
    succeeds(&["container", "compact", "--codec", "none", &file, "-o", &compact], b"");
    assert_eq!(info(&compact)["codec"], "none");
    assert!(text(&["unpack", &compact], b"") == expected);
}

#[test]
fn meta_and_paths_of_statistics_are_in_the_header() {
    let folder = Folder::new();
    let file = folder.path("log.pkd");
    let options = [
        "--stats",
        "at,user.id",
        "--meta",
        "source=web",
        "--meta",
        "shard={\"n\":[3]}",
    ];
    let bytes = create(&options, &log(10));
    fs::write(&file, bytes).unwrap();
    let found = info(&file);
    assert_eq!(found["stats"], serde_json::json!(["at", "user.id"]));
    assert_eq!(found["meta"], serde_json::json!({"source": "web", "shard": {"n": [3]}}));
    assert_eq!(found["statistics"]["user.id"]["max"], 9);
    assert_eq!(found["schema"]["at"]["types"], serde_json::json!(["int"]));
    let compact = folder.path("compact.pkd");
    succeeds(&["container", "compact", &file, "-o", &compact], b"");
    assert_eq!(info(&compact)["meta"], found["meta"]);
    assert_eq!(info(&compact)["stats"], found["stats"]);
}

#[test]
fn options_that_cannot_be_are_refused() {
    fails(
        &["container", "create", "--sync", "00"],
        b"{}",
        2,
        "32 hexadecimal digits",
    );
    fails(&["container", "create", "--meta", "x"], b"{}", 2, "NAME=VALUE");
    fails(&["container", "create", "--threads", "0"], b"{}", 2, "--threads");
    fails(&["container", "create", "--append"], b"{}", 2, "--out");
    fails(&["container", "create", "--block-size", "1g"], b"{}", 2, "--block-size");
    fails(&["container", "split", "-n", "0", "x"], b"", 2, "0");
    fails(&["container", "info", "missing.pkd"], b"", 3, tool::NOT_FOUND);
    fails(&["container", "cat", "Cargo.toml"], b"", 3, "not a container file");
    fails(&["pack", "--container", "--records"], b"{}", 2, "cannot be used with");
    fails(&["container", "create"], b"{\"a\":1}\n{\"a\":", 3, "");
}

#[test]
fn a_file_without_rows_is_a_file() {
    let empty = create(&[], "");
    assert_eq!(text(&["unpack"], &empty), "");
    assert!(text(&["validate"], &empty).starts_with("valid: "), "validate");
    let folder = Folder::new();
    let file = folder.write("empty.pkd", &empty);
    assert_eq!(info(&file)["rows"], 0);
    let joined = folder.path("joined.pkd");
    succeeds(&["container", "cat", &file, &file, "-o", &joined], b"");
    assert_eq!(info(&joined)["blocks"], 0);
}

/// Documents of packages that the benchmarks use, where they are installed.
fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/data");
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    files
}

#[test]
fn real_documents_come_back() {
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        if text.len() > 2 << 20 {
            continue;
        }
        let file = create(&["--from", "ndjson", "--messages"], &text);
        let expected = succeeds(&["unpack"], &succeeds(&["pack"], text.as_bytes()));
        assert!(succeeds(&["unpack"], &file) == expected, "{}", path.display());
        let rows = create(&["--block-size", "20k"], &text);
        let each = succeeds(&["unpack"], &succeeds(&["pack", "--each"], text.as_bytes()));
        assert!(succeeds(&["unpack"], &rows) == each, "{}", path.display());
    }
}
