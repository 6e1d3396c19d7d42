//! Some rows of an array, in any order: those of the indexes of a dictionary, or those that are asked for.

use super::array::{ArrowField, ColumnArray, Mask, OffsetList, bit, bool_array, bytes_array, view, view_buffers};
use super::raw::SharedBytes;
use super::rows::{range, viewed};
use super::slots::{Slots, malformed};
use super::types::{ArrowType, Offsets};
use crate::error::Result;
use crate::wire::Store;
use alloc::vec::Vec;

/// The index of a row that is null. Unions have no such row.
pub(super) const NULL: usize = usize::MAX;

/// Returns the row of an array of this crate with each index. Arrays nest at most 128 deep, and so does this function.
pub(super) fn take(array: ColumnArray, indexes: &[usize], slots: &mut Slots) -> Result<ColumnArray> {
    slots.take(indexes.len())?;
    let has_value = |row: usize| row != NULL && (array.nulls == 0 || array.is_valid(row) == Some(true));
    let has: Vec<bool> = if indexes.iter().all(|&row| has_value(row)) {
        Vec::new()
    } else {
        indexes.iter().map(|&row| has_value(row)).collect()
    };
    let mask = (!has.is_empty()).then_some(&has[..]);
    let present = || {
        let rows = indexes.iter().enumerate();
        rows.filter(|&(at, _)| has.get(at) != Some(&false)).map(|(_, &row)| row)
    };
    match array.ty {
        ArrowType::Null => Ok(ColumnArray::new(ArrowType::Null, indexes.len())),
        ArrowType::Bool => {
            let bits = present().map(|row| bit(array.buffer(1), row));
            let bits = bits.collect::<Option<Vec<bool>>>();
            Ok(bool_array(bits.ok_or_else(malformed)?, mask))
        }
        ArrowType::Utf8(size) | ArrowType::Binary(size) if size != Offsets::View => {
            let (mut offsets, mut bytes) = (OffsetList::with_capacity(indexes.len()), Vec::new());
            let values = array.buffer(2);
            let begins = array.buffer(1);
            let begin = |row: usize| match size {
                Offsets::Large => element(begins, row).map(i64::from_ne_bytes),
                _ => element(begins, row).map(|of| i32::from_ne_bytes(of).into()),
            };
            for row in present() {
                let place = begin(row).zip(begin(row + 1));
                let value = place.and_then(|(begin, end)| values.get(begin as usize..end as usize));
                bytes.put_with([], value.ok_or_else(malformed)?)?;
                offsets.push(bytes.len());
            }
            let is_text = matches!(array.ty, ArrowType::Utf8(_));
            let bytes = SharedBytes::of(bytes);
            Ok(bytes_array(is_text, offsets, bytes, mask, Some(size)))
        }
        ArrowType::List(size) => lists(array, size, present(), mask, slots),
        ArrowType::Map => lists(array, Offsets::Small, present(), mask, slots),
        ArrowType::Struct => {
            let fields = children(array.children, indexes, slots)?;
            Ok(ColumnArray::of_fields(indexes.len(), fields, mask))
        }
        ArrowType::Union { .. } => {
            let ids = present().map(|row| array.element(0, row).map(i8::from_ne_bytes));
            let offsets = present().map(|row| array.element(1, row).map(i32::from_ne_bytes));
            let ids = ids.collect::<Option<Vec<_>>>().ok_or_else(malformed)?;
            let offsets = offsets.collect::<Option<Vec<_>>>().ok_or_else(malformed)?;
            let buffers = [SharedBytes::of_numbers(ids), SharedBytes::of_numbers(offsets)];
            Ok(ColumnArray {
                len: indexes.len(),
                buffers: buffers.map(Some).into(),
                ..array
            })
        }
        _ => numbers(array, indexes, mask),
    }
}

#[inline(always)]
fn element<const N: usize>(buffer: &[u8], row: usize) -> Option<[u8; N]> {
    let rest = buffer.get(row.checked_mul(N)?..)?;
    rest.first_chunk().copied()
}

/// Takes values of a fixed size: numbers, views, and indexes of a dictionary.
fn numbers(array: ColumnArray, indexes: &[usize], mask: Mask<'_>) -> Result<ColumnArray> {
    macro_rules! taken {
        ($type:ty) => {{
            let (from, mut are_there) = (array.buffer(1), true);
            let value = |&row: &usize| {
                let value = element(from, row);
                are_there &= value.is_some() || row == NULL;
                value.map_or(0, <$type>::from_ne_bytes)
            };
            let values = indexes.iter().map(value).collect();
            if !are_there {
                return Err(malformed());
            }
            SharedBytes::of_numbers::<$type>(values)
        }};
    }
    let values = match array.ty.width() {
        Some(1) => taken!(u8),
        Some(2) => taken!(u16),
        Some(4) => taken!(u32),
        Some(8) => taken!(u64),
        _ => taken!(i128),
    };
    let mut found = ColumnArray::new(array.ty, indexes.len()).with_buffers(mask, [values]);
    found.buffers.extend(array.buffers.into_iter().skip(2));
    found.dictionary = array.dictionary;
    if indexes.len() < array.len && found.buffers.len() > 2 {
        return own_values(found);
    }
    Ok(found)
}

/// Copies the values of views, so that a few of them do not keep the memory of all others.
fn own_values(mut array: ColumnArray) -> Result<ColumnArray> {
    let (mut bytes, mut places) = (Vec::new(), Vec::with_capacity(array.len));
    for row in 0..array.len {
        let begin = bytes.len();
        bytes.extend_from_slice(viewed(&array, row).map_err(|_| malformed())?);
        places.push(begin..bytes.len());
    }
    let views = places.into_iter().map(|place| view(&bytes, place));
    let views = views.collect::<Option<Vec<_>>>().ok_or_else(malformed)?;
    array.buffers.truncate(1);
    let buffers = view_buffers(views, SharedBytes::of(bytes));
    array.buffers.extend(buffers.map(Some));
    Ok(array)
}

fn lists(
    array: ColumnArray,
    size: Offsets,
    rows: impl Iterator<Item = usize>,
    mask: Mask<'_>,
    slots: &mut Slots,
) -> Result<ColumnArray> {
    let (mut offsets, mut items) = (OffsetList::with_capacity(0), Vec::new());
    for row in rows {
        items.extend(range(&array, row, size).map_err(|_| malformed())?);
        offsets.push(items.len());
    }
    let rows = offsets.rows(mask);
    let (buffer, size) = offsets.buffer(mask, Some(size));
    let ty = match array.ty {
        ArrowType::Map => ArrowType::Map,
        _ => ArrowType::List(size),
    };
    let children = children(array.children, &items, slots)?;
    Ok(ColumnArray::new(ty, rows)
        .with_buffers(mask, [buffer])
        .with_children(children))
}

fn children(fields: Vec<ArrowField>, rows: &[usize], slots: &mut Slots) -> Result<Vec<ArrowField>> {
    let fields = fields.into_iter();
    let taken = fields.map(|field| {
        Ok(ArrowField::of(
            &field.name,
            field.nullable,
            take(field.array, rows, slots)?,
        ))
    });
    taken.collect()
}
