//! One value of a column as a cell, from its bytes.

use super::plain::extent;
use super::{Malformed, OrMalformed, need};
use crate::ext::Timestamp;
use crate::wire::header::Header;
use crate::wire::{marker as m, read, utf8};
use alloc::vec::Vec;

/// A value.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "arrow"),
    allow(dead_code, reason = "views have numbers and strings alone")
)]
pub(crate) enum CellValue<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// From 2^63 up.
    Large(u64),
    Float(f64),
    Float32(f32),
    Str(&'a str),
    Bin(&'a [u8]),
    /// An ext that is not a timestamp.
    Ext(&'a [u8]),
    Time(Timestamp),
    /// How many values are in an array, and in a map with its keys; and their bytes.
    Array(usize, &'a [u8]),
    Map(usize, &'a [u8]),
    /// A row of other columns.
    Row,
}

/// Returns `n` values of MessagePack that are all of the bytes.
pub(crate) fn plain_cells(bytes: &[u8], n: usize) -> OrMalformed<Vec<CellValue<'_>>> {
    let (mut rest, mut cells, mut open) = (bytes, Vec::new(), Vec::new());
    for _ in 0..n {
        let (value, after) = rest.split_at(extent(rest, &mut open)?.size);
        cells.push(cell_of(value).ok_or(Malformed)?);
        rest = after;
    }
    need(rest.is_empty())?;
    Ok(cells)
}

/// Returns the one value of some bytes; `None` for what is not valid.
pub(super) fn cell_of(value: &[u8]) -> Option<CellValue<'_>> {
    let &marker = value.first()?;
    let header = Header::of(marker);
    let number = match header.length {
        0 => header.fixed.into(),
        1 => read::uint::<1>(value, 1)?,
        2 => read::uint::<2>(value, 1)?,
        _ => read::uint::<4>(value, 1)?,
    };
    let rest = value.get(header.len()..)?;
    let int = |bits: u64| Some(CellValue::Int(bits as i64));
    match marker {
        0..=0x7f => int(marker.into()),
        m::NEGATIVE_FIXINT.. => Some(CellValue::Int((marker as i8).into())),
        m::NIL => Some(CellValue::Nil),
        m::FALSE | m::TRUE => Some(CellValue::Bool(marker == m::TRUE)),
        m::UINT8 => int(read::uint::<1>(value, 1)?),
        m::UINT16 => int(read::uint::<2>(value, 1)?),
        m::UINT32 => int(read::uint::<4>(value, 1)?),
        m::UINT64 => Some(unsigned(read::uint::<8>(value, 1)?)),
        m::INT8 => Some(CellValue::Int(read::sign_extend::<1>(read::uint::<1>(
            value, 1,
        )?))),
        m::INT16 => Some(CellValue::Int(read::sign_extend::<2>(read::uint::<2>(
            value, 1,
        )?))),
        m::INT32 => Some(CellValue::Int(read::sign_extend::<4>(read::uint::<4>(
            value, 1,
        )?))),
        m::INT64 => int(read::uint::<8>(value, 1)?),
        m::FLOAT32 => {
            let bits = read::uint::<4>(value, 1)? as u32;
            Some(CellValue::Float32(f32::from_bits(bits)))
        }
        m::FLOAT64 => Some(CellValue::Float(f64::from_bits(read::uint::<8>(value, 1)?))),
        m::FIXSTR..=0xbf | m::STR8..=m::STR32 => utf8::check(rest).ok().map(CellValue::Str),
        m::BIN8..=m::BIN32 => Some(CellValue::Bin(rest)),
        m::FIXMAP..=0x8f | m::MAP16 | m::MAP32 => {
            let values = usize::try_from(number).ok()?.checked_mul(2)?;
            Some(CellValue::Map(values, rest))
        }
        m::FIXARRAY..=0x9f | m::ARRAY16 | m::ARRAY32 => {
            Some(CellValue::Array(usize::try_from(number).ok()?, rest))
        }
        m::RESERVED => None,
        _ => Some(ext(*value.get(header.len() - 1)? as i8, rest)),
    }
}

pub(super) fn unsigned(value: u64) -> CellValue<'static> {
    i64::try_from(value).map_or(CellValue::Large(value), CellValue::Int)
}

pub(super) fn ext(kind: i8, payload: &[u8]) -> CellValue<'_> {
    let time = (kind == Timestamp::EXT_TYPE).then(|| Timestamp::from_payload(payload));
    time.flatten()
        .map_or(CellValue::Ext(payload), CellValue::Time)
}
