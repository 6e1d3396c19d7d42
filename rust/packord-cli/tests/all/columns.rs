//! Values that are stored by column: written by `pack --columns`, read by all commands.

use crate::tool::{self, fails, run, succeeds};

/// A table of JSON, of which columns take a fifth of the bytes.
fn table() -> Vec<u8> {
    let rows = (0..200).map(|id| format!(r#"{{"id":{id},"name":"row {}","at":{}}}"#, id % 9, f64::from(id) / 4.0));
    let rows: Vec<_> = rows.collect();
    format!("{{\"rows\":[{}],\"few\":[1,2]}}\n", rows.join(",")).into_bytes()
}

#[test]
fn tables_are_smaller_and_come_back() {
    let json = table();
    let plain = succeeds(&["pack"], &json);
    let columns = succeeds(&["pack", "--columns"], &json);
    assert!(5 * columns.len() < plain.len(), "{}", columns.len());
    // 0.0 of the table is an integer in JSON.
    let again = succeeds(&["unpack"], &plain);
    assert_eq!(succeeds(&["unpack"], &columns), again);
    assert_eq!(succeeds(&["unpack", "--columns"], &columns), again);
    let name = succeeds(&["get", "rows[7].name"], &columns);
    assert_eq!(name, b"\"row 7\"\n");
    let found = succeeds(&["get", "rows[*].at", "-r"], &columns);
    assert!(found.ends_with(b"\n49.75\n"));
    let messages = succeeds(&["pack", "--each", "--records", "--columns"], b"[1,2]");
    assert_eq!(messages, b"\x01\x02");
}

#[test]
fn commands_about_bytes_show_an_ext_and_check_it() {
    let mut columns = succeeds(&["pack", "--columns"], &table());
    let shown = succeeds(&["inspect"], &columns);
    assert!(String::from_utf8_lossy(&shown).contains("type 92"));
    let never = succeeds(&["unpack", "--columns=never"], &columns);
    assert!(String::from_utf8_lossy(&never).contains("{\"$ext\":[92,"));
    assert!(succeeds(&["validate"], &columns).starts_with(b"valid: 1 message"));
    assert_eq!(run(&["repair"], &columns).stdout, columns);

    // The first byte of the directory: a kind that there is not.
    let at = columns.iter().position(|&byte| byte == 92).unwrap();
    let begin = columns[at..].iter().position(|&byte| byte == 7).unwrap();
    columns[at + begin] = 12;
    fails(&["validate"], &columns, 3, "invalid_ext");
    fails(&["unpack"], &columns, 3, "stored by column is malformed");
}

#[test]
fn canonical_has_no_columns() {
    fails(&["pack", "--canonical", "--columns"], b"[]", 2, "--columns");
}

#[test]
fn notation_preserves_columns_or_shows_their_value() {
    let columns = succeeds(&["pack", "--columns"], &table());
    let kept = succeeds(&["unpack", "--to", "diag"], &columns);
    assert!(String::from_utf8_lossy(&kept).contains("ext(92, h'"));
    assert_eq!(succeeds(&["pack", "--from", "diag"], &kept), columns);
    let shown = succeeds(&["unpack", "--to", "diag", "--expand-columns"], &columns);
    let text = String::from_utf8_lossy(&shown);
    assert!(text.starts_with(r#"{"rows": columns([{"id": 0, "name": "row 0", "at": "#));
    assert_eq!(succeeds(&["pack", "--from", "diag"], &shown), columns);
    fails(&["unpack", "--expand-columns"], &columns, 2, "--to diag");
}

#[test]
fn inspect_and_stats_show_columns_as_columns() {
    let columns = succeeds(&["pack", "--columns"], &table());
    let shown = succeeds(&["inspect"], &columns);
    let shown = String::from_utf8(shown).unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    let ext = lines.iter().position(|line| line.contains("ext ")).unwrap();
    assert!(lines[ext].contains("type 92 columns, 200 rows, 3 columns, "), "{shown}");
    let paths = [
        "the value  list  1 value",
        "[]  struct  200",
        "[].id  int  200",
        "[].name  dict",
        "[].at  ",
    ];
    for (line, path) in lines[ext + 1..].iter().zip(paths) {
        assert!(line.trim_start().starts_with(path), "{line}");
    }
    let shown = succeeds(&["stats"], &columns);
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("1 value is stored by column: "), "{shown}");
    assert!(shown.contains("$.rows[*].name"), "{shown}");
    let figures = succeeds(&["stats", "--json"], &columns);
    let figures: serde_json::Value = serde_json::from_slice(&figures).unwrap();
    let stored = &figures["columns"];
    assert_eq!(stored["values"], 1);
    assert_eq!(stored["columns"]["[].id"]["count"], 200);
    assert_eq!(stored["columns"]["[].name"]["kinds"][0], "dict");
    assert!(stored["bytes"].as_u64() < stored["plain_bytes"].as_u64());
    let plain = succeeds(&["stats", "--json"], &succeeds(&["pack"], &table()));
    let plain: serde_json::Value = serde_json::from_slice(&plain).unwrap();
    assert_eq!(plain.get("columns"), None);
}

#[test]
fn keys_of_columns_do_not_reach_the_terminal_as_they_are() {
    let rows: Vec<_> = (0..99)
        .map(|i| format!("{{\"\\u001b[31m\":{i},\"n\":\"x{i}\"}}"))
        .collect();
    let columns = succeeds(&["pack", "--columns"], format!("[{}]", rows.join(",")).as_bytes());
    for command in ["inspect", "stats"] {
        let shown = succeeds(&[command], &columns);
        assert!(!shown.contains(&0x1b), "{command}");
        assert!(String::from_utf8_lossy(&shown).contains(r"[].\u{1b}[31m"), "{command}");
    }
}

#[test]
fn validate_knows_the_bytes_of_the_rule() {
    let rows = packord::from_slice::<packord::Value>(&succeeds(&["pack"], &table())).unwrap();
    let options = packord::EncodeOptions::new().columns(true);
    let mut stream = options.encode(&rows).unwrap();
    stream.extend(options.encode(&rows).unwrap());
    succeeds(&["validate", "--rule"], &stream);
    // 32 times 7, each by itself.
    let other = [
        b"\x91\xc7\x2c\x5c\x01\x23\x21\x01\x07\x07\x20\x01\x20\x20\0\x20".as_slice(),
        &[7; 32],
    ];
    let other = other.concat();
    succeeds(&["validate"], &other);
    fails(&["validate", "--rule"], &other, 1, "columns at byte 1 ($[0]) are valid");
    succeeds(&["validate", "--rule"], b"\xd4\x5c\x02");
}

#[test]
fn records_are_off_in_columns() {
    // In records, integers from 64 to 127 take two bytes; in columns one.
    let rows: Vec<_> = (60..130)
        .map(|id| format!(r#"{{"id":{id},"n":"row {}"}}"#, id % 9))
        .collect();
    let json = format!("[{{}},[{}]]\n", rows.join(","));
    let plain = succeeds(&["pack"], json.as_bytes());
    let packed = succeeds(&["pack", "--records", "--columns"], json.as_bytes());
    assert!(packed.len() < plain.len() / 2, "it has columns");
    for arguments in [
        &["unpack"][..],
        &["unpack", "--records"],
        &["get", "[1][*]", "--to", "csv"],
        &["unpack", "--to", "msgpack"],
        &["unpack", "--where", "@[1][10].id == 70"],
        &["get", "[1][*].id"],
        &["get", "[1][?id >= 64]"],
        &["get", ".", "--sort-by", "@[1][4].id"],
        &["schema"],
    ] {
        let found = succeeds(arguments, &packed);
        let expected: Vec<&str> = arguments.iter().filter(|it| **it != "--records").copied().collect();
        assert_eq!(found, succeeds(&expected, &plain), "{arguments:?}");
    }
    let folder = tool::Folder::new();
    let (plain, packed) = (folder.write("plain", plain), folder.write("packed", packed));
    assert_eq!(succeeds(&["diff", &plain, &packed], b""), b"");
    assert_eq!(succeeds(&["diff", &packed, &plain], b""), b"");
    // 32 times 64, after a record.
    let small = [
        b"\x92\xd4\x72\x40\x91\xa1a\x01".as_slice(),
        b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x40",
    ];
    let expected = format!("[{{\"a\":1}},[{}]]\n", ["64"; 32].join(","));
    assert_eq!(succeeds(&["unpack"], &small.concat()), expected.as_bytes());
}

#[test]
fn what_would_become_a_record_in_columns_is_an_error() {
    // 32 times ext(114, h'40'), which packord itself does not store by column.
    let mut columns = b"\xc7\x13\x5c\x01\x63\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x03\xd4\x72\x40".to_vec();
    let shown = succeeds(&["unpack"], &columns);
    assert!(shown.starts_with(b"[{\"$ext\":[114,\"QA==\"]}"));
    columns.extend(b"\xd4\x72\x40\x91\xa1a\x01");
    fails(&["unpack"], &columns, 3, "an ext of the type that records use");
}
