//! Passing over values without looking into them.

use super::marker::*;

/// Where the value at `at` ends; `None` when the bytes end before it does, or at `c1`.
///
/// Takes no stack: the values still to come are counted. Each takes a byte at least, so the time is
/// that of the bytes passed over, whatever the headers claim.
pub fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut pending = 1_usize;
    while pending > 0 {
        let extent = EXTENTS[usize::from(*bytes.get(at)?)];
        if extent.length != 0 {
            at += usize::from(extent.length);
            pending = pending - 1 + usize::from(extent.values);
            continue;
        }
        let header = header(bytes, at)?;
        at = header.end;
        pending = pending - 1 + header.values;
        if at > bytes.len() || pending > bytes.len() - at {
            return None;
        }
    }
    (at <= bytes.len()).then_some(at)
}

/// What a marker alone says.
#[derive(Clone, Copy)]
struct Extent {
    /// Header and payload; 0 when more than the marker has to be read, or it is `c1`.
    length: u8,
    values: u8,
}

const EXTENTS: [Extent; 256] = {
    let mut table = [Extent {
        length: 1,
        values: 0,
    }; 256];
    let mut marker = 0;
    while marker < 256 {
        let (length, values) = match marker as u8 {
            byte @ FIXMAP..=LAST_FIXMAP => (1, 2 * (byte & FIX_COUNT)),
            byte @ FIXARRAY..=LAST_FIXARRAY => (1, byte & FIX_COUNT),
            byte @ FIXSTR..=LAST_FIXSTR => (1 + (byte & FIXSTR_LENGTH), 0),
            RESERVED | BIN8..=EXT32 | STR8..=MAP32 => (0, 0),
            byte @ FIXEXT1..=FIXEXT16 => (2 + (1 << (byte - FIXEXT1)), 0),
            byte => (header_size(byte) as u8, 0),
        };
        table[marker] = Extent { length, values };
        marker += 1;
    }
    table
};

/// What a header announces.
pub struct Header {
    /// Where the header ends, and the payload of a value that has one.
    pub end: usize,
    /// How many values follow; twice the count of a map's entries.
    pub values: usize,
}

/// The header at `at`. `end` may be after the end of the bytes.
pub fn header(bytes: &[u8], at: usize) -> Option<Header> {
    let marker = *bytes.get(at)?;
    let Extent { length, values } = EXTENTS[usize::from(marker)];
    if length != 0 {
        let (end, values) = (at + usize::from(length), usize::from(values));
        return Some(Header { end, values });
    }
    let is_ext = (EXT8..=EXT32).contains(&marker);
    // The type of an ext follows its length.
    let start = at + header_size(marker);
    let digits = bytes.get(at + 1..start - usize::from(is_ext))?;
    let number = digits
        .iter()
        .fold(0, |number, &byte| number << 8 | usize::from(byte));
    let (end, values) = match marker {
        RESERVED => return None,
        ARRAY16 | ARRAY32 => (start, number),
        MAP16 | MAP32 => (start, 2 * number),
        _ => (start + number, 0),
    };
    Some(Header { end, values })
}

/// The payload of the str at `at`; `None` when there is none, or it isn't whole.
pub fn str_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let start = match *bytes.get(at)? {
        FIXSTR..=LAST_FIXSTR => at + 1,
        marker @ STR8..=STR32 => at + 1 + (1 << (marker - STR8)),
        _ => return None,
    };
    bytes.get(start..header(bytes, at)?.end)
}
