//! Input that is not MessagePack, recognised by its first bytes.

/// Length from which on text is not taken for small integers, in bytes.
const TEXT: usize = 32;

/// The first bytes of other formats, with their names and what reads them.
const MAGIC: [(&[u8], &str); 10] = [
    (b"PAR1", "Parquet"),
    (b"ARROW1\0\0", "an Arrow file"),
    (b"Obj\x01", "Avro"),
    (b"SQLite format 3\0", "an SQLite database"),
    (
        b"PK\x03\x04",
        "a zip archive (unzip -p FILE writes what is in it)",
    ),
    (
        b"\xfd7zXZ\0",
        "compressed with xz (xz -dc FILE decompresses it)",
    ),
    (
        b"BZh",
        "compressed with bzip2 (bzip2 -dc FILE decompresses it)",
    ),
    (
        b"\x04\x22\x4d\x18",
        "compressed with lz4 (lz4 -dc FILE decompresses it)",
    ),
    (b"\xff\x06\0\0sNaPpY", "compressed with snappy"),
    (b"\xd9\xd9\xf7", "CBOR"),
];

/// Returns what the input is, if it begins with these bytes and is not MessagePack.
///
/// ```
/// use packord_cli::recognise::foreign;
/// assert!(foreign(b"{\"a\": 1}\n").is_some_and(|text| text.starts_with("JSON")));
/// assert_eq!(foreign(b"\x81\xa1a\x01"), None);
/// ```
#[must_use]
pub fn foreign(start: &[u8]) -> Option<&'static str> {
    let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
    if let Some((_, name)) = known {
        return Some(name);
    }
    if !is_text(start) {
        return None;
    }
    match start.trim_ascii_start() {
        [b'{' | b'[' | b'"', _, ..] => Some("JSON (packord pack reads it)"),
        _ if start.len() >= TEXT => {
            Some("text (packord pack --from csv or --from diag may read it)")
        }
        _ => None,
    }
}

/// Returns whether the bytes are text. As MessagePack they would be one small integer after another.
fn is_text(start: &[u8]) -> bool {
    let is_valid = match std::str::from_utf8(start) {
        Ok(_) => true,
        // The last character may be cut off.
        Err(error) => error.error_len().is_none(),
    };
    let is_control = |byte: &u8| (*byte < b' ' && !b"\t\n\r".contains(byte)) || *byte == 0x7f;
    is_valid && start.first().is_some_and(u8::is_ascii) && !start.iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_and_messages_are_not_text() {
        for messages in [
            &b""[..],
            b"5",
            b"12 {",
            b"{",
            b"\x01{\"a\":1}",
            b"{\x00",
            b"\xd9\x80 and 127 more letters in a str",
            b"\x7f\x7f\x7f\x7f",
            b"[\xc1",
        ] {
            assert_eq!(foreign(messages), None, "{messages:02x?}");
        }
        for json in ["{}", " \n[1]", "\"é\"", "[\"\u{1f600}"] {
            assert!(foreign(json.as_bytes()).is_some(), "{json}");
        }
        assert!(foreign(b"[\"\xf0\x9f").is_some());
        assert!(foreign(&b"id,name\n1,Ada\n".repeat(3)).is_some());
    }
}
