//! The format of a value: the minimal one, or the one that a suffix names.
//!
//! A suffix is kept as the marker that it stands for, `fix` as [`FIX`].

use crate::wire::header::{Header, Kind};
use crate::wire::marker;

/// The suffix `fix`: a fixint.
pub(super) const FIX: u8 = 0;

const NAMES: [(&str, u8); 23] = [
    ("fix", FIX),
    ("u8", marker::UINT8),
    ("u16", marker::UINT16),
    ("u32", marker::UINT32),
    ("u64", marker::UINT64),
    ("i8", marker::INT8),
    ("i16", marker::INT16),
    ("i32", marker::INT32),
    ("i64", marker::INT64),
    ("f32", marker::FLOAT32),
    ("str8", marker::STR8),
    ("str16", marker::STR16),
    ("str32", marker::STR32),
    ("bin8", marker::BIN8),
    ("bin16", marker::BIN16),
    ("bin32", marker::BIN32),
    ("array16", marker::ARRAY16),
    ("array32", marker::ARRAY32),
    ("map16", marker::MAP16),
    ("map32", marker::MAP32),
    ("ext8", marker::EXT8),
    ("ext16", marker::EXT16),
    ("ext32", marker::EXT32),
];

pub(super) fn named(name: &str) -> Option<u8> {
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, suffix)| suffix)
}

pub(super) fn name(suffix: u8) -> &'static str {
    let found = NAMES.iter().find(|(_, known)| *known == suffix);
    found.map_or("", |&(name, _)| name)
}

/// Returns the marker of the shortest format of a kind that has a length or count; a fix format has its first marker.
pub(super) fn minimal(kind: Kind, length: u32) -> u8 {
    // Those of 8 and of 32 bits are before and after it.
    let (fix, sixteen) = match kind {
        Kind::Str => ((length < 32).then_some(marker::FIXSTR), marker::STR16),
        Kind::Array => ((length < 16).then_some(marker::FIXARRAY), marker::ARRAY16),
        Kind::Map => ((length < 16).then_some(marker::FIXMAP), marker::MAP16),
        Kind::Bin => (None, marker::BIN16),
        _ => {
            let power = (length <= 16 && length.is_power_of_two()).then(|| length.ilog2());
            (power.map(|power| marker::FIXEXT1 + power as u8), marker::EXT16)
        }
    };
    fix.unwrap_or(match length {
        0..=0xff if !kind.is_container() => sixteen - 1,
        0..=0xffff => sixteen,
        _ => sixteen + 1,
    })
}

/// Returns the suffix that a value of a kind with this marker needs, if it needs one.
pub(super) fn needed(kind: Kind, marker: u8, length: u32) -> Option<u8> {
    let is_fix = Header::of(marker).length == 0;
    (!is_fix && marker != minimal(kind, length)).then_some(marker)
}

/// Returns the header for a length, up to the type of an ext: minimal, or in the format that a suffix names.
pub(super) fn header(kind: Kind, length: u64, suffix: Option<u8>) -> Result<ShortHeader, &'static str> {
    let length = u32::try_from(length).map_err(|_| "longer than 2^32 - 1")?;
    let marker = suffix.unwrap_or_else(|| minimal(kind, length));
    let mut header = ShortHeader::default();
    if Kind::of(marker) != kind {
        return Err(OTHER_KIND);
    }
    match Header::of(marker).length.into() {
        0 if kind == Kind::Ext => header.push(&[marker]),
        0 => header.push(&[marker | length as u8]),
        width => {
            let bytes = length.to_be_bytes();
            let (high, low) = bytes.split_at(4 - width);
            if high.iter().any(|&byte| byte != 0) {
                return Err(TOO_LARGE);
            }
            header.push(&[marker]);
            header.push(low);
        }
    }
    Ok(header)
}

/// The error of a value that the format of its suffix cannot hold.
pub(super) const TOO_LARGE: &str = "too large for its suffix";
/// The error of a suffix of another type.
pub(super) const OTHER_KIND: &str = "this suffix is for another type of value";

/// Up to nine bytes without an allocation: a marker and a length or number.
#[derive(Clone, Copy, Default)]
pub(super) struct ShortHeader {
    bytes: [u8; 9],
    length: u8,
}

impl ShortHeader {
    fn push(&mut self, bytes: &[u8]) {
        let start = usize::from(self.length);
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len() as u8;
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// Returns the minimal encoding of an integer, or `None` if it is outside −2^63 … 2^64 − 1.
///
/// With `records`, 64 to 127 are not fixints.
pub(super) fn integer(number: i128, records: bool) -> Option<ShortHeader> {
    let sized = match number {
        0.. => marker::UINT8..=marker::UINT64,
        _ => marker::INT8..=marker::INT64,
    };
    let fix = (!records || number < 64).then_some(FIX);
    let mut suffixes = fix.into_iter().chain(sized);
    suffixes.find_map(|suffix| integer_as(number, suffix).ok())
}

/// Returns an integer in the format that a suffix names.
pub(super) fn integer_as(number: i128, suffix: u8) -> Result<ShortHeader, &'static str> {
    let mut header = ShortHeader::default();
    if suffix == FIX {
        if !(-32..=127).contains(&number) {
            return Err(TOO_LARGE);
        }
        header.push(&[number as u8]);
        return Ok(header);
    }
    let signed = (marker::INT8..=marker::INT64).contains(&suffix);
    if !signed && !(marker::UINT8..=marker::UINT64).contains(&suffix) {
        return Err(OTHER_KIND);
    }
    let width = 1_usize << (suffix & 3);
    let bits = 8 * width as u32;
    let range = if signed {
        -(1_i128 << (bits - 1))..1 << (bits - 1)
    } else {
        0..1 << bits
    };
    if !range.contains(&number) {
        return Err(TOO_LARGE);
    }
    header.push(&[suffix]);
    header.push(&number.to_be_bytes()[16 - width..]);
    Ok(header)
}
