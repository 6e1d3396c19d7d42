//! Arrays of one block, which have the types that suit the block, as columns of given types.

use super::MAX_SLOTS;
use super::values::{NONE, TypedValues, named};
use crate::columns::arrow::array::{ColumnArray, view, view_buffers};
use crate::columns::arrow::field::FieldType;
use crate::columns::arrow::raw::{ArrowNumber, SharedBytes};
use crate::columns::arrow::rows::{int, range};
use crate::columns::arrow::slots::Slots;
use crate::columns::arrow::take::{NULL, take};
use crate::columns::arrow::types::{ArrowType, Offsets};
use alloc::vec::Vec;

/// Returns the values of an array that this crate has made as a column. `None` if that type has them in another form, and
/// they must be read one by one. Types nest at most 64 deep, and so does this function.
pub(super) fn cast(array: ColumnArray, field: &FieldType) -> Option<ColumnArray> {
    use ArrowType as T;
    if array.nulls == array.len {
        return nulls(field, array.len);
    }
    let mut array = array;
    if let Some(entries) = array.dictionary.take() {
        let entries = cast(*entries, field)?;
        let rows = array.buffer(1).chunks_exact(4).enumerate();
        let row = |(at, index): (usize, &[u8])| match array.is_valid(at) {
            Some(true) => u32::from_ne_bytes(index.try_into().unwrap_or_default()) as usize,
            _ => NULL,
        };
        let rows: Vec<usize> = rows.map(row).collect();
        let taken = take(entries, &rows, &mut Slots::new(u64::MAX)).ok()?;
        return cast(taken, field);
    }
    match (&field.ty, &array.ty) {
        (T::Utf8(to), T::Utf8(from)) | (T::Binary(to), T::Utf8(from) | T::Binary(from)) => match (to, from) {
            _ if to == from => {}
            (Offsets::View, _) => {
                let place = |row| range(&array, row, *from).ok();
                let views = (0..array.len).map(|row| view(array.buffer(2), place(row)?));
                let views = views.collect::<Option<Vec<_>>>()?;
                let bytes = array.buffers.pop()??;
                array.buffers.truncate(1);
                let buffers = view_buffers(views, bytes);
                array.buffers.extend(buffers.map(Some));
            }
            (_, Offsets::View) => return None,
            _ => array.buffers[1] = Some(offsets(&array, *to)?),
        },
        (T::List(to), T::List(from)) => {
            if to != from {
                array.buffers[1] = Some(offsets(&array, *to)?);
            }
            let of = &field.children[0];
            let items = array.children.pop()?.array;
            array.children = [named(of, cast(items, of)?)].into();
        }
        (T::Struct, T::Struct) => {
            if array.len.saturating_mul(field.leaves()) > MAX_SLOTS {
                return None;
            }
            let column = |of: &FieldType| {
                let mut fields = array.children.iter();
                let found = fields.find(|child| child.name == of.name);
                let column = match found {
                    Some(child) => cast(child.array.clone(), of)?,
                    None => nulls(of, array.len)?,
                };
                Some(named(of, column))
            };
            array.children = field.children.iter().map(column).collect::<Option<_>>()?;
        }
        (to, from) if to == from && array.children.is_empty() => {}
        _ => array.buffers[1] = Some(numbers(&array, &field.ty)?),
    }
    array.ty = field.ty.clone();
    Some(array)
}

pub(super) fn nulls(field: &FieldType, rows: usize) -> Option<ColumnArray> {
    let mut values = TypedValues::new(&[], MAX_SLOTS, |_| None);
    values.column(field, &alloc::vec![NONE; rows]).ok()
}

fn offsets(array: &ColumnArray, to: Offsets) -> Option<SharedBytes> {
    if to == Offsets::Large {
        let narrow = array.buffer(1).chunks_exact(4);
        let wide = narrow.map(|of| i32::from_ne_bytes(of.try_into().unwrap_or_default()).into());
        return Some(SharedBytes::of_numbers(wide.collect::<Vec<i64>>()));
    }
    let wide = array.buffer(1).chunks_exact(8);
    let narrow = wide.map(|of| i64::from_ne_bytes(of.try_into().unwrap_or_default()).try_into());
    let narrow: Result<Vec<i32>, _> = narrow.collect();
    Some(SharedBytes::of_numbers(narrow.ok()?))
}

/// Returns the numbers of an array as those of a type; `None` if it does not have all of them.
fn numbers(array: &ColumnArray, ty: &ArrowType) -> Option<SharedBytes> {
    match *ty {
        ArrowType::Int { bytes, signed } => match (bytes, signed) {
            (1, true) => integers::<i8>(array),
            (1, false) => integers::<u8>(array),
            (2, true) => integers::<i16>(array),
            (2, false) => integers::<u16>(array),
            (4, true) => integers::<i32>(array),
            (4, false) => integers::<u32>(array),
            (_, true) => widened(array).or_else(|| integers::<i64>(array)),
            (_, false) => integers::<u64>(array),
        },
        ArrowType::Decimal {
            precision: 20,
            scale: 0,
            ..
        } => integers::<i128>(array),
        ArrowType::Float(4) => all(array, |row| float(array, row).map(|float| float as f32)),
        ArrowType::Float(_) => all(array, |row| float(array, row)),
        ArrowType::Instant(to) => {
            let ArrowType::Instant(from) = array.ty else {
                return None;
            };
            let per = 10_i64.pow(u32::from(from.abs_diff(to)));
            all(array, |row| {
                let time = i64::from_ne_bytes(array.element(1, row)?);
                if from > to {
                    Some(time.div_euclid(per))
                } else {
                    time.checked_mul(per)
                }
            })
        }
        _ => None,
    }
}

fn all<T: ArrowNumber>(array: &ColumnArray, number: impl Fn(usize) -> Option<T>) -> Option<SharedBytes> {
    let numbers = (0..array.len).map(number).collect::<Option<Vec<T>>>();
    numbers.map(SharedBytes::of_numbers)
}

fn integers<T: ArrowNumber + TryFrom<i128>>(array: &ColumnArray) -> Option<SharedBytes> {
    all(array, |row| T::try_from(integer(array, row)?).ok())
}

/// Returns signed integers as those of 64 bits: these are met most, and are read in one loop for each width.
fn widened(array: &ColumnArray) -> Option<SharedBytes> {
    fn of<const N: usize>(array: &ColumnArray, read: impl Fn([u8; N]) -> i64) -> Option<SharedBytes> {
        let numbers = array.buffer(1).get(..array.len * N)?.chunks_exact(N);
        let numbers = numbers.map(|number| read(number.try_into().unwrap_or([0; N])));
        Some(SharedBytes::of_numbers(numbers.collect::<Vec<i64>>()))
    }
    let ArrowType::Int { bytes, signed: true } = array.ty else {
        return None;
    };
    match bytes {
        1 => of(array, |number| i8::from_ne_bytes(number).into()),
        2 => of(array, |number| i16::from_ne_bytes(number).into()),
        4 => of(array, |number| i32::from_ne_bytes(number).into()),
        _ => of(array, i64::from_ne_bytes),
    }
}

#[inline]
fn integer(array: &ColumnArray, row: usize) -> Option<i128> {
    match array.ty {
        ArrowType::Decimal { .. } => array.element(1, row).map(i128::from_ne_bytes),
        _ => int(array, row).ok(),
    }
}

#[inline]
fn float(array: &ColumnArray, row: usize) -> Option<f64> {
    match array.ty {
        ArrowType::Float(4) => Some(f32::from_ne_bytes(array.element(1, row)?).into()),
        ArrowType::Float(_) => array.element(1, row).map(f64::from_ne_bytes),
        // Most are of 64 bits, which are faster.
        _ => integer(array, row).map(|wide| i64::try_from(wide).map_or(wide as f64, |number| number as f64)),
    }
}
