//! What an input is, recognised by its first bytes.

mod cbor;
mod traits;

pub use traits::{Traits, is_mark};

use packord::wire::{Head, Kind, marker, skip};

const JSON: &str = "JSON (packord pack reads it)";
/// Length from which on text is not taken for small integers, in bytes. A line never is.
const TEXT: usize = 32;

/// The first bytes of other formats, with their names and what reads them.
const MAGIC: [(&[u8], &str); 10] = [
    (b"PAR1", "Parquet (packord pack --from parquet reads it)"),
    (b"ARROW1\0\0", "an Arrow file (packord pack --from arrow reads it)"),
    (b"Obj\x01", "Avro"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PK\x03\x04", "a zip archive (unzip -p FILE writes what is in it)"),
    (b"\xfd7zXZ\0", "compressed with xz (xz -dc FILE decompresses it)"),
    (b"BZh", "compressed with bzip2 (bzip2 -dc FILE decompresses it)"),
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
/// use packord_cli::source::recognise::foreign;
/// assert!(foreign(b"{\"a\": 1}\n").is_some_and(|text| text.starts_with("JSON")));
/// assert_eq!(foreign(b"\x81\xa1a\x01"), None);
/// ```
#[must_use]
pub fn foreign(start: &[u8]) -> Option<&'static str> {
    let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
    if let Some((_, name)) = known {
        return Some(name);
    }
    if is_arrow_stream(start) {
        return Some("an Arrow stream (packord pack --from arrow reads it)");
    }
    if is_json(start) {
        return Some(JSON);
    }
    if !is_text(start) {
        return cbor::is_cbor(start).then_some("CBOR");
    }
    let text = without_mark(start).trim_ascii();
    let is_line = start.len() > 2 && start.ends_with(b"\n");
    match text {
        [b'{' | b'[' | b'"', _, ..] => Some(JSON),
        _ if start.len() < TEXT && !is_line => None,
        _ if text.len().is_multiple_of(2) && text.iter().all(u8::is_ascii_hexdigit) => {
            Some("hexadecimal digits (--encoding hex reads them)")
        }
        _ => Some("text (packord pack --from csv or --from diag, or --encoding base64, may read it)"),
    }
}

/// Returns whether the first message is compressed as MessagePack-CSharp does it: an ext of type 99 that
/// begins with an int 32, or an array of an ext of type 98 and bins.
#[must_use]
pub fn is_lz4(start: &[u8]) -> bool {
    let ext = |at: usize| {
        let head = Head::at(start, at)?;
        Some((head.ext_type?, start.get(head.end) == Some(&marker::INT32)))
    };
    match Head::at(start, 0) {
        Some(head) if head.kind == Kind::Array && head.count > 1 => {
            let second = skip(start, head.end).and_then(|at| start.get(at));
            matches!(ext(head.end), Some((98, _))) && second.is_some_and(|it| Kind::of(*it) == Kind::Bin)
        }
        _ => ext(0) == Some((99, true)),
    }
}

/// Returns whether a stream of Arrow begins with these bytes: a marker, a length, and a table of flatbuffers
/// of this length.
#[must_use]
pub fn is_arrow_stream(start: &[u8]) -> bool {
    let Some(([0xff, 0xff, 0xff, 0xff], rest)) = start.split_first_chunk() else {
        return false;
    };
    let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?));
    matches!((number(0), number(4)), (Some(len), Some(root)) if len % 8 == 0 && (4..len).contains(&root))
}

/// Returns whether JSON with an object begins with these bytes, valid or not. As MessagePack they would be small
/// integers.
///
/// ```
/// use packord_cli::source::recognise::is_json;
/// assert!(is_json(b"[{\"name\": \"\xe9\"}]"));
/// assert!(!is_json(b"{\x01"));
/// ```
#[must_use]
pub fn is_json(start: &[u8]) -> bool {
    let after = |bytes: &[u8], byte: u8| -> Option<usize> {
        let rest = bytes.trim_ascii_start().strip_prefix(&[byte])?;
        Some(rest.len())
    };
    let text = without_mark(start);
    let inner = after(text, b'[').map_or(text, |len| &text[text.len() - len..]);
    after(inner, b'{').is_some_and(|len| {
        let rest = inner[inner.len() - len..].trim_ascii_start();
        rest.starts_with(b"\"")
    })
}

/// Returns the bytes after a byte order mark.
fn without_mark(start: &[u8]) -> &[u8] {
    start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start)
}

/// Returns whether the bytes are text. As MessagePack they would be one small integer after another.
#[must_use]
pub fn is_text(start: &[u8]) -> bool {
    let start = without_mark(start);
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
            b"\xff\xff\xff\xff\x01\x02\x03",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(foreign(messages), None, "{messages:02x?}");
        }
        for json in ["{}", " \n[1]", "\"é\"", "[\"\u{1f600}"] {
            assert!(foreign(json.as_bytes()).is_some(), "{json}");
        }
        for json in [&b"{\"a\": 1}\xff"[..], b"[ {\"\xe9\": 1}]", b"\xef\xbb\xbf{\"a\":1}"] {
            assert_eq!(foreign(json), Some(JSON), "{json:02x?}");
        }
        assert!(foreign(b"81a16101\n").is_some_and(|text| text.contains("--encoding hex")));
        assert!(foreign(b"gaFhAQ==\n").is_some_and(|text| text.contains("--encoding base64")));
        assert!(foreign(b"[\"\xf0\x9f").is_some());
        assert!(foreign(&b"id,name\n1,Ada\n".repeat(3)).is_some());
    }
}
