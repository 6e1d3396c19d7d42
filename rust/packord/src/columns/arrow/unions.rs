//! Columns with values of several types.

use super::array::{ArrowField, ColumnArray, number_array};
use super::raw::SharedBytes;
use super::rows::int;
use super::slots::{Slots, malformed};
use super::types::ArrowType;
use crate::error::Result;
use alloc::string::ToString;
use alloc::vec::Vec;

/// The tag of a row that is null.
pub(super) const NONE: u8 = u8::MAX;

/// Returns an array in which each row is the next value of the branch with its tag: doubles where these
/// are exact for all values, else a dense union. A union has no bitmap, so null is a branch of its own.
pub(super) fn union_array(branches: Vec<ColumnArray>, tags: &[u8], slots: &mut Slots) -> Result<ColumnArray> {
    slots.take(tags.len())?;
    let has_nulls = tags.contains(&NONE);
    if let Some(values) = doubles(&branches, tags) {
        let mask: Vec<bool> = tags.iter().map(|&tag| tag != NONE).collect();
        let mask = has_nulls.then_some(&mask[..]);
        return Ok(number_array(ArrowType::Float(8), values, mask));
    }
    let none = branches.len();
    let mut next = alloc::vec![0_i32; none + 1];
    let mut offsets = Vec::with_capacity(tags.len());
    let mut ids = Vec::with_capacity(tags.len());
    for &tag in tags {
        let branch = if tag == NONE { none } else { tag.into() };
        let place = next.get_mut(branch).ok_or_else(malformed)?;
        offsets.push(*place);
        *place = place.checked_add(1).ok_or_else(malformed)?;
        ids.push(branch as i8);
    }
    let nulls = next[none] as usize;
    let nulls = has_nulls.then(|| ColumnArray::new(ArrowType::Null, nulls));
    let children: Vec<ArrowField> = branches
        .into_iter()
        .chain(nulls)
        .enumerate()
        .filter_map(|(id, array)| ArrowField::new(&id.to_string(), array))
        .collect();
    let ids_of_children = (0..children.len()).map(|id| id as i8).collect();
    let (dense, own) = (true, ids_of_children);
    let mut array = ColumnArray::new(ArrowType::Union { dense, ids: own }, tags.len());
    array.buffers = [SharedBytes::of_numbers(ids), SharedBytes::of_numbers(offsets)]
        .map(Some)
        .into();
    Ok(array.with_children(children))
}

/// Returns the numbers of all branches in the order of the rows, if some are floats and all are exact as
/// floats of 64 bits.
fn doubles(branches: &[ColumnArray], tags: &[u8]) -> Option<Vec<f64>> {
    let is_float = |array: &ColumnArray| matches!(array.ty, ArrowType::Float(4 | 8));
    if !branches.iter().any(is_float) {
        return None;
    }
    let all: Option<Vec<Vec<f64>>> = branches.iter().map(floats_of).collect();
    let mut all: Vec<_> = all?.into_iter().map(Vec::into_iter).collect();
    let own = tags.iter().filter(|&&tag| tag != NONE);
    own.map(|&tag| all.get_mut(usize::from(tag))?.next()).collect()
}

/// Returns the numbers of an array as floats, if they are exact and none is null.
fn floats_of(array: &ColumnArray) -> Option<Vec<f64>> {
    if array.nulls > 0 || array.dictionary.is_some() {
        return None;
    }
    let exact = |value: i128| {
        let float = value as f64;
        (float as i128 == value).then_some(float)
    };
    (0..array.len)
        .map(|row| match array.ty {
            ArrowType::Float(4) => Some(f32::from_ne_bytes(array.element(1, row)?).into()),
            ArrowType::Float(8) => array.element(1, row).map(f64::from_ne_bytes),
            ArrowType::Int { .. } => exact(int(array, row).ok()?),
            _ => None,
        })
        .collect()
}
