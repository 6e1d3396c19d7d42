//! The program as users meet it: pipes, files, exit codes, memory.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use serde_json::json;
use tempfile::TempDir;

fn packord() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_packord"));
    command.env_remove("NO_COLOR");
    command
}

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = packord();
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may stop reading before the end.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[track_caller]
fn fails(arguments: &[&str], input: &[u8], code: i32, message: &str) {
    let output = run(arguments, input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[track_caller]
fn gives(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(arguments, input);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.stderr, b"", "{arguments:?}");
    output.stdout
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn bad_input_gets_a_clear_message() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().display().to_string();
    let users = b"\x81\xa5users\x94\xc0\xc0\xc0\x81\xa4name\xa2\xc3\x28";
    let nested = [&b"\xdd\x00\xff\xff\xff"[..]; 1000].concat();
    let cut = &gzip(&[b'1'; 5000])[..20];
    for command in ["validate", "unpack", "inspect"] {
        let fault = "error: invalid_utf8 at byte 18 ($.users[3].name)";
        fails(&[command], users, 3, fault);
        fails(
            &[command],
            b"\xdd\xff\xff\xff\xff",
            3,
            "error: eof at byte 5 ($)",
        );
        fails(&[command], &nested, 3, "error: eof at byte 5000 (");
        fails(
            &[command],
            &vec![0x91; 10 << 20],
            3,
            "error: depth_limit at byte 1024 ($[0][0]",
        );
        fails(
            &[command],
            b"\x01\xc1",
            3,
            "error: reserved_marker at byte 1 ($1)",
        );
        fails(&[command], cut, 3, "error: cannot read standard input: ");
        fails(&[command, &directory], b"", 3, "is a directory");
        fails(
            &[command, "none.msgpack"],
            b"",
            3,
            "cannot read none.msgpack: no such file or directory",
        );
        fails(
            &[command, "--shared", "none.json"],
            b"",
            3,
            "cannot read none.json",
        );
        fails(&[command, "--no-such"], b"", 2, "unexpected argument");
    }
    for text in [
        &b"{\"a\":"[..],
        b"[1,]",
        b"nul",
        b"{\"a\" 1}",
        b"\"\xff\"",
        b"[1] x",
        &vec![b'['; 1 << 20],
    ] {
        fails(&["pack"], text, 3, "error: standard input: ");
    }
    fails(&["pack"], cut, 3, "error: cannot read standard input: ");
    fails(&["pack", &directory], b"", 3, "is a directory");
    fails(
        &["pack", "--from", "diag"],
        b"[1,\n 2",
        3,
        "line 2, column 3",
    );
    fails(&["compare"], b"[1,", 3, "error: standard input: ");
    fails(&["compare"], b"", 3, "there is no JSON in it");
    fails(
        &["inspect", "--range", "5..5"],
        b"",
        2,
        "the range is empty",
    );
}

#[test]
fn readable_data_that_fails_a_question_exits_1() {
    fails(
        &["validate", "--canonical"],
        b"\xcc\x05",
        1,
        "not_canonical at byte 0",
    );
    fails(
        &["validate", "--duplicates"],
        b"\x82\x01\x02\x01\x02",
        1,
        "duplicate_key at byte 3",
    );
    fails(
        &["unpack", "--strict"],
        b"\x81\xa1a\xc4\x00",
        1,
        "JSON cannot say this: a bin at byte 3 ($.a)",
    );
    fails(
        &["unpack", "--strict"],
        b"\x01\x81\x05\x01",
        1,
        "a key that is not a str at byte 2 ($1)",
    );
    fails(
        &["unpack", "--strict"],
        b"\x82\xa1a\x01\xa1a\x02",
        1,
        "duplicate_key at byte 4",
    );
    fails(
        &["unpack", "--strict"],
        b"\xcf\x00\x20\x00\x00\x00\x00\x00\x01",
        1,
        "an integer beyond 2^53 at byte 0 ($)",
    );
}

#[test]
fn what_was_good_before_a_fault_is_shown() {
    let output = run(&["unpack"], b"\x01\x02\x92\x03");
    assert_eq!(output.stdout, b"1\n2\n");
    let output = run(&["inspect"], b"\x92\x03\xa5hi");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("fixarray  2 elements") && shown.contains("positive fixint  3"),
        "{shown}"
    );
}

#[test]
fn output_files_appear_whole_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.json");
    let out = path.display().to_string();
    fails(
        &["unpack", "--out", &out],
        b"\x01\xc1",
        3,
        "reserved_marker",
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(&path, "before").unwrap();
    fails(
        &["unpack", "--out", &out],
        b"\x01\xc1",
        3,
        "reserved_marker",
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    gives(&["unpack", "--out", &out], b"\x93\x01\x02\x03");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[1,2,3]\n");
    fails(
        &["pack", "--out", "none/out"],
        b"1",
        3,
        "cannot write none/out",
    );
    fails(
        &["pack", "--out", &folder.path().display().to_string()],
        b"1",
        3,
        "is a directory",
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_output_files_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "before").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    gives(&["pack", "--out", &link.display().to_string()], b"1");
    assert_eq!(fs::read(&target).unwrap(), b"\x01");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&target).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for command in ["pack", "unpack", "inspect", "validate"] {
        fails_into_full(command);
    }
    fails(
        &["pack", "--out", "/dev/full"],
        b"1",
        3,
        "cannot write /dev/full: no space left",
    );
}

#[cfg(target_os = "linux")]
fn fails_into_full(command: &str) {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = packord()
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        output.stderr,
        b"error: cannot write standard output: no space left on device\n"
    );
}

#[test]
fn a_closed_pipe_is_silent() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("many");
    fs::write(&path, vec![1_u8; 1 << 20]).unwrap();
    for command in ["unpack", "inspect"] {
        let mut child = packord()
            .arg(command)
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command}");
        assert_eq!(output.stderr, b"", "{command}");
    }
}

#[test]
fn input_is_decompressed_on_the_way() {
    let folder = TempDir::new().unwrap();
    let packed = gives(&["pack"], br#"{"a":[1,2.5,"x"]}"#);
    let text = b"{\"a\":[1,2.5,\"x\"]}\n";
    assert_eq!(gives(&["unpack"], &gzip(&packed)), text);
    assert_eq!(
        gives(&["unpack"], &[gzip(&packed), gzip(&packed)].concat()),
        [&text[..], text].concat()
    );
    assert_eq!(
        gives(&["unpack"], &zstd::encode_all(&packed[..], 3).unwrap()),
        text
    );
    let path = folder.path().join("packed.br");
    let mut brotli = Vec::new();
    brotli::BrotliCompress(&mut &packed[..], &mut brotli, &Default::default()).unwrap();
    fs::write(&path, brotli).unwrap();
    assert_eq!(gives(&["unpack", &path.display().to_string()], b""), text);
    let as_is = gives(&["unpack", "--as-is"], b"\x1f\x81\x08\x01");
    assert_eq!(as_is, b"31\n{\"$key:8\":1}\n");
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let plain = gives(&["inspect"], b"\x01");
    assert_eq!(
        plain,
        b"00000000  01                        positive fixint  1\n"
    );
    let coloured = gives(&["inspect", "--color", "always"], b"\x01");
    assert!(coloured.contains(&0x1b));
}

#[test]
fn every_convention_comes_back() {
    for text in [
        r#"{"$bin":"AP8="}"#,
        r#"{"$ext":[5,"AA=="]}"#,
        r#"{"$ext":[-128,""]}"#,
        r#"{"$timestamp":"2026-01-02T03:04:05.5Z"}"#,
        r#"{"$timestamp":[-99999999999,1]}"#,
        r#"[{"$float":"nan"},{"$float":"inf"},{"$float":"-inf"},{"$float":"nan(0xfff8000000000001)"}]"#,
        r#"{"$key:5":1,"5":2,"$key:[1, {2: nil}]":3,"$key:-1.5":4}"#,
        r#"{"$$bin":1}"#,
        r#"{"$$bin":"AA==","$ref":2,"$$$key:x":3}"#,
        r#"[18446744073709551615,-9223372036854775808,1.0,-0.0,1e+300]"#,
    ] {
        let text = format!("{text}\n");
        assert_eq!(
            String::from_utf8(gives(&["unpack"], &gives(&["pack"], text.as_bytes()))).unwrap(),
            text
        );
    }
    let plain = gives(&["pack", "--plain"], br#"{"$bin":"?"}"#);
    assert_eq!(plain, b"\x81\xa4$bin\xa1?");
    fails(
        &["pack"],
        br#"{"$bin":"?"}"#,
        3,
        "this is not what $bin stands for; --plain takes it as an object",
    );
}

#[test]
fn texts_that_are_not_utf8_as_asked_for() {
    let bytes = b"\x82\xa2a\xff\xa1\xff\xa1b\xc4\x01\xff";
    fails(&["unpack"], bytes, 3, "invalid_utf8 at byte 3 ($)");
    assert_eq!(
        gives(&["unpack", "--utf8", "replace"], bytes),
        "{\"a\u{fffd}\":\"\u{fffd}\",\"b\":{\"$bin\":\"/w==\"}}\n".as_bytes()
    );
    let raw = gives(&["unpack", "--utf8", "raw"], bytes);
    assert_eq!(
        raw,
        b"{\"$key:h'61ff'\":{\"$bin\":\"/w==\"},\"b\":{\"$bin\":\"/w==\"}}\n"
    );
    assert_eq!(
        gives(&["pack"], &raw),
        b"\x82\xc4\x02a\xff\xc4\x01\xff\xa1b\xc4\x01\xff"
    );
}

#[test]
fn integers_stay_exact() {
    let text = b"[123456789012345678901234567890,-18446744073709551616]\n";
    fails(&["pack"], text, 3, "does not fit in 64 bits");
    let packed = gives(&["pack", "--bigint"], text);
    assert_eq!(gives(&["unpack", "--bigint"], &packed), text);
    assert!(gives(&["unpack"], &packed).starts_with(b"[{\"$ext\":[66,"));
    assert_eq!(
        gives(&["pack", "--bigint"], b"18446744073709551615"),
        b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"
    );
}

#[test]
fn json_is_read_as_its_users_expect() {
    for (text, packed) in [
        (&b"1 2\n3"[..], &b"\x01\x02\x03"[..]),
        (b"", b""),
        (b"\xef\xbb\xbf[1]", b"\x91\x01"),
        (br#"{"a":1,"b":2,"a":3}"#, b"\x82\xa1a\x03\xa1b\x02"),
        (b"1.0", b"\xcb\x3f\xf0\0\0\0\0\0\0"),
        (br#""\ud83d\ude00""#, "\u{1}😀".as_bytes()),
    ] {
        let mut packed = packed.to_vec();
        if text.starts_with(b"\"") {
            packed[0] = 0xa4;
        }
        assert_eq!(gives(&["pack"], text), packed);
    }
    assert_eq!(
        gives(&["pack", "--each"], b"[1,[2],{}] 5 []"),
        b"\x01\x91\x02\x80\x05"
    );
    assert_eq!(
        gives(&["pack", "--float32"], b"[1.5,0.1]"),
        b"\x92\xca\x3f\xc0\0\0\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"
    );
    assert_eq!(
        gives(&["pack", "--canonical"], br#"{"b":1,"a":2}"#),
        b"\x82\xa1a\x02\xa1b\x01"
    );
    let many: String = (0..100)
        .map(|index| format!("\"k{}\":{index},", index % 50))
        .collect();
    let object = format!("{{{}}}", many.trim_end_matches(','));
    let unpacked = gives(&["unpack"], &gives(&["pack"], object.as_bytes()));
    let found: serde_json::Value = serde_json::from_slice(&unpacked).unwrap();
    assert_eq!(
        found,
        serde_json::from_str::<serde_json::Value>(&object).unwrap()
    );
}

#[test]
fn records_shared_and_sequential() {
    let folder = TempDir::new().unwrap();
    let keys = folder.path().join("keys.json");
    let shared = keys.display().to_string();
    let lines = b"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n";
    let each = gives(&["pack", "--records"], lines);
    assert_eq!(
        each,
        b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02\xd4\x72\x40\x92\xa1a\xa1b\x03\x04"
    );
    assert_eq!(gives(&["unpack", "--records"], &each), lines);
    let sequential = gives(&["pack", "--sequential"], lines);
    assert_eq!(
        sequential,
        b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02\x40\x03\x04"
    );
    assert_eq!(gives(&["unpack", "--sequential"], &sequential), lines);
    let first = gives(&["pack", "--shared", &shared], lines);
    assert_eq!(first, b"\x40\x01\x02\x40\x03\x04");
    assert_eq!(fs::read_to_string(&keys).unwrap(), "[\n[\"a\",\"b\"]\n]\n");
    let second = gives(
        &["pack", "--shared", &shared],
        b"{\"c\":[100]}{\"a\":1,\"b\":0}",
    );
    assert_eq!(second, b"\x41\x91\xcc\x64\x40\x01\x00");
    assert_eq!(
        fs::read_to_string(&keys).unwrap(),
        "[\n[\"a\",\"b\"],\n[\"c\"]\n]\n"
    );
    assert_eq!(gives(&["unpack", "--shared", &shared], &first), lines);
    let text = gives(&["unpack", "--shared", &shared, "--to", "diag"], &second);
    assert_eq!(text, b"#65([100])\n#64(1, 0)\n");
    assert_eq!(
        gives(&["pack", "--shared", &shared, "--from", "diag"], &text),
        second
    );
    let narrow = gives(&["pack", "--records", "--max-record-keys", "1"], lines);
    assert_eq!(narrow, gives(&["pack"], lines));
    fails(
        &["unpack", "--records", "--max-record-keys", "1"],
        &each,
        3,
        "length_limit at byte 3",
    );
    fs::write(&keys, "{}").unwrap();
    fails(
        &["unpack", "--shared", &shared],
        b"",
        3,
        "not a JSON list of lists of keys",
    );
}

#[test]
fn pretty_json_and_notation() {
    let packed = gives(&["pack"], br#"{"a":[1,{}],"b":[]}"#);
    let json = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n";
    assert_eq!(
        String::from_utf8(gives(&["unpack", "--pretty"], &packed)).unwrap(),
        json
    );
    assert_eq!(
        String::from_utf8(gives(&["unpack", "--pretty", "--to", "diag"], &packed)).unwrap(),
        json
    );
    assert_eq!(
        gives(&["unpack", "--to", "diag"], b"\xcd\x00\x05\xca\x3f\xc0\0\0"),
        b"5_u16\n1.5_f32\n"
    );
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let sample = |seed: &str| gives(&["sample", "--size", "20k", "--seed", seed], b"");
    assert_eq!(sample("3"), sample("3"));
    assert_ne!(sample("3"), sample("4"));
    let document: serde_json::Value = serde_json::from_slice(&sample("3")).unwrap();
    assert!(document["events"].as_array().unwrap().len() > 30);
    let lines = gives(&["sample", "--size", "20k", "--lines"], b"");
    assert_eq!(gives(&["unpack"], &gives(&["pack"], &lines)), lines);
}

#[test]
fn compare_measures_what_it_says() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let sample = gives(&["sample", "--size", "60k"], b"");
    let out = gives(
        &[
            "compare",
            "--quick",
            "--json",
            "--html",
            &page.display().to_string(),
        ],
        &sample,
    );
    let figures: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(
        figures["compressors"],
        json!(["gzip 6", "gzip 9", "brotli 5", "zstd 3"])
    );
    let formats = figures["formats"].as_array().unwrap();
    let names: Vec<_> = formats
        .iter()
        .map(|format| format["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "JSON",
            "MessagePack",
            "MessagePack + records",
            "CBOR",
            "BSON"
        ]
    );
    assert_eq!(
        formats[0]["raw"],
        serde_json::to_vec(&serde_json::from_slice::<serde_json::Value>(&sample).unwrap())
            .unwrap()
            .len()
    );
    assert_eq!(formats[1]["raw"], gives(&["pack"], &sample).len());
    let records = gives(&["pack", "--records"], &sample);
    assert_eq!(formats[2]["raw"], records.len());
    assert_eq!(formats[2]["compressed"][0], {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(&records).unwrap();
        encoder.finish().unwrap().len()
    });
    for speed in figures["speeds"].as_array().unwrap() {
        for direction in ["encode", "decode"] {
            let times = ["low_ns", "median_ns", "high_ns"]
                .map(|time| speed[direction][time].as_f64().unwrap());
            assert!(times[0] > 0.0 && times.is_sorted(), "{speed}");
        }
    }
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<svg") && html.contains(figures["verdict"][0].as_str().unwrap()));
    for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
        assert!(
            !html.contains(outside),
            "the page is not on its own: {outside}"
        );
    }
}

#[test]
fn compare_says_what_a_library_cannot_hold() {
    let output = gives(&["compare", "--quick"], b"[18446744073709551615]");
    let text = String::from_utf8(output).unwrap();
    assert!(
        text.contains("Note: bson cannot hold this document"),
        "{text}"
    );
}

#[test]
fn help_has_examples() {
    for command in ["pack", "unpack", "inspect", "validate", "compare", "sample"] {
        let help = String::from_utf8(gives(&[command, "--help"], b"")).unwrap();
        assert!(
            help.contains("Examples:") && help.contains(&format!("packord {command}")),
            "{help}"
        );
    }
    let help = String::from_utf8(gives(&["--help"], b"")).unwrap();
    assert!(help.contains("Exit codes:"), "{help}");
}
