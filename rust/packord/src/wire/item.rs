//! Values of plain MessagePack one by one, as they are in bytes that are known to be well-formed.

use super::header::HEADERS;
use super::{marker as m, read};

/// A value, or the beginning of a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Item<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// Above all that is an [`Item::Int`].
    Uint(u64),
    Float32(f32),
    Float(f64),
    /// UTF-8, if the bytes are valid.
    Str(&'a [u8]),
    Bin(&'a [u8]),
    Ext(i8, &'a [u8]),
    /// How many elements follow.
    Array(usize),
    /// How many entries follow.
    Map(usize),
}

/// Returns the value at `at` and where it ends, or the header of a container does; `None` where the bytes are not
/// well-formed.
#[inline]
pub(crate) fn item(bytes: &[u8], at: usize) -> Option<(Item<'_>, usize)> {
    let marker = *bytes.get(at)?;
    let fixed = match marker {
        0..=0x7f => Item::Int(marker.into()),
        m::FIXMAP..=0x8f => Item::Map((marker & 0x0f).into()),
        m::FIXARRAY..=0x9f => Item::Array((marker & 0x0f).into()),
        m::FIXSTR..=0xbf => {
            // Most keys.
            let end = at + 1 + usize::from(marker & 0x1f);
            return Some((Item::Str(bytes.get(at + 1..end)?), end));
        }
        m::NIL => Item::Nil,
        m::FALSE | m::TRUE => Item::Bool(marker == m::TRUE),
        m::NEGATIVE_FIXINT.. => Item::Int((marker as i8).into()),
        _ => return sized(bytes, at, marker),
    };
    Some((fixed, at + 1))
}

#[inline]
fn sized(bytes: &[u8], at: usize, marker: u8) -> Option<(Item<'_>, usize)> {
    let header = HEADERS[usize::from(marker)];
    let number = |size: u8| match size {
        1 => read::uint::<1>(bytes, at + 1),
        2 => read::uint::<2>(bytes, at + 1),
        4 => read::uint::<4>(bytes, at + 1),
        _ => read::uint::<8>(bytes, at + 1),
    };
    let size = usize::try_from(header.number(bytes, at)?).ok()?;
    let begin = at + header.len();
    if header.values > 0 {
        let item = match header.values {
            1 => Item::Array(size),
            _ => Item::Map(size),
        };
        return Some((item, begin));
    }
    let end = begin.checked_add(size)?;
    let payload = bytes.get(begin..end)?;
    let item = match marker {
        m::STR8..=m::STR32 => Item::Str(payload),
        m::BIN8..=m::BIN32 => Item::Bin(payload),
        m::UINT8..=m::UINT64 => {
            let number = number(header.fixed)?;
            i64::try_from(number).map_or(Item::Uint(number), Item::Int)
        }
        m::INT8..=m::INT64 => {
            // The sign is the highest bit that is there.
            let spare = 64 - 8 * u32::from(header.fixed);
            Item::Int((number(header.fixed)? << spare) as i64 >> spare)
        }
        m::FLOAT32 => Item::Float32(f32::from_bits(number(4)? as u32)),
        m::FLOAT64 => Item::Float(f64::from_bits(number(8)?)),
        _ if header.ext > 0 => Item::Ext(bytes[begin - 1] as i8, payload),
        _ => return None,
    };
    Some((item, end))
}

/// Returns where the value at `at`, with all that is in it, ends; `None` if it is cut off. Takes no stack.
#[cfg(any(feature = "columns", feature = "serde"))]
#[inline]
#[must_use]
pub fn skip(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut left = 1_usize;
    loop {
        let header = HEADERS[usize::from(*bytes.get(at)?)];
        // Most values need no number.
        let size = match header.length {
            0 => usize::from(header.fixed),
            _ => usize::try_from(header.number(bytes, at)?).ok()?,
        };
        at += header.len();
        left -= 1;
        if header.values > 0 {
            left = left.checked_add(size.checked_mul(header.values.into())?)?;
        } else {
            at = at.checked_add(size)?;
        }
        if left == 0 {
            return (at <= bytes.len()).then_some(at);
        }
    }
}
