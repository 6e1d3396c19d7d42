//! One value of a column as a cell, from its bytes.

use super::plain::extent;
use super::{Malformed, OrMalformed, need};
use crate::ext::Timestamp;
use crate::wire::item::{Item, item};
use crate::wire::utf8;
use alloc::vec::Vec;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "arrow"),
    allow(dead_code, reason = "views have numbers and strings alone")
)]
pub(crate) enum CellValue<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    /// From 2^63 up; from a walk, each integer of a column that has such ones.
    Large(u64),
    Float(f64),
    Float32(f32),
    Str(&'a str),
    Bin(&'a [u8]),
    /// An ext that is not a timestamp, or not read as one yet.
    Ext(i8, &'a [u8]),
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
        let (value, after) = rest.split_at(extent(rest, u32::MAX, &mut open)?.size);
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

fn ext(kind: i8, payload: &[u8]) -> CellValue<'_> {
    let time = (kind == Timestamp::EXT_TYPE).then(|| Timestamp::from_payload(payload));
    time.flatten().map_or(CellValue::Ext(kind, payload), CellValue::Time)
}

/// The unit of timestamps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    per_second: i64,
    nanoseconds: i64,
}

impl Unit {
    pub fn new(digits: u8) -> Unit {
        let per_second = 10_i64.pow(u32::from(digits));
        Unit {
            per_second,
            nanoseconds: 1_000_000_000 / per_second,
        }
    }

    #[inline(always)]
    pub fn timestamp(self, value: i64) -> OrMalformed<Timestamp> {
        let seconds = value.div_euclid(self.per_second);
        let nanoseconds = value.rem_euclid(self.per_second) * self.nanoseconds;
        Timestamp::new(seconds, nanoseconds as u32).ok_or(Malformed)
    }

    /// Returns a timestamp in units, truncated; `None` if they do not fit.
    pub fn count(self, at: Timestamp) -> Option<i64> {
        let whole = i128::from(at.seconds()) * i128::from(self.per_second);
        let part = i64::from(at.nanoseconds()) / self.nanoseconds;
        i64::try_from(whole + i128::from(part)).ok()
    }
}

/// Takes the next string, which ends with a byte 00.
#[inline(always)]
pub(super) fn terminated<'a>(section: &mut &'a str) -> OrMalformed<&'a str> {
    let end = zero_at(section.as_bytes()).ok_or(Malformed)?;
    let (text, rest) = section.split_at_checked(end).ok_or(Malformed)?;
    *section = rest.get(1..).ok_or(Malformed)?;
    Ok(text)
}

/// Returns the index of the first byte 00. Eight bytes at a time take half as long as one at a time.
#[inline(always)]
pub(crate) fn zero_at(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::MAX / 0xff;
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        // The lowest bit that is set belongs to the first byte 00.
        let zeros = word.wrapping_sub(LOW) & !word & (LOW << 7);
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|&byte| byte == 0)?;
    Some(at + rest)
}
