//! Values of plain MessagePack one by one, as they are in bytes that are known to be well-formed.

use super::marker::*;
use super::skip::header;

/// A value, or the beginning of a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// Above all that is an [`Item::Int`].
    Uint(u64),
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

/// The value at `at`, and where it ends, or the header of a container does; `None` where the bytes are not
/// well-formed.
#[inline]
pub fn item(bytes: &[u8], at: usize) -> Option<(Item<'_>, usize)> {
    let marker = *bytes.get(at)?;
    let number = |size: usize| -> Option<u64> {
        let digits = bytes.get(at + 1..at + 1 + size)?;
        Some((digits.iter()).fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let fixed = match marker {
        0..=LAST_FIXINT => Item::Int(marker.into()),
        FIXMAP..=LAST_FIXMAP => Item::Map((marker & FIX_COUNT).into()),
        FIXARRAY..=LAST_FIXARRAY => Item::Array((marker & FIX_COUNT).into()),
        NIL => Item::Nil,
        FALSE => Item::Bool(false),
        TRUE => Item::Bool(true),
        0xe0.. => Item::Int((marker as i8).into()),
        _ => return sized(bytes, at, marker, number),
    };
    Some((fixed, at + 1))
}

#[inline]
fn sized(
    bytes: &[u8],
    at: usize,
    marker: u8,
    number: impl Fn(usize) -> Option<u64>,
) -> Option<(Item<'_>, usize)> {
    let end = header(bytes, at)?.end;
    // The payload of a str, bin or ext, whose length takes `size` bytes.
    let payload = |size: usize| bytes.get(at + 1 + size..end);
    let item = match marker {
        FIXSTR..=LAST_FIXSTR => Item::Str(payload(0)?),
        STR8..=STR32 => Item::Str(payload(1 << (marker - STR8))?),
        BIN8..=BIN32 => Item::Bin(payload(1 << (marker - BIN8))?),
        FIXEXT1..=FIXEXT16 => ext(payload(0)?)?,
        EXT8..=EXT32 => ext(payload(1 << (marker - EXT8))?)?,
        UINT8..=UINT64 => {
            let number = number(1 << (marker - UINT8))?;
            i64::try_from(number).map_or(Item::Uint(number), Item::Int)
        }
        INT8 => Item::Int((number(1)? as i8).into()),
        INT16 => Item::Int((number(2)? as i16).into()),
        INT32 => Item::Int((number(4)? as i32).into()),
        INT64 => Item::Int(number(8)? as i64),
        FLOAT32 => Item::Float(f32::from_bits(number(4)? as u32).into()),
        FLOAT64 => Item::Float(f64::from_bits(number(8)?)),
        ARRAY16 => Item::Array(number(2)? as usize),
        ARRAY32 => Item::Array(number(4)? as usize),
        MAP16 => Item::Map(number(2)? as usize),
        MAP32 => Item::Map(number(4)? as usize),
        _ => return None,
    };
    Some((item, end))
}

fn ext(bytes: &[u8]) -> Option<Item<'_>> {
    let (&code, payload) = bytes.split_first()?;
    Some(Item::Ext(code as i8, payload))
}
