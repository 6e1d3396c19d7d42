//! One value of a column as a cell, from its bytes.

use super::plain::extent;
use super::{Malformed, OrMalformed, need};
use crate::ext::Timestamp;
use crate::wire::item::{Item, item};
use crate::wire::utf8;
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
    let (item, end) = item(value, 0)?;
    Some(match item {
        Item::Nil => CellValue::Nil,
        Item::Bool(is) => CellValue::Bool(is),
        Item::Int(number) => CellValue::Int(number),
        Item::Uint(number) => CellValue::Large(number),
        Item::Float32(number) => CellValue::Float32(number),
        Item::Float(number) => CellValue::Float(number),
        Item::Str(text) => CellValue::Str(utf8::check(text).ok()?),
        Item::Bin(payload) => CellValue::Bin(payload),
        Item::Ext(kind, payload) => ext(kind, payload),
        Item::Array(count) => CellValue::Array(count, value.get(end..)?),
        Item::Map(count) => CellValue::Map(count.checked_mul(2)?, value.get(end..)?),
    })
}

pub(super) fn unsigned(value: u64) -> CellValue<'static> {
    i64::try_from(value).map_or(CellValue::Large(value), CellValue::Int)
}

pub(super) fn ext(kind: i8, payload: &[u8]) -> CellValue<'_> {
    let time = (kind == Timestamp::EXT_TYPE).then(|| Timestamp::from_payload(payload));
    time.flatten().map_or(CellValue::Ext(payload), CellValue::Time)
}
