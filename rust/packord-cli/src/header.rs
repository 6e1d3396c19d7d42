//! What the first bytes of a value say, without a check of what follows.

/// The header of a value.
pub struct Header {
    /// The number of bytes of the header.
    pub len: usize,
    /// The number of bytes of the payload after it.
    pub payload: u64,
    /// What kind of container it is.
    pub container: Option<HeaderKind>,
    /// The number of elements or entries.
    pub count: u64,
}

/// The kind of a container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HeaderKind {
    /// An array.
    Array,
    /// A map.
    Map,
}

impl Header {
    /// Reads the header at the start of the bytes, with the type of an ext. `None` if it is cut.
    #[inline]
    pub fn at(bytes: &[u8]) -> Option<Header> {
        use HeaderKind::{Array, Map};
        let marker = *bytes.first()?;
        let number = |len: usize| {
            let digits = bytes.get(1..=len)?;
            let add = |number, digit: &u8| number << 8 | u64::from(*digit);
            Some(digits.iter().fold(0, add))
        };
        let (len, payload, container, count) = match marker {
            0x80..=0x8f => (1, 0, Some(Map), u64::from(marker & 0x0f)),
            0x90..=0x9f => (1, 0, Some(Array), u64::from(marker & 0x0f)),
            0xa0..=0xbf => (1, u64::from(marker & 0x1f), None, 0),
            0xc4 | 0xd9 => (2, number(1)?, None, 0),
            0xc5 | 0xda => (3, number(2)?, None, 0),
            0xc6 | 0xdb => (5, number(4)?, None, 0),
            0xc7..=0xc9 => {
                let digits = 1 << (marker - 0xc7);
                bytes.get(digits + 1)?;
                (2 + digits, number(digits)?, None, 0)
            }
            0xca | 0xce | 0xd2 => (1, 4, None, 0),
            0xcb | 0xcf | 0xd3 => (1, 8, None, 0),
            0xcc | 0xd0 => (1, 1, None, 0),
            0xcd | 0xd1 => (1, 2, None, 0),
            0xd4..=0xd8 => {
                bytes.get(1)?;
                (2, 1 << (marker - 0xd4), None, 0)
            }
            0xdc => (3, 0, Some(Array), number(2)?),
            0xdd => (5, 0, Some(Array), number(4)?),
            0xde => (3, 0, Some(Map), number(2)?),
            0xdf => (5, 0, Some(Map), number(4)?),
            _ => (1, 0, None, 0),
        };
        Some(Header {
            len,
            payload,
            container,
            count,
        })
    }

    /// Returns the type of an ext, which begins with these bytes. `None` if it is another value.
    pub fn ext_type(&self, bytes: &[u8]) -> Option<i8> {
        let is_ext = matches!(bytes.first(), Some(0xc7..=0xc9 | 0xd4..=0xd8));
        is_ext.then(|| bytes[self.len - 1] as i8)
    }

    /// Returns the number of values in a container: two for an entry.
    pub fn values(&self) -> u64 {
        self.count << u32::from(self.container == Some(HeaderKind::Map))
    }
}

/// The lengths of the values that their marker determines, fixstr included; 0 for all others.
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut marker = 0;
    while marker < 256 {
        lengths[marker] = match marker as u8 {
            0..=0x7f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => 1,
            fixstr @ 0xa0..=0xbf => 1 + (fixstr & 0x1f),
            0xcc | 0xd0 => 2,
            0xcd | 0xd1 | 0xd4 => 3,
            0xd5 => 4,
            0xca | 0xce | 0xd2 => 5,
            0xd6 => 6,
            0xcb | 0xcf | 0xd3 => 9,
            0xd7 => 10,
            0xd8 => 18,
            _ => 0,
        };
        marker += 1;
    }
    lengths
};

/// Returns what follows the value at the start of the bytes. `None` if it is cut.
#[inline]
pub fn after(bytes: &[u8]) -> Option<&[u8]> {
    // Without this table, finding a key takes twice as long.
    match LENGTHS[usize::from(*bytes.first()?)] {
        0 => after_any(bytes),
        len => bytes.get(usize::from(len)..),
    }
}

fn after_any(mut bytes: &[u8]) -> Option<&[u8]> {
    let mut pending: u64 = 1;
    while pending > 0 {
        let header = Header::at(bytes)?;
        let payload = usize::try_from(header.payload).ok()?;
        bytes = bytes.get(header.len.checked_add(payload)?..)?;
        pending = pending - 1 + header.values();
    }
    Some(bytes)
}
