//! The length and form of a header, by its marker.

use super::marker as m;

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
