//! The format of a value: the minimal one, or the one that a suffix names.
//!
//! A suffix is kept as the marker that it stands for, `fix` as [`FIX`].

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

/// Returns the suffix with this name.
pub(super) fn named(name: &str) -> Option<u8> {
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, suffix)| suffix)
}

/// Returns the name of a suffix.
pub(super) fn name(suffix: u8) -> &'static str {
    NAMES
        .iter()
        .find(|(_, known)| *known == suffix)
        .map_or("", |&(name, _)| name)
}

/// The formats of one type that has a length or count.
pub(super) struct Family {
    /// The first marker of the fix format, and its maximum length.
    fix: Option<(u8, u32)>,
    eight: Option<u8>,
    sixteen: u8,
    thirty_two: u8,
}

pub(super) const STR: Family = Family {
    fix: Some((marker::FIXSTR, 31)),
    eight: Some(marker::STR8),
    sixteen: marker::STR16,
    thirty_two: marker::STR32,
};
pub(super) const BIN: Family = Family {
    fix: None,
    eight: Some(marker::BIN8),
    sixteen: marker::BIN16,
    thirty_two: marker::BIN32,
};
pub(super) const ARRAY: Family = Family {
    fix: Some((marker::FIXARRAY, 15)),
    eight: None,
    sixteen: marker::ARRAY16,
    thirty_two: marker::ARRAY32,
};
pub(super) const MAP: Family = Family {
    fix: Some((marker::FIXMAP, 15)),
    eight: None,
    sixteen: marker::MAP16,
    thirty_two: marker::MAP32,
};
/// ext 8, 16 and 32; the fixext formats are [`fixext`].
pub(super) const EXT: Family = Family {
    fix: None,
    eight: Some(marker::EXT8),
    sixteen: marker::EXT16,
    thirty_two: marker::EXT32,
};

impl Family {
    /// Returns the marker of the shortest format; the fix format has its first marker.
    pub(super) fn minimal(&self, length: u32) -> u8 {
        match (self.fix, self.eight) {
            (Some((base, max)), _) if length <= max => base,
            (_, Some(eight)) if length <= 0xff => eight,
            _ if length <= 0xffff => self.sixteen,
            _ => self.thirty_two,
        }
    }

    /// Returns the suffix that a value with this marker needs, if it needs one.
    pub(super) fn suffix(&self, marker: u8, length: u32) -> Option<u8> {
        let minimal = self.minimal(length);
        let is_fix = self
            .fix
            .is_some_and(|(base, max)| (u32::from(base)..=u32::from(base) + max).contains(&marker.into()));
        (marker != minimal && !is_fix).then_some(marker)
    }

    /// Returns the header for a length: minimal, or in the format that a suffix names.
    pub(super) fn header(&self, length: u64, suffix: Option<u8>) -> Result<ShortHeader, &'static str> {
        let length = u32::try_from(length).map_err(|_| "longer than 2^32 - 1")?;
        let marker = suffix.unwrap_or_else(|| self.minimal(length));
        let mut header = ShortHeader::default();
        if let Some((base, _)) = self.fix.filter(|&(base, _)| base == marker) {
            header.push(&[base | length as u8]);
        } else if self.eight == Some(marker) {
            header.push(&[marker, u8::try_from(length).map_err(|_| TOO_LARGE)?]);
        } else if self.sixteen == marker {
            let length = u16::try_from(length).map_err(|_| TOO_LARGE)?;
            header.push(&[marker]);
            header.push(&length.to_be_bytes());
        } else if self.thirty_two == marker {
            header.push(&[marker]);
            header.push(&length.to_be_bytes());
        } else {
            return Err(OTHER_KIND);
        }
        Ok(header)
    }
}

/// The error of a value that the format of its suffix cannot hold.
pub(super) const TOO_LARGE: &str = "too large for its suffix";
/// The error of a suffix of another type.
pub(super) const OTHER_KIND: &str = "this suffix is for another type of value";

/// Returns the fixext marker for a payload of this length.
pub(super) fn fixext(length: usize) -> Option<u8> {
    match length {
        1 => Some(marker::FIXEXT1),
        2 => Some(marker::FIXEXT2),
        4 => Some(marker::FIXEXT4),
        8 => Some(marker::FIXEXT8),
        16 => Some(marker::FIXEXT16),
        _ => None,
    }
}

/// Up to nine bytes without an allocation: a marker and a length or number.
#[derive(Clone, Copy, Default)]
pub(super) struct ShortHeader {
    bytes: [u8; 9],
    length: u8,
}

impl ShortHeader {
    pub(super) fn push(&mut self, bytes: &[u8]) {
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
    let suffix = match number {
        -32..=63 => FIX,
        64..=127 if !records => FIX,
        64..=0xff => marker::UINT8,
        0x100..=0xffff => marker::UINT16,
        0x1_0000..=0xffff_ffff => marker::UINT32,
        0x1_0000_0000..=0xffff_ffff_ffff_ffff => marker::UINT64,
        -0x80..=-33 => marker::INT8,
        -0x8000..=-0x81 => marker::INT16,
        -0x8000_0000..=-0x8001 => marker::INT32,
        -0x8000_0000_0000_0000..=-0x8000_0001 => marker::INT64,
        _ => return None,
    };
    integer_as(number, suffix).ok()
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
