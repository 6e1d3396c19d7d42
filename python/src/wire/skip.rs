//! Passing over values without looking into them.

use packord::wire::{Head, Kind};

use super::marker::*;

/// Where the value at `at` ends; `None` when the bytes end before it does, or at `c1`.
///
/// Takes no stack: the values still to come are counted. Each takes a byte at least, so the time is
/// that of the bytes passed over, whatever the headers claim.
pub fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    // Below 2^35 times the length of the bytes.
    let mut pending = 1_u64;
    while pending > 0 {
        let [length, values] = EXTENTS[usize::from(*bytes.get(at)?)];
        if length != 0 {
            at += usize::from(length);
            pending = pending - 1 + u64::from(values);
            continue;
        }
        let (end, values) = header(bytes, at)?;
        at = end;
        pending = pending - 1 + values as u64;
        if at > bytes.len() || pending > (bytes.len() - at) as u64 {
            return None;
        }
    }
    (at <= bytes.len()).then_some(at)
}

/// What a marker alone says: the length of header and payload, 0 when more than the marker has to be read, or it is
/// `c1`; and how many values follow.
const EXTENTS: [[u8; 2]; 256] = {
    let mut table = [[0; 2]; 256];
    let mut marker = 0;
    while marker < 256 {
        table[marker] = match marker as u8 {
            byte @ FIXMAP..=LAST_FIXMAP => [1, 2 * (byte & FIX_COUNT)],
            byte @ FIXARRAY..=LAST_FIXARRAY => [1, byte & FIX_COUNT],
            byte @ FIXSTR..=LAST_FIXSTR => [1 + (byte & FIXSTR_LENGTH), 0],
            RESERVED | BIN8..=EXT32 | STR8..=MAP32 => [0, 0],
            byte @ FIXEXT1..=FIXEXT16 => [2 + (1 << (byte - FIXEXT1)), 0],
            byte => [header_size(byte) as u8, 0],
        };
        marker += 1;
    }
    table
};

/// Where the header at `at` ends, and the payload of a value that has one, which may be after the end of the bytes; and
/// how many values follow, twice the count of a map's entries. `usize::MAX` is more than the platform can have.
pub fn header(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let head = Head::at(bytes, at).filter(|_| bytes[at] != RESERVED)?;
    let values = usize::try_from(head.values).unwrap_or(usize::MAX);
    Some((head.payload_end().unwrap_or(usize::MAX), values))
}

/// The payload of the str at `at`; `None` when there is none, or it isn't whole.
pub fn str_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let head = Head::at(bytes, at).filter(|head| head.kind == Kind::Str)?;
    bytes.get(head.end..head.payload_end()?)
}

/// The type of the ext that the bytes begin with; `None` for another value, or if its header is not whole.
pub fn ext_type(bytes: &[u8]) -> Option<i8> {
    Head::at(bytes, 0)?.ext_type
}
