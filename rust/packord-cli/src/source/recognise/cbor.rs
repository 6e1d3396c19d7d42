//! CBOR, whose bytes are almost always other values as MessagePack.

use packord::ErrorKind;

/// Length from which on a value that is cut off is taken for CBOR, in bytes.
const CUT: usize = 1024;
/// Maximum depth. Data that is nested deeper is not recognised.
const DEPTH: usize = 64;

/// Returns whether the bytes are one value of CBOR with a map of names, and not one message.
pub fn is_cbor(start: &[u8]) -> bool {
    let mut value = CborValue {
        rest: start,
        names: 0,
        is_cut: false,
    };
    let is_whole = match value.skip(0) {
        Some(()) => value.rest.is_empty(),
        // Bytes of another format end with a length that reaches far beyond what there is.
        None => value.is_cut && start.len() >= CUT && value.rest.len() < start.len() / 8,
    };
    is_whole && value.names > 0 && !is_message(start)
}

/// Returns whether the bytes are a message, or the start of one.
fn is_message(start: &[u8]) -> bool {
    match packord::skip_value(start) {
        Ok(len) => len == start.len(),
        Err(error) => error.kind() == ErrorKind::Eof,
    }
}

struct CborValue<'a> {
    rest: &'a [u8],
    /// Keys that are text.
    names: usize,
    /// The bytes end within the value.
    is_cut: bool,
}

impl CborValue<'_> {
    /// Skips a value. Returns `None` if it is not valid, or if it is cut off.
    fn skip(&mut self, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        let Some((&first, rest)) = self.rest.split_first() else {
            self.is_cut = true;
            return None;
        };
        let (major, info) = (first >> 5, first & 0x1f);
        let is_open = info == 31 && (2..6).contains(&major);
        let width = match info {
            0..=23 => 0,
            24..=27 => 1 << (info - 24),
            _ if is_open => 0,
            _ => return None,
        };
        let Some((digits, after)) = rest.split_at_checked(width) else {
            self.is_cut = true;
            return None;
        };
        let number = match width {
            0 => u64::from(info),
            _ => digits.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)),
        };
        self.rest = after;
        match major {
            0 | 1 | 7 => Some(()),
            2 | 3 if is_open => self.items(None, depth, 1),
            2 | 3 => self.text(number, major == 3),
            4 => self.items((!is_open).then_some(number), depth, 1),
            5 => self.items((!is_open).then_some(number), depth, 2),
            _ => self.skip(depth + 1),
        }
    }

    fn text(&mut self, len: u64, is_text: bool) -> Option<()> {
        let cut = usize::try_from(len)
            .ok()
            .and_then(|len| self.rest.split_at_checked(len));
        let Some((text, rest)) = cut else {
            self.is_cut = true;
            return None;
        };
        if is_text && std::str::from_utf8(text).is_err() {
            return None;
        }
        self.rest = rest;
        Some(())
    }

    fn items(&mut self, count: Option<u64>, depth: usize, each: usize) -> Option<()> {
        let mut done = 0;
        while count != Some(done) {
            if count.is_none() && self.rest.first() == Some(&0xff) {
                self.rest = self.rest.get(1..).unwrap_or_default();
                break;
            }
            if each == 2 && self.rest.first().is_some_and(|key| (0x60..0x80).contains(key)) {
                self.names += 1;
            }
            for _ in 0..each {
                self.skip(depth + 1)?;
            }
            done += 1;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_with_names_are_cbor_and_messages_are_not() {
        for cbor in [
            &b"\xa1\x61a\x01"[..],
            b"\xbf\x61a\x9f\x78\x21and so on, for 32 letters of text\xff\xff",
            b"\x82\xa1\x61a\x01\xa1\x61a\xf6",
            b"\xc1\xa1\x61a\x01",
        ] {
            assert!(is_cbor(cbor), "{cbor:02x?}");
        }
        for message in [
            &b""[..],
            b"\xa1a",
            b"\x81\xa1a\x01",
            b"\x83\x01\x02\x03",
            b"\x92\x01\x02\x92\x01\x02",
            b"\xa3abc\x01",
        ] {
            assert!(!is_cbor(message), "{message:02x?}");
        }
        let points = b"\x82\xa1x\x01\xa1y\x02".repeat(600);
        assert!(!is_cbor(&points));
        let mut long = vec![0x99, 0x10, 0];
        long.extend(b"\xa2\x62id\x01\x64name\x63Ada".repeat(600));
        assert!(is_cbor(&long) && is_cbor(&long[..5001]));
    }
}
