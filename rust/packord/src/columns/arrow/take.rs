//! Rows of a struct that few different maps make up. Many programs have no dictionary of structs, so the
//! columns are made whole; those of strings and lists are dictionaries then.

use super::array::{ArrowField, ColumnArray, bit, bool_array, number_array};
use super::raw::SharedBytes;
use super::slots::{Slots, malformed};
use super::types::ArrowType;
use crate::error::Result;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Returns the entry with each index, and null without one. Structs nest at most 128 deep, and so does
/// this function.
pub(super) fn rows_of_entries(
    entries: ColumnArray,
    indexes: &[Option<usize>],
    slots: &mut Slots,
) -> Result<ColumnArray> {
    slots.take(indexes.len())?;
    let is_valid = |at: &Option<usize>| at.is_some_and(|at| entries.is_valid(at) == Some(true));
    let valid: Vec<bool> = indexes.iter().map(is_valid).collect();
    let mask = valid.contains(&false).then_some(&valid[..]);
    let present = || indexes.iter().zip(&valid).filter(|&(_, &valid)| valid);
    let found = match (&entries.ty, entries.ty.width()) {
        (ArrowType::Null, _) => ColumnArray::new(ArrowType::Null, indexes.len()),
        (ArrowType::Bool, _) => {
            let bits = entries.buffer(1);
            let bits = present().map(|(at, _)| at.and_then(|at| bit(bits, at)));
            let bits: Option<Vec<bool>> = bits.collect();
            bool_array(&bits.ok_or_else(malformed)?, mask)
        }
        (ArrowType::Struct, _) => {
            let mut fields = Vec::with_capacity(entries.children.len());
            // A row that is null is null in each column.
            let rows = indexes.iter().zip(&valid);
            let rows: Vec<_> = rows.map(|(&at, &valid)| at.filter(|_| valid)).collect();
            for field in entries.children {
                fields.push(ArrowField {
                    array: rows_of_entries(field.array, &rows, slots)?,
                    ..field
                });
            }
            ColumnArray::new(ArrowType::Struct, indexes.len())
                .with_buffers(mask, [])
                .with_children(fields)
        }
        (ty, Some(width)) => {
            let values = entries.buffer(1);
            let taken = SharedBytes::aligned(indexes.len() * width, |out| {
                for (at, place) in indexes.iter().zip(out.chunks_exact_mut(width)) {
                    let value = at.and_then(|at| values.get(at * width..)?.get(..width));
                    if let Some(value) = value {
                        place.copy_from_slice(value);
                    }
                }
            });
            let mut found = ColumnArray::new(ty.clone(), indexes.len()).with_buffers(mask, [taken]);
            found.dictionary = entries.dictionary;
            found
        }
        _ => {
            let present = present().map(|(at, _)| i32::try_from(at.unwrap_or(0)));
            let present = present.collect::<core::result::Result<Vec<i32>, _>>();
            let present = present.map_err(|_| malformed())?;
            let (bytes, signed) = (4, true);
            let mut found = number_array(ArrowType::Int { bytes, signed }, &present, mask);
            found.dictionary = Some(Box::new(entries));
            found
        }
    };
    Ok(found)
}
