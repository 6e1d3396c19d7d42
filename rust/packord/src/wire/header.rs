//! The kind of a value, and the length and form of its header, by its marker.

use super::marker as m;
use super::read;
#[cfg(feature = "alloc")]
use crate::error::ErrorKind;

/// The header of a value and the values that it announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Number of bytes of the length or count after the marker.
    pub length: u8,
    /// 1 if the ext type ends the header, else 0.
    pub ext: u8,
    /// The length or count that the marker itself gives; the number of payload bytes of a number.
    pub fixed: u8,
    /// Number of values that the count announces for each item: 1 in arrays, 2 in maps, otherwise
    /// 0.
    pub values: u8,
}

impl Header {
    const fn new(length: u8, ext: u8, fixed: u8, values: u8) -> Header {
        Header {
            length,
            ext,
            fixed,
            values,
        }
    }

    pub const fn of(marker: u8) -> Header {
        match marker {
            m::FIXMAP..=0x8f => Header::new(0, 0, marker & 0x0f, 2),
            m::FIXARRAY..=0x9f => Header::new(0, 0, marker & 0x0f, 1),
            m::FIXSTR..=0xbf => Header::new(0, 0, marker & 0x1f, 0),
            m::STR8 | m::BIN8 => Header::new(1, 0, 0, 0),
            m::STR16 | m::BIN16 => Header::new(2, 0, 0, 0),
            m::STR32 | m::BIN32 => Header::new(4, 0, 0, 0),
            m::EXT8 => Header::new(1, 1, 0, 0),
            m::EXT16 => Header::new(2, 1, 0, 0),
            m::EXT32 => Header::new(4, 1, 0, 0),
            m::FIXEXT1..=m::FIXEXT16 => Header::new(0, 1, 1 << (marker - m::FIXEXT1), 0),
            m::UINT8..=m::UINT64 => Header::new(0, 0, 1 << (marker - m::UINT8), 0),
            m::INT8..=m::INT64 => Header::new(0, 0, 1 << (marker - m::INT8), 0),
            m::FLOAT32 => Header::new(0, 0, 4, 0),
            m::FLOAT64 => Header::new(0, 0, 8, 0),
            m::ARRAY16 => Header::new(2, 0, 0, 1),
            m::ARRAY32 => Header::new(4, 0, 0, 1),
            m::MAP16 => Header::new(2, 0, 0, 2),
            m::MAP32 => Header::new(4, 0, 0, 2),
            _ => Header::new(0, 0, 0, 0),
        }
    }

    /// Returns the number of bytes of the header.
    pub const fn len(self) -> usize {
        (1 + self.length + self.ext) as usize
    }

    /// Returns the length of the payload, or the count of the container, whose header is at `at`; `None`
    /// if it is cut off.
    #[inline(always)]
    pub fn number(self, bytes: &[u8], at: usize) -> Option<u64> {
        match self.length {
            0 => Some(u64::from(self.fixed)),
            1 => read::uint::<1>(bytes, at + 1),
            2 => read::uint::<2>(bytes, at + 1),
            _ => read::uint::<4>(bytes, at + 1),
        }
    }
}

/// What the header of a value says of the bytes and values after it.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The kind of the value.
    pub kind: Kind,
    /// Where the header ends.
    pub end: usize,
    /// The type of an ext.
    pub ext_type: Option<i8>,
    /// Number of bytes of the payload.
    pub payload: u64,
    /// Number of elements or entries of a container.
    pub count: u64,
    /// Number of values in the container: two for an entry.
    pub values: u64,
}

#[cfg(feature = "alloc")]
impl Head {
    /// Reads the header at `at`; `None` if it is not whole. The reserved marker counts as nil.
    #[inline]
    #[must_use]
    pub fn at(bytes: &[u8], at: usize) -> Option<Head> {
        let marker = *bytes.get(at)?;
        let header = HEADERS[usize::from(marker)];
        let end = at + header.len();
        let last = *bytes.get(end - 1)?;
        let number = header.number(bytes, at)?;
        let is_container = header.values > 0;
        Some(Head {
            kind: Kind::of(marker),
            end,
            ext_type: (header.ext == 1).then_some(last as i8),
            payload: if is_container { 0 } else { number },
            count: if is_container { number } else { 0 },
            values: number * u64::from(header.values),
        })
    }

    /// Reads the header of a value that may be invalid.
    #[inline]
    pub(crate) fn checked(bytes: &[u8], at: usize) -> Result<Head, ErrorKind> {
        match bytes.get(at) {
            Some(&m::RESERVED) => Err(ErrorKind::ReservedMarker),
            _ => Head::at(bytes, at).ok_or(ErrorKind::Eof),
        }
    }

    /// Returns where the payload ends, or the header of a container does.
    #[inline]
    #[must_use]
    pub fn payload_end(&self) -> Option<usize> {
        self.end.checked_add(usize::try_from(self.payload).ok()?)
    }
}

/// The kind of a value. The reserved marker counts as nil: readers of unchecked bytes ask for it
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// nil.
    Nil,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// A str.
    Str,
    /// A bin.
    Bin,
    /// An array.
    Array,
    /// A map.
    Map,
    /// An ext, a timestamp too.
    Ext,
}

#[cfg(feature = "alloc")]
#[cfg_attr(
    not(feature = "columns"),
    allow(dead_code, reason = "readers of columns ask for more than others")
)]
impl Kind {
    pub(crate) const ALL: [Kind; 10] = [
        Kind::Nil,
        Kind::Bool,
        Kind::Int,
        Kind::F32,
        Kind::F64,
        Kind::Str,
        Kind::Bin,
        Kind::Array,
        Kind::Map,
        Kind::Ext,
    ];

    /// Returns the kind of the value at the start of the bytes.
    #[inline]
    #[must_use]
    pub fn at(bytes: &[u8]) -> Option<Kind> {
        bytes.first().map(|&marker| Kind::of(marker))
    }

    /// Returns the kind of a value with this marker.
    #[inline]
    #[must_use]
    pub fn of(marker: u8) -> Kind {
        static KINDS: [Kind; 256] = {
            let mut all = [Kind::Nil; 256];
            let mut marker = 0;
            while marker < all.len() {
                all[marker] = Kind::tell(marker as u8);
                marker += 1;
            }
            all
        };
        KINDS[usize::from(marker)]
    }

    /// Returns whether it is an array or a map.
    #[inline]
    #[must_use]
    pub fn is_container(self) -> bool {
        matches!(self, Kind::Array | Kind::Map)
    }

    /// Returns whether the rule of columns calls it a scalar: an ext is neither that nor a container.
    pub(crate) fn is_scalar(self) -> bool {
        !self.is_container() && self != Kind::Ext
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::F32 | Kind::F64)
    }
}

impl Kind {
    pub(crate) const fn tell(marker: u8) -> Kind {
        match marker {
            m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => Kind::Map,
            m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32 => Kind::Array,
            m::FIXSTR..=0xbf | m::STR8..=m::STR32 => Kind::Str,
            m::NIL | m::RESERVED => Kind::Nil,
            m::FALSE | m::TRUE => Kind::Bool,
            m::BIN8..=m::BIN32 => Kind::Bin,
            m::EXT8..=m::EXT32 | m::FIXEXT1..=m::FIXEXT16 => Kind::Ext,
            m::FLOAT32 => Kind::F32,
            m::FLOAT64 => Kind::F64,
            _ => Kind::Int,
        }
    }
}

/// The headers of all markers.
#[cfg(feature = "alloc")]
pub(crate) static HEADERS: [Header; 256] = {
    let mut all = [Header::of(0); 256];
    let mut marker = 0;
    while marker < all.len() {
        all[marker] = Header::of(marker as u8);
        marker += 1;
    }
    all
};
