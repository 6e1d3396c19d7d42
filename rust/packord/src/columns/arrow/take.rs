//! Some rows of an array, in any order: those of the indexes of a dictionary, or those that are asked for.

use super::array::{
    ArrowField, ColumnArray, Mask, OffsetList, bit, bool_array, bytes_array, number_array,
};
use super::raw::SharedBytes;
use super::rows::range;
use super::slots::{Slots, malformed};
use super::types::{ArrowType, Offsets};
use crate::error::Result;
use alloc::vec::Vec;

/// The index of a row that is null. Unions have no such row.
pub(super) const NULL: usize = usize::MAX;

/// Returns the row of an array of this crate with each index. Arrays nest at most 128 deep, and so does this function.
pub(super) fn take(
    array: ColumnArray,
    indexes: &[usize],
    slots: &mut Slots,
) -> Result<ColumnArray> {
    slots.take(indexes.len())?;
    let has_value = |&row: &usize| row != NULL && array.is_valid(row) == Some(true);
    let has: Vec<bool> = indexes.iter().map(has_value).collect();
    let mask = has.contains(&false).then_some(&has[..]);
    let present = || {
        let rows = indexes.iter().zip(&has);
        rows.filter(|&(_, &has)| has).map(|(&row, _)| row)
    };
    match array.ty {
        ArrowType::Null => Ok(ColumnArray::new(ArrowType::Null, indexes.len())),
        ArrowType::Bool => {
            let bits = present().map(|row| bit(array.buffer(1), row));
            let bits = bits.collect::<Option<Vec<bool>>>();
            Ok(bool_array(bits.ok_or_else(malformed)?, mask))
        }
        ArrowType::Utf8(size) | ArrowType::Binary(size) => {
            let (mut offsets, mut bytes) = (OffsetList::with_capacity(indexes.len()), Vec::new());
            for row in present() {
                let range = range(&array, row, size).map_err(|_| malformed())?;
                bytes.extend_from_slice(array.buffer(2).get(range).ok_or_else(malformed)?);
                offsets.push(bytes.len());
            }
            let is_text = matches!(array.ty, ArrowType::Utf8(_));
            Ok(bytes_array(is_text, &offsets, SharedBytes::of(bytes), mask))
        }
        ArrowType::List(size) => lists(array, size, present(), mask, slots),
        ArrowType::Map => lists(array, Offsets::Small, present(), mask, slots),
        ArrowType::Struct => {
            let children = array.children.into_iter();
            let fields = children.map(|field| {
                Ok(ArrowField {
                    array: take(field.array, indexes, slots)?,
                    ..field
                })
            });
            let fields = fields.collect::<Result<Vec<_>>>()?;
            Ok(ColumnArray::new(ArrowType::Struct, indexes.len())
                .with_buffers(mask, [])
                .with_children(fields))
        }
        ArrowType::Union { .. } => {
            let ids = present().map(|row| array.element(0, row).map(i8::from_ne_bytes));
            let offsets = present().map(|row| array.element(1, row).map(i32::from_ne_bytes));
            let ids = ids.collect::<Option<Vec<_>>>().ok_or_else(malformed)?;
            let offsets = offsets.collect::<Option<Vec<_>>>().ok_or_else(malformed)?;
            let buffers = [
                SharedBytes::of_numbers(ids),
                SharedBytes::of_numbers(offsets),
            ];
            Ok(ColumnArray {
                len: indexes.len(),
                buffers: buffers.map(Some).into(),
                ..array
            })
        }
        _ => numbers(array, present(), mask),
    }
}

fn numbers(
    array: ColumnArray,
    rows: impl Iterator<Item = usize>,
    mask: Mask<'_>,
) -> Result<ColumnArray> {
    macro_rules! taken {
        ($type:ty) => {{
            let values = rows.map(|row| array.element(1, row).map(<$type>::from_ne_bytes));
            let values = values.collect::<Option<Vec<$type>>>();
            number_array(array.ty, values.ok_or_else(malformed)?, mask)
        }};
    }
    let mut found = match array.ty.width() {
        Some(1) => taken!(u8),
        Some(2) => taken!(u16),
        Some(4) => taken!(u32),
        Some(8) => taken!(u64),
        _ => taken!(i128),
    };
    found.dictionary = array.dictionary;
    Ok(found)
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
    let (buffer, size) = offsets.buffer(mask);
    let ty = match array.ty {
        ArrowType::Map => ArrowType::Map,
        _ => ArrowType::List(size),
    };
    let children = array.children.into_iter().map(|field| {
        Ok(ArrowField {
            array: take(field.array, &items, slots)?,
            ..field
        })
    });
    let children = children.collect::<Result<Vec<_>>>()?;
    Ok(ColumnArray::new(ty, offsets.rows(mask))
        .with_buffers(mask, [buffer])
        .with_children(children))
}
