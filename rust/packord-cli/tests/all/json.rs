//! JSON, notation and records through the program, in both directions.

use std::fs;

use crate::tool::{self, fails, run, succeeds};
use tempfile::TempDir;

#[test]
fn bad_lines_are_left_out_and_counted_by_option() {
    let left_out = |arguments: &[&str], input: &[u8]| {
        let output = run(arguments, input);
        assert!(output.status.success(), "{arguments:?}");
        let shown = succeeds(&["unpack"], &output.stdout);
        let stderr = String::from_utf8(output.stderr).unwrap();
        (String::from_utf8(shown).unwrap(), stderr)
    };
    let csv = b"a,b\n1,2\n3\n4,\xff\n5,6\n";
    let json = b"{\"a\":1}\n{\"a\":\n\n{\"a\":2} {\"a\":3}\n\xff\n[1";
    for pack in [&["pack"][..], &["container", "create"]] {
        let with = |format| [pack, &["--from", format, "--skip-bad"]].concat();
        let (shown, warning) = left_out(&with("csv"), csv);
        assert_eq!(shown, "{\"a\":1,\"b\":2}\n{\"a\":5,\"b\":6}\n", "{pack:?}");
        let first = "2 lines were left out, the first: standard input: line 3: expected 2 cells";
        assert!(warning.contains(first), "{warning}");
        let (shown, warning) = left_out(&with("json"), json);
        assert_eq!(shown, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", "{pack:?}");
        let first = "3 lines were left out, the first: standard input: invalid JSON at line 3";
        assert!(warning.contains(first), "{warning}");
        let (_, warning) = left_out(&with("json"), b"{\"a\":1}\n");
        assert_eq!(warning, "");
        // A byte-order mark is not a part of the first line.
        let (shown, warning) = left_out(&with("json"), "\u{feff}{\"a\":1}\n{\"a\":2}\n".as_bytes());
        assert_eq!((shown.as_str(), warning.as_str()), ("{\"a\":1}\n{\"a\":2}\n", ""));
    }
}

/// Characters after an escape that a piece of the input cuts: with blanks before them, each is cut once.
#[test]
fn characters_may_be_cut_after_an_escape() {
    let text = format!("\"\\n{}\"", "é".repeat(20));
    let texts = format!("{{\"t\":[{}]}}", vec![text; 60_000].join(","));
    let packed = succeeds(&["pack"], texts.as_bytes());
    for blanks in 1..3 {
        let input = format!("{}{texts}", " ".repeat(blanks));
        assert!(succeeds(&["pack"], input.as_bytes()) == packed, "{blanks}");
    }
}

#[test]
fn the_last_value_of_a_convention_counts() {
    let text = br#"[{"$bin":"?","$bin":"AQ=="},{"$bin":"AA==","$$bin":1}]"#;
    let shown = succeeds(&["unpack", "--to", "diag"], &succeeds(&["pack"], text));
    let expected = "[h'01', {\"$bin\": 1}]\n";
    assert_eq!(String::from_utf8(shown).unwrap(), expected);
}

#[test]
fn every_convention_survives_a_round_trip() {
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
        r"[18446744073709551615,-9223372036854775808,1.0,-0.0,1e300]",
    ] {
        let text = format!("{text}\n");
        assert_eq!(
            String::from_utf8(succeeds(&["unpack"], &succeeds(&["pack"], text.as_bytes()))).unwrap(),
            text
        );
    }
    let plain = succeeds(&["pack", "--plain"], br#"{"$bin":"?"}"#);
    assert_eq!(plain, b"\x81\xa4$bin\xa1?");
    fails(
        &["pack"],
        br#"{"$bin":"?"}"#,
        3,
        "$bin has a malformed value (--plain reads it as an object)",
    );
    // Of the type of timestamps, only the payloads that one has.
    let refused = "$ext has a malformed value (--plain reads it as an object)";
    fails(&["pack"], br#"{"$ext":[-1,"AA=="]}"#, 3, refused);
}

#[test]
fn ill_formed_utf8_is_refused_replaced_or_kept() {
    let bytes = b"\x82\xa2a\xff\xa1\xff\xa1b\xc4\x01\xff";
    fails(&["unpack"], bytes, 3, "invalid_utf8 at byte 3 ($)");
    assert_eq!(
        succeeds(&["unpack", "--utf8", "replace"], bytes),
        "{\"a\u{fffd}\":\"\u{fffd}\",\"b\":{\"$bin\":\"/w==\"}}\n".as_bytes()
    );
    let raw = succeeds(&["unpack", "--utf8", "raw"], bytes);
    assert_eq!(
        raw,
        b"{\"$key:h'61ff'\":{\"$bin\":\"/w==\"},\"b\":{\"$bin\":\"/w==\"}}\n"
    );
    assert_eq!(
        succeeds(&["pack"], &raw),
        b"\x82\xc4\x02a\xff\xc4\x01\xff\xa1b\xc4\x01\xff"
    );
}

#[test]
fn integers_of_any_size_stay_exact() {
    let text = b"[123456789012345678901234567890,-18446744073709551616]\n";
    fails(&["pack"], text, 3, "does not fit in 64 bits");
    let packed = succeeds(&["pack", "--bigint"], text);
    assert_eq!(succeeds(&["unpack", "--bigint"], &packed), text);
    assert!(succeeds(&["unpack"], &packed).starts_with(b"[{\"$ext\":[66,"));
    assert_eq!(
        succeeds(&["pack", "--bigint"], b"18446744073709551615"),
        b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"
    );
}

#[test]
fn json_becomes_the_smallest_messagepack() {
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
        assert_eq!(succeeds(&["pack"], text), packed);
    }
    assert_eq!(
        succeeds(&["pack", "--each"], b"[1,[2],{}] 5 []"),
        b"\x01\x91\x02\x80\x05"
    );
    assert_eq!(
        succeeds(&["pack", "--float32"], b"[1.5,0.1]"),
        b"\x92\xca\x3f\xc0\0\0\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"
    );
    assert_eq!(
        succeeds(&["pack", "--canonical"], br#"{"b":1,"a":2}"#),
        b"\x82\xa1a\x02\xa1b\x01"
    );
    let many: String = (0..100).map(|index| format!("\"k{}\":{index},", index % 50)).collect();
    let object = format!("{{{}}}", many.trim_end_matches(','));
    let unpacked = succeeds(&["unpack"], &succeeds(&["pack"], object.as_bytes()));
    let found: serde_json::Value = serde_json::from_slice(&unpacked).unwrap();
    assert_eq!(found, serde_json::from_str::<serde_json::Value>(&object).unwrap());
}

#[test]
fn records_are_written_once_per_message_stream_or_file() {
    let folder = TempDir::new().unwrap();
    let keys = folder.path().join("keys.json");
    let shared = keys.display().to_string();
    let lines = b"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n";
    let each = succeeds(&["pack", "--records"], lines);
    assert_eq!(
        each,
        b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02\xd4\x72\x40\x92\xa1a\xa1b\x03\x04"
    );
    assert_eq!(succeeds(&["unpack", "--records"], &each), lines);
    let sequential = succeeds(&["pack", "--sequential"], lines);
    assert_eq!(sequential, b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02\x40\x03\x04");
    assert_eq!(succeeds(&["unpack", "--sequential"], &sequential), lines);
    let first = succeeds(&["pack", "--shared", &shared], lines);
    assert_eq!(first, b"\x40\x01\x02\x40\x03\x04");
    assert_eq!(fs::read_to_string(&keys).unwrap(), "[\n[\"a\",\"b\"]\n]\n");
    let second = succeeds(&["pack", "--shared", &shared], b"{\"c\":[100]}{\"a\":1,\"b\":0}");
    assert_eq!(second, b"\x41\x91\xcc\x64\x40\x01\x00");
    assert_eq!(fs::read_to_string(&keys).unwrap(), "[\n[\"a\",\"b\"],\n[\"c\"]\n]\n");
    assert_eq!(succeeds(&["unpack", "--shared", &shared], &first), lines);
    let text = succeeds(&["unpack", "--shared", &shared, "--to", "diag"], &second);
    assert_eq!(text, b"#65([100])\n#64(1, 0)\n");
    assert_eq!(
        succeeds(&["pack", "--shared", &shared, "--from", "diag"], &text),
        second
    );
    let narrow = succeeds(&["pack", "--records", "--max-record-keys", "1"], lines);
    assert_eq!(narrow, succeeds(&["pack"], lines));
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
fn pretty_output_is_indented() {
    let packed = succeeds(&["pack"], br#"{"a":[1,{}],"b":[]}"#);
    let json = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n";
    assert_eq!(
        String::from_utf8(succeeds(&["unpack", "--pretty"], &packed)).unwrap(),
        json
    );
    assert_eq!(
        String::from_utf8(succeeds(&["unpack", "--pretty", "--to", "diag"], &packed)).unwrap(),
        json
    );
    assert_eq!(
        succeeds(&["unpack", "--to", "diag"], b"\xcd\x00\x05\xca\x3f\xc0\0\0"),
        b"5_u16\n1.5_f32\n"
    );
}

/// Lines that are longer than one read, with characters of several bytes and cases for the slow
/// reader.
fn many_lines() -> String {
    let mut text = String::new();
    for number in 0..60_000_u64 {
        match number % 5 {
            0 => text.push_str(&format!("{{\"größe\":{number},\"😀\":\"z\\\"ü\"}}\n")),
            1 => text.push_str(&format!("[{{\"$bin\":\"AP8=\"}},{number}.25,-0.0]\n")),
            2 => text.push_str(&format!("{}\n", u64::MAX - number)),
            3 => text.push_str("\"ein Text, der länger ist als die anderen Zeilen\"\n"),
            _ => text.push_str("{\"a\":{\"b\":[[],{},null,true]},\"$$bin\":1,\"$key:5\":2}\n"),
        }
    }
    assert!(text.len() > 2 << 20);
    text
}

#[test]
fn json_text_may_be_cut_anywhere() {
    let text = many_lines();
    let packed = succeeds(&["pack"], text.as_bytes());
    assert!(succeeds(&["unpack"], &packed) == text.as_bytes());
    // The same lines as one value, in a file and from a pipe.
    let array = format!("[\n{}]\n", text.trim_end().replace('\n', ",\n"));
    let compact = format!("[{}]\n", text.trim_end().replace('\n', ","));
    let one = succeeds(&["pack"], array.as_bytes());
    assert!(succeeds(&["unpack"], &one) == compact.as_bytes());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("array.json");
    fs::write(&path, &array).unwrap();
    assert!(succeeds(&["pack", &path.display().to_string()], b"") == one);
    assert!(succeeds(&["pack", "--each"], array.as_bytes()) == packed);
    // The values survive records too.
    let records = succeeds(&["pack", "--sequential"], text.as_bytes());
    assert!(succeeds(&["unpack", "--sequential"], &records) == text.as_bytes());
}

#[test]
fn faults_far_into_a_text_have_line_and_column() {
    let text = many_lines();
    for (fault, column, message) in [
        (&b"{\"a\": [1, 2}"[..], 12, "unexpected closing bracket"),
        (b"[1, nul]", 5, "invalid literal"),
        (b"\"\xff\"", 2, "invalid UTF-8 data"),
        (b"[1", 3, "input ends before the value does"),
        (b"{\"$bin\":\"?\"}", 13, "$bin has a malformed value"),
    ] {
        let output = tool::run(&["pack"], &[text.as_bytes(), fault].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        let place = format!("line 60001, column {column} ");
        assert!(
            stderr.contains(message) && (stderr.contains(&place) || message == "invalid UTF-8 data"),
            "{stderr}"
        );
    }
}
