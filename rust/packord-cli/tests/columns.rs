//! Values that are stored by column: written by `pack --columns`, read by all commands.

mod tool;

use tool::{fails, run, succeeds};

/// A table of JSON, of which columns take a fifth of the bytes.
fn table() -> Vec<u8> {
    let rows = (0..200).map(|id| {
        format!(
            r#"{{"id":{id},"name":"row {}","at":{}}}"#,
            id % 9,
            f64::from(id) / 4.0
        )
    });
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
