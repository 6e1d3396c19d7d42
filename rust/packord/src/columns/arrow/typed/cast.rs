//! Arrays of one block, which have the types that suit the block, as columns of given types.

use super::values::named;
use crate::columns::arrow::array::{ColumnArray, view, view_buffers};
use crate::columns::arrow::field::FieldType;
use crate::columns::arrow::raw::{ArrowNumber, SharedBytes};
use crate::columns::arrow::rows::range;
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
            if array.len.saturating_mul(field.leaves()) > super::MAX_SLOTS {
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

/// Returns a column of nulls alone.
pub(super) fn nulls(field: &FieldType, rows: usize) -> Option<ColumnArray> {
    let mut values = super::values::TypedValues {
        bytes: &[],
        slots: super::MAX_SLOTS,
        keys: |_| None,
    };
    let places = alloc::vec![super::values::NONE; rows];
    values.column(field, &places).ok()
}

/// Returns the offsets of an array in another size.
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

/// Does the same for the numbers of an array, whatever their type.
macro_rules! each_number {
    ($array:expr, [$($pattern:pat => $number:ty),*], $value:ident => $does:expr) => {
        match $array.ty {
            $($pattern => {
                let numbers = $array.buffer(1).chunks_exact(size_of::<$number>());
                let numbers = numbers.map(|of| {
                    let $value = <$number>::from_ne_bytes(of.try_into().unwrap_or_default());
                    $does
                });
                numbers.collect::<Option<Vec<_>>>()
            })*
            _ => None,
        }
    };
}

macro_rules! each_integer {
    ($array:expr, $value:ident => $does:expr) => {
        each_number!($array, [
            ArrowType::Int { bytes: 1, signed: true } => i8,
            ArrowType::Int { bytes: 1, signed: false } => u8,
            ArrowType::Int { bytes: 2, signed: true } => i16,
            ArrowType::Int { bytes: 2, signed: false } => u16,
            ArrowType::Int { bytes: 4, signed: true } => i32,
            ArrowType::Int { bytes: 4, signed: false } => u32,
            ArrowType::Int { bytes: 8, signed: true } => i64,
            ArrowType::Int { bytes: 8, signed: false } => u64,
            ArrowType::Decimal { .. } => i128
        ], $value => $does)
    };
}

/// Returns the numbers of an array as those of a type; `None` if it does not have all of them.
#[allow(
    clippy::unnecessary_fallible_conversions,
    clippy::useless_conversion,
    reason = "the same is written for all types of numbers"
)]
fn numbers(array: &ColumnArray, ty: &ArrowType) -> Option<SharedBytes> {
    fn narrowed<T: ArrowNumber + TryFrom<i128>>(array: &ColumnArray) -> Option<SharedBytes> {
        let wide: Vec<i128> = each_integer!(array, number => Some(number.into()))?;
        let narrow = wide.into_iter().map(|number| T::try_from(number).ok());
        Some(SharedBytes::of_numbers(narrow.collect::<Option<Vec<T>>>()?))
    }
    match *ty {
        // These are met most.
        ArrowType::Int { bytes: 8, signed: true } => {
            let numbers = each_integer!(array, number => number.try_into().ok())?;
            Some(SharedBytes::of_numbers::<i64>(numbers))
        }
        ArrowType::Int { bytes, signed } => match (bytes, signed) {
            (1, true) => narrowed::<i8>(array),
            (1, false) => narrowed::<u8>(array),
            (2, true) => narrowed::<i16>(array),
            (2, false) => narrowed::<u16>(array),
            (4, true) => narrowed::<i32>(array),
            (4, false) => narrowed::<u32>(array),
            _ => narrowed::<u64>(array),
        },
        ArrowType::Decimal {
            precision: 20,
            scale: 0,
            ..
        } => narrowed::<i128>(array),
        ArrowType::Float(bytes) => {
            let floats: Vec<f64> = match array.ty {
                ArrowType::Float(_) => each_number!(array, [
                    ArrowType::Float(4) => f32,
                    ArrowType::Float(8) => f64
                ], number => Some(number.into())),
                _ => each_integer!(array, number => Some(number as f64)),
            }?;
            if bytes == 4 {
                let narrow = floats.into_iter().map(|float| float as f32);
                return Some(SharedBytes::of_numbers(narrow.collect()));
            }
            Some(SharedBytes::of_numbers(floats))
        }
        ArrowType::Instant(to) => {
            let ArrowType::Instant(from) = array.ty else {
                return None;
            };
            let per = 10_i64.pow(u32::from(from.abs_diff(to)));
            let scaled = |time: i64| {
                if from > to {
                    Some(time.div_euclid(per))
                } else {
                    time.checked_mul(per)
                }
            };
            let times = each_number!(array, [ArrowType::Instant(_) => i64], time => scaled(time))?;
            Some(SharedBytes::of_numbers(times))
        }
        _ => None,
    }
}
