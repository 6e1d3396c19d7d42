//! Parts of the notation: quoted strings, hexadecimal bytes.

use core::fmt::{self, Write};

/// Writes `text` in quotes with the escapes of `spec/diagnostic-notation.md` section 1.
pub(super) fn quote(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' && byte != 0x7f {
            continue;
        }
        out.write_str(&text[plain..at])?;
        plain = at + 1;
        match byte {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            0x08 => out.write_str("\\b")?,
            0x0c => out.write_str("\\f")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            _ => write!(out, "\\u{byte:04x}")?,
        }
    }
    out.write_str(&text[plain..])?;
    out.write_char('"')
}

/// Writes `h'00ff'`.
pub(super) fn hex(out: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.write_str("h'")?;
    for part in bytes.chunks(32) {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(part) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        out.write_str(core::str::from_utf8(&text[..2 * part.len()]).map_err(|_| fmt::Error)?)?;
    }
    out.write_char('\'')
}
