//! The rows of arrays as MessagePack.

use super::array::{ColumnArray, bit};
use super::text;
use super::types::{ArrowType, Offsets};
use crate::columns::read::Unit;
use crate::wire::{Store, marker as m};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadRow {
    /// A number of the array says that something is where nothing is.
    Outside,
    /// A string is not UTF-8.
    Utf8,
    /// A date or an instant is beyond all timestamps.
    Time,
}

type Done = Result<(), BadRow>;

/// Appends row `row` of an array. Arrays nest at most 64 deep, and so does this function.
pub(super) fn write_row(array: &ColumnArray, row: usize, out: &mut Vec<u8>) -> Done {
    if row >= array.len {
        return Err(BadRow::Outside);
    }
    let at = array.offset.checked_add(row).ok_or(BadRow::Outside)?;
    if !array.is_valid(at).ok_or(BadRow::Outside)? {
        out.push(m::NIL);
        return Ok(());
    }
    if let Some(entries) = &array.dictionary {
        let index = usize::try_from(int(array, at)?).map_err(|_| BadRow::Outside)?;
        return write_row(entries, index, out);
    }
    let child = |index: usize| array.children.get(index).ok_or(BadRow::Outside);
    match &array.ty {
        ArrowType::Null => {
            out.push(m::NIL);
            Ok(())
        }
        ArrowType::Bool => {
            let is = bit(array.buffer(1), at).ok_or(BadRow::Outside)?;
            out.push(if is { m::TRUE } else { m::FALSE });
            Ok(())
        }
        ArrowType::Int { .. } => {
            let value = int(array, at)?;
            put(match u64::try_from(value) {
                Ok(value) => out.put_uint(value),
                Err(_) => out.put_negative(value as i64),
            })
        }
        ArrowType::Float(2) => {
            let bits = u16::from_ne_bytes(array.element(1, at).ok_or(BadRow::Outside)?);
            put(out.put_f32(widened(bits)))
        }
        ArrowType::Float(4) => put(out.put_f32(u32::from_ne_bytes(array.element(1, at).ok_or(BadRow::Outside)?))),
        ArrowType::Float(_) => put(out.put_f64(u64::from_ne_bytes(array.element(1, at).ok_or(BadRow::Outside)?))),
        ArrowType::Utf8(size) => {
            let text = bytes(array, at, *size)?;
            core::str::from_utf8(text).map_err(|_| BadRow::Utf8)?;
            put(out.put_str(text))
        }
        ArrowType::Binary(size) => put(out.put_bin(bytes(array, at, *size)?)),
        ArrowType::FixedBinary(size) => {
            let begin = at.checked_mul(*size).ok_or(BadRow::Outside)?;
            let range = begin..begin.checked_add(*size).ok_or(BadRow::Outside)?;
            put(out.put_bin(array.buffer(1).get(range).ok_or(BadRow::Outside)?))
        }
        ArrowType::Decimal { scale, bytes, .. } => put_text(text::decimal(array, at, *bytes, *scale), out),
        ArrowType::Date(4) => put_text(text::date(long(array, at, 4)?), out),
        ArrowType::Date(_) => put_text(text::date(long(array, at, 8)?.div_euclid(86_400_000)), out),
        ArrowType::Time(digits) => {
            let width = array.ty.width().unwrap_or(8);
            put_text(Some(text::time(long(array, at, width)?, *digits)), out)
        }
        ArrowType::Duration(digits) => put_text(Some(text::duration(long(array, at, 8)?, *digits)), out),
        ArrowType::Instant(digits) => {
            let time = Unit::new(*digits).timestamp(long(array, at, 8)?);
            let time = time.map_err(|_| BadRow::Time)?;
            put(time.put_into(out))
        }
        ArrowType::List(size) => write_items(&child(0)?.array, range(array, at, *size)?, out),
        ArrowType::ListView(size) => {
            let (begin, len) = (offset(array, 1, at, *size)?, offset(array, 2, at, *size)?);
            let end = begin.checked_add(len).ok_or(BadRow::Outside)?;
            write_items(&child(0)?.array, begin..end, out)
        }
        ArrowType::FixedList(size) => {
            let begin = at.checked_mul(*size).ok_or(BadRow::Outside)?;
            let end = begin.checked_add(*size).ok_or(BadRow::Outside)?;
            write_items(&child(0)?.array, begin..end, out)
        }
        ArrowType::Struct => {
            put(out.put_map(array.children.len()))?;
            for field in &array.children {
                let name = field.name.to_str().map_err(|_| BadRow::Utf8)?;
                put(out.put_str(name.as_bytes()))?;
                write_row(&field.array, at, out)?;
            }
            Ok(())
        }
        ArrowType::Map => {
            let entries = range(array, at, Offsets::Small)?;
            let rows = &child(0)?.array;
            let [keys, values] = &rows.children[..] else {
                return Err(BadRow::Outside);
            };
            put(out.put_map(entries.len()))?;
            for entry in entries {
                let entry = rows.offset.checked_add(entry).ok_or(BadRow::Outside)?;
                write_row(&keys.array, entry, out)?;
                write_row(&values.array, entry, out)?;
            }
            Ok(())
        }
        ArrowType::Union { dense, ids } => {
            let [id] = array.element(0, at).ok_or(BadRow::Outside)?;
            let branch = ids.iter().position(|&known| known == id as i8);
            let branch = child(branch.ok_or(BadRow::Outside)?)?;
            let row = if *dense {
                offset(array, 1, at, Offsets::Small)?
            } else {
                at
            };
            write_row(&branch.array, row, out)
        }
        ArrowType::RunEnds => {
            let (ends, values) = (&child(0)?.array, &child(1)?.array);
            // The run of a row is the first one that ends after it.
            let (mut low, mut high) = (0, ends.len);
            while low < high {
                let middle = low + (high - low) / 2;
                let end = int(ends, ends.offset.checked_add(middle).ok_or(BadRow::Outside)?)?;
                if end > at as i128 {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            write_row(values, low, out)
        }
    }
}

fn write_items(items: &ColumnArray, rows: Range<usize>, out: &mut Vec<u8>) -> Done {
    // Nothing is written for a count that the items do not have.
    if rows.start > rows.end || rows.end > items.len {
        return Err(BadRow::Outside);
    }
    put(out.put_array(rows.len()))?;
    for row in rows {
        write_row(items, row, out)?;
    }
    Ok(())
}

/// Writing into memory fails for a length from 4 GiB up.
fn put(written: crate::error::Result<()>) -> Done {
    written.map_err(|_| BadRow::Outside)
}

fn put_text(text: Option<String>, out: &mut Vec<u8>) -> Done {
    let text = text.ok_or(BadRow::Time)?;
    put(out.put_str(text.as_bytes()))
}

/// Returns an integer of any type.
#[inline]
pub(super) fn int(array: &ColumnArray, at: usize) -> Result<i128, BadRow> {
    let ArrowType::Int { bytes, signed } = array.ty else {
        return Err(BadRow::Outside);
    };
    let value = long(array, at, bytes)?;
    Ok(if signed {
        value.into()
    } else {
        // Zeros take the place of the sign.
        let spare = 64 - 8 * bytes as u32;
        (value as u64 & (u64::MAX >> spare)).into()
    })
}

/// Returns a signed number of 1, 2, 4 or 8 bytes.
#[inline]
fn long(array: &ColumnArray, at: usize, bytes: usize) -> Result<i64, BadRow> {
    let value = match bytes {
        1 => array.element(1, at).map(|e| i8::from_ne_bytes(e).into()),
        2 => array.element(1, at).map(|e| i16::from_ne_bytes(e).into()),
        4 => array.element(1, at).map(|e| i32::from_ne_bytes(e).into()),
        _ => array.element(1, at).map(i64::from_ne_bytes),
    };
    value.ok_or(BadRow::Outside)
}

/// Returns an offset or a size of a buffer.
fn offset(array: &ColumnArray, buffer: usize, at: usize, size: Offsets) -> Result<usize, BadRow> {
    let value = if size == Offsets::Large {
        array.element(buffer, at).map(i64::from_ne_bytes)
    } else {
        let value = array.element(buffer, at).map(i32::from_ne_bytes);
        value.map(i64::from)
    };
    let value = value.and_then(|value| usize::try_from(value).ok());
    value.ok_or(BadRow::Outside)
}

pub(super) fn range(array: &ColumnArray, at: usize, size: Offsets) -> Result<Range<usize>, BadRow> {
    let range = offset(array, 1, at, size)?..offset(array, 1, at + 1, size)?;
    if range.start > range.end {
        return Err(BadRow::Outside);
    }
    Ok(range)
}

fn bytes(array: &ColumnArray, at: usize, size: Offsets) -> Result<&[u8], BadRow> {
    if size != Offsets::View {
        let range = range(array, at, size)?;
        return array.buffer(2).get(range).ok_or(BadRow::Outside);
    }
    viewed(array, at)
}

pub(super) fn viewed(array: &ColumnArray, at: usize) -> Result<&[u8], BadRow> {
    // A length; then up to 12 bytes, or 4 of them, the number of a buffer, and the place in it.
    let view = at.checked_mul(16).and_then(|at| array.buffer(1).get(at..));
    let view = view.and_then(<[u8]>::first_chunk::<16>).ok_or(BadRow::Outside)?;
    let word = |at: usize| {
        let word = view[at..].first_chunk().copied().unwrap_or_default();
        usize::try_from(i32::from_ne_bytes(word)).map_err(|_| BadRow::Outside)
    };
    let len = word(0)?;
    if len <= 12 {
        let begin = at * 16 + 4;
        return array.buffer(1).get(begin..begin + len).ok_or(BadRow::Outside);
    }
    let (buffer, begin) = (word(8)?, word(12)?);
    let buffer = buffer.checked_add(2).ok_or(BadRow::Outside)?;
    let end = begin.checked_add(len).ok_or(BadRow::Outside)?;
    array.buffer(buffer).get(begin..end).ok_or(BadRow::Outside)
}

/// Returns the bits of a float 16 as those of a float 32, which holds it exactly.
fn widened(bits: u16) -> u32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10 & 31), u32::from(bits & 0x3ff));
    sign | match (exponent, fraction) {
        (0, 0) => 0,
        // The highest bit that is set becomes the hidden one.
        (0, _) => {
            let shift = fraction.leading_zeros() - 21;
            (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13
        }
        (31, _) => 0xff << 23 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    }
}

#[cfg(test)]
mod tests {
    use super::super::raw::SharedBytes;
    use super::*;

    #[test]
    fn float_16_is_exact_as_float_32() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65_504.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555_e-5),
            (0x0400, 6.103_515_6e-5),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(f32::from_bits(widened(bits)), value, "{bits:04x}");
        }
        assert_eq!(widened(0x8000), 0x8000_0000);
        assert!(f32::from_bits(widened(0x7e00)).is_nan());
    }

    #[test]
    fn what_is_outside_is_an_error() {
        let offsets = SharedBytes::of([0_i32, 5, 2].map(i32::to_ne_bytes).concat());
        let bytes = SharedBytes::of(*b"abc");
        let array = ColumnArray::new(ArrowType::Utf8(Offsets::Small), 2).with_buffers(None, [offsets, bytes]);
        for row in 0..3 {
            let written = write_row(&array, row, &mut Vec::new());
            assert_eq!(written, Err(BadRow::Outside), "{row}");
        }
    }
}
