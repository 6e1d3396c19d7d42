//! Values of MessagePack, one after another, as an array: of one type, or as a union of several.

use super::array::{
    ArrowField, ColumnArray, Mask, OffsetList, bool_array, bytes_array, integer_array, list_array, map_array,
    number_array,
};
use super::raw::SharedBytes;
use super::slots::{Slots, malformed};
use super::types::ArrowType;
use super::unions::{NONE, union_array};
use crate::columns::read::{CellValue, Unit, plain_cells};
use crate::error::{Error, ErrorKind, Result};
use crate::ext::Timestamp;
use crate::read::check_depth;
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::HashMap;

/// How deep values nest: readers of Arrow refuse types that nest deeper.
const MAX_NESTED: u32 = 60;

/// Returns the place of a type in the order of branches.
fn class(cell: &CellValue<'_>) -> usize {
    match cell {
        CellValue::Nil | CellValue::Row => 0,
        CellValue::Bool(_) => 1,
        CellValue::Int(_) | CellValue::Large(_) => 2,
        CellValue::Float(_) | CellValue::Float32(_) => 3,
        CellValue::Str(_) => 4,
        CellValue::Bin(_) | CellValue::Ext(..) => 5,
        CellValue::Time(_) => 6,
        CellValue::Array(..) => 7,
        CellValue::Map(..) => 8,
    }
}

const CLASSES: usize = 9;

/// Returns the values as an array, one for each row of the mask that has one. `nested`: how many arrays there are with
/// those around it.
pub(super) fn array_of(
    items: &[CellValue<'_>],
    mask: Mask<'_>,
    slots: &mut Slots,
    nested: usize,
) -> Result<ColumnArray> {
    let rows = mask.map_or(items.len(), <[bool]>::len);
    check_depth(nested as u64, MAX_NESTED).map_err(Error::new)?;
    let mut present = [false; CLASSES];
    for item in items {
        present[class(item)] = true;
    }
    let classes: Vec<usize> = (1..CLASSES).filter(|&class| present[class]).collect();
    if classes.is_empty() && (present[0] || mask.is_none()) {
        slots.take(rows)?;
        return Ok(ColumnArray::new(ArrowType::Null, rows));
    }
    if !present[0] && classes.len() <= 1 {
        return array_of_class(items, mask, slots, nested);
    }

    // The branch of each row, of nulls none.
    let mut next = items.iter();
    let mut tag = |has: bool| {
        let of = if has { next.next().map_or(0, class) } else { 0 };
        let branch = classes.iter().position(|&own| own == of);
        branch.map_or(NONE, |branch| branch as u8)
    };
    let tags: Vec<u8> = match mask {
        Some(mask) => mask.iter().map(|&has| tag(has)).collect(),
        None => items.iter().map(|_| tag(true)).collect(),
    };
    let own = |of: usize| -> Vec<CellValue<'_>> {
        let own = items.iter().filter(|item| class(item) == of);
        own.copied().collect()
    };
    if let [class] = classes[..] {
        let mask: Vec<bool> = tags.iter().map(|&tag| tag != NONE).collect();
        return array_of_class(&own(class), Some(&mask), slots, nested);
    }
    let branches = classes.iter();
    let branches = branches.map(|&class| array_of_class(&own(class), None, slots, nested));
    let branches = branches.collect::<Result<Vec<_>>>()?;
    union_array(branches, &tags, slots)
}

/// Picks what the items have; all are of one type.
macro_rules! all {
    ($items:expr, $pattern:pat => $value:expr) => {
        $items
            .iter()
            .filter_map(|item| match *item {
                $pattern => Some($value),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
}

fn array_of_class(items: &[CellValue<'_>], mask: Mask<'_>, slots: &mut Slots, nested: usize) -> Result<ColumnArray> {
    slots.take(mask.map_or(items.len(), <[bool]>::len))?;
    match items.first() {
        None | Some(CellValue::Nil | CellValue::Row) => {
            let rows = mask.map_or(items.len(), <[bool]>::len);
            Ok(ColumnArray::new(ArrowType::Null, rows))
        }
        Some(CellValue::Bool(_)) => Ok(bool_array(all!(items, CellValue::Bool(is) => is), mask)),
        Some(CellValue::Int(_) | CellValue::Large(_)) => Ok(integers(items, mask)),
        Some(CellValue::Float(_) | CellValue::Float32(_)) => {
            let value = |item: &CellValue<'_>| match *item {
                CellValue::Float32(value) => value.into(),
                CellValue::Float(value) => value,
                _ => 0.0,
            };
            let values = items.iter().map(value).collect();
            Ok(number_array(ArrowType::Float(8), values, mask))
        }
        Some(CellValue::Str(_)) => texts(&all!(items, CellValue::Str(text) => text.as_bytes()), true, mask),
        Some(CellValue::Bin(_) | CellValue::Ext(..)) => {
            let bytes = all!(items, CellValue::Bin(bytes) | CellValue::Ext(_, bytes) => bytes);
            texts(&bytes, false, mask)
        }
        Some(CellValue::Time(_)) => times(&all!(items, CellValue::Time(at) => at), mask),
        Some(CellValue::Array(..)) => {
            let lists = all!(items, CellValue::Array(count, bytes) => (count, bytes));
            let offsets = OffsetList::of(lists.iter().map(|&(count, _)| count));
            let offsets = offsets.ok_or_else(malformed)?;
            let inner = array_of(&inner(&lists)?, None, slots, nested + 1)?;
            Ok(list_array(offsets, inner, mask))
        }
        Some(CellValue::Map(..)) => {
            let maps = all!(items, CellValue::Map(count, bytes) => (count, bytes));
            maps_array(&maps, mask, slots, nested)
        }
    }
}

/// Returns integers of 64 bits where these hold all, with or without a sign; else decimals of 20 digits.
fn integers(items: &[CellValue<'_>], mask: Mask<'_>) -> ColumnArray {
    let large = items.iter().filter(|item| matches!(item, CellValue::Large(_)));
    if large.count() == 0 {
        return integer_array(all!(items, CellValue::Int(value) => value), mask);
    }
    let value = |item: &CellValue<'_>| match *item {
        CellValue::Large(value) => value.into(),
        CellValue::Int(value) => value.into(),
        _ => 0,
    };
    let values: Vec<i128> = items.iter().map(value).collect();
    if values.iter().all(|&value| value >= 0) {
        let (bytes, signed) = (8, false);
        let values = values.into_iter().map(|value| value as u64);
        return number_array(ArrowType::Int { bytes, signed }, values.collect(), mask);
    }
    let ty = ArrowType::Decimal {
        precision: 20,
        scale: 0,
        bytes: 16,
    };
    number_array(ty, values, mask)
}

fn inner<'a>(containers: &[(usize, &'a [u8])]) -> Result<Vec<CellValue<'a>>> {
    let mut found = Vec::new();
    for &(count, bytes) in containers {
        found.append(&mut plain_cells(bytes, count)?);
    }
    Ok(found)
}

fn texts(parts: &[&[u8]], is_text: bool, mask: Mask<'_>) -> Result<ColumnArray> {
    let offsets = OffsetList::of(parts.iter().map(|part| part.len()));
    let offsets = offsets.ok_or_else(malformed)?;
    let bytes = SharedBytes::of(parts.concat());
    Ok(bytes_array(is_text, offsets, bytes, mask, None))
}

/// Instants in milliseconds if that is exact, else in nanoseconds. Those beyond 64 bits have no type.
fn times(values: &[Timestamp], mask: Mask<'_>) -> Result<ColumnArray> {
    let is_coarse = values.iter().all(|at| at.nanoseconds() % 1_000_000 == 0);
    let digits = if is_coarse { 3 } else { 9 };
    let unit = Unit::new(digits);
    let units = values.iter().map(|&at| unit.count(at));
    let units = units.collect::<Option<Vec<i64>>>().ok_or_else(|| {
        let detail = "Arrow has no timestamp so far from 1970";
        Error::new(ErrorKind::OutOfRange).with_detail(detail)
    })?;
    Ok(number_array(ArrowType::Instant(digits), units, mask))
}

fn maps_array(maps: &[(usize, &[u8])], mask: Mask<'_>, slots: &mut Slots, nested: usize) -> Result<ColumnArray> {
    let items = inner(maps)?;
    let rows = mask.map_or(maps.len(), <[bool]>::len);
    let keys = struct_keys(maps, &items);
    if let Some((keys, places)) = keys.filter(|(keys, _)| slots.has(rows.saturating_mul(keys.len()))) {
        let mut columns: Vec<(Vec<bool>, Vec<CellValue<'_>>)> =
            keys.iter().map(|_| (alloc::vec![false; rows], Vec::new())).collect();
        let (mut maps, mut entry) = (maps.iter(), 0);
        for row in (0..rows).filter(|&row| mask.is_none_or(|mask| mask[row])) {
            let &(count, _) = maps.next().ok_or_else(malformed)?;
            for _ in 0..count / 2 {
                let (mask, values) = &mut columns[places[entry]];
                mask[row] = true;
                values.push(items[2 * entry + 1]);
                entry += 1;
            }
        }
        let fields = keys.iter().zip(columns).map(|(key, (mask, values))| {
            let mask = (values.len() < rows).then_some(&mask[..]);
            let array = array_of(&values, mask, slots, nested + 1)?;
            ArrowField::new(key, array).ok_or_else(|| no_name(key))
        });
        let fields = fields.collect::<Result<Vec<_>>>()?;
        return Ok(ColumnArray::of_fields(rows, fields, mask));
    }
    let offsets = OffsetList::of(maps.iter().map(|&(count, _)| count / 2));
    let offsets = offsets.ok_or_else(malformed)?;
    let part = |from: usize| -> Vec<CellValue<'_>> { items.iter().skip(from).step_by(2).copied().collect() };
    let keys = array_of(&part(0), None, slots, nested + 1)?;
    let values = array_of(&part(1), None, slots, nested + 1)?;
    Ok(map_array(offsets, keys, values, mask))
}

/// Returns the keys in the order in which they occur, and the place of each entry's key among them;
/// `None` if a key is not a str, is twice in a map, or cannot be a name in Arrow.
fn struct_keys<'a>(maps: &[(usize, &[u8])], items: &[CellValue<'a>]) -> Option<(Vec<&'a str>, Vec<usize>)> {
    let mut known = HashMap::new();
    let (mut keys, mut places, mut last) = (Vec::new(), Vec::new(), Vec::new());
    let mut entries = items.chunks_exact(2);
    for (row, &(count, _)) in maps.iter().enumerate() {
        for _ in 0..count / 2 {
            let CellValue::Str(key) = entries.next()?[0] else {
                return None;
            };
            let place = *known.entry(key).or_insert_with(|| {
                keys.push(key);
                last.push(usize::MAX);
                keys.len() - 1
            });
            if core::mem::replace(&mut last[place], row) == row || key.contains('\0') {
                return None;
            }
            places.push(place);
        }
    }
    Some((keys, places))
}

#[cold]
pub(super) fn no_name(key: &str) -> Error {
    Error::new(ErrorKind::UnsupportedType)
        .with_path(String::from(key))
        .with_detail("a name in Arrow has no byte 00")
}
