//! [`Numbers`]: the numbers of a column, in place or in one pass.

use super::in_place::{AnyBits, in_place};
use crate::columns::kind as k;
use crate::columns::read::{CellValue, ColumnNode, Directory, OrMalformed, integers_of, scaled_of};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The numbers of a column, of one type: borrowed from the message where that has them so.
///
/// ```
/// use packord::columns::Numbers;
/// let numbers = Numbers::U8([1, 2, 3].as_slice().into());
/// assert_eq!((numbers.len(), numbers.to_f64()), (3, vec![1.0, 2.0, 3.0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Numbers<'a> {
    /// Integers from 0 to 2^8 - 1.
    U8(Cow<'a, [u8]>),
    /// Integers from 0 to 2^16 - 1.
    U16(Cow<'a, [u16]>),
    /// Integers from 0 to 2^32 - 1.
    U32(Cow<'a, [u32]>),
    /// Integers from 0 to 2^64 - 1.
    U64(Cow<'a, [u64]>),
    /// Integers of 64 bits.
    I64(Cow<'a, [i64]>),
    /// Floats of 32 bits.
    F32(Cow<'a, [f32]>),
    /// Floats of 64 bits.
    F64(Cow<'a, [f64]>),
}

/// Does the same for the numbers of each type.
macro_rules! each {
    ($self:expr, $numbers:ident => $does:expr) => {
        match $self {
            Numbers::U8($numbers) => $does,
            Numbers::U16($numbers) => $does,
            Numbers::U32($numbers) => $does,
            Numbers::U64($numbers) => $does,
            Numbers::I64($numbers) => $does,
            Numbers::F32($numbers) => $does,
            Numbers::F64($numbers) => $does,
        }
    };
}

impl Numbers<'_> {
    /// Returns the number of numbers.
    ///
    /// ```
    /// assert_eq!(packord::columns::Numbers::I64(vec![-1, 1].into()).len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        each!(self, numbers => numbers.len())
    }

    /// Returns whether there are none.
    ///
    /// ```
    /// assert!(packord::columns::Numbers::I64(vec![].into()).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the numbers are in the message, and were not copied.
    ///
    /// ```
    /// assert!(!packord::columns::Numbers::I64(vec![-1].into()).is_in_place());
    /// ```
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        each!(self, numbers => matches!(numbers, Cow::Borrowed(_)))
    }

    /// Returns the numbers as floats, each the nearest one.
    ///
    /// ```
    /// assert_eq!(packord::columns::Numbers::I64(vec![-1, 2].into()).to_f64(), [-1.0, 2.0]);
    /// ```
    #[must_use]
    #[allow(clippy::unnecessary_cast, reason = "some are floats of 64 bits")]
    pub fn to_f64(&self) -> Vec<f64> {
        each!(self, numbers => numbers.iter().map(|&number| number as f64).collect())
    }

    /// Returns integers; `None` for floats, and if one is 2^63 or more.
    ///
    /// ```
    /// use packord::columns::Numbers;
    /// assert_eq!(Numbers::U8(vec![200].into()).to_i64(), Some(vec![200]));
    /// assert_eq!(Numbers::F32(vec![2.0].into()).to_i64(), None);
    /// ```
    #[must_use]
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        match self {
            Numbers::F32(_) | Numbers::F64(_) => None,
            Numbers::U64(numbers) => numbers.iter().map(|&number| number.try_into().ok()).collect(),
            Numbers::U8(numbers) => Some(widened(numbers)),
            Numbers::U16(numbers) => Some(widened(numbers)),
            Numbers::U32(numbers) => Some(widened(numbers)),
            Numbers::I64(numbers) => Some(numbers.to_vec()),
        }
    }
}

fn widened<T: Copy + Into<i64>>(numbers: &[T]) -> Vec<i64> {
    numbers.iter().map(|&number| number.into()).collect()
}

/// Returns the numbers of a section, with one pass where they cannot be used in place.
fn elements<'a, const N: usize, T: AnyBits>(node: &ColumnNode<'a>, read: impl Fn([u8; N]) -> T) -> Cow<'a, [T]> {
    match in_place(node.section) {
        Some(numbers) => Cow::Borrowed(numbers),
        None => node.elements(read).collect(),
    }
}

/// Returns the numbers of a node that stores nothing else; `None` for other nodes.
pub(super) fn stored<'a>(directory: &Directory<'a>, node: &ColumnNode<'a>) -> OrMalformed<Option<Numbers<'a>>> {
    Ok(Some(match node.kind {
        k::FLOAT if node.mode == k::FLOAT32 => Numbers::F32(elements(node, f32::from_le_bytes)),
        k::FLOAT => Numbers::F64(elements(node, f64::from_le_bytes)),
        k::SCALED => Numbers::F64(scaled_of(directory, node)?.into()),
        k::INT => integers(node)?,
        _ => return Ok(None),
    }))
}

fn integers<'a>(node: &ColumnNode<'a>) -> OrMalformed<Numbers<'a>> {
    let is_unsigned = node.form & k::UNSIGNED != 0;
    if node.base == 0 && node.form & k::DELTA == 0 {
        match node.form & 15 {
            k::U8 => return Ok(Numbers::U8(elements(node, u8::from_le_bytes))),
            k::U16 => return Ok(Numbers::U16(elements(node, u16::from_le_bytes))),
            k::U32 => return Ok(Numbers::U32(elements(node, u32::from_le_bytes))),
            k::U64 if is_unsigned => return Ok(Numbers::U64(elements(node, u64::from_le_bytes))),
            // Modulo 2^64.
            k::U64 => return Ok(Numbers::I64(elements(node, i64::from_le_bytes))),
            _ => {}
        }
    }
    let integers = integers_of(node)?;
    Ok(if is_unsigned {
        let unsigned = integers.into_iter().map(|bits| bits as u64);
        Numbers::U64(unsigned.collect())
    } else {
        Numbers::I64(integers.into())
    })
}

/// The numbers of cells that are all of one type.
macro_rules! only {
    ($cells:expr, $type:ident) => {
        all($cells, |cell| match cell {
            CellValue::$type(number) => Some(number),
            _ => None,
        })
    };
}

/// Returns the numbers, if all are integers, or floats of one width.
pub(super) fn of_cells(cells: &[CellValue<'_>]) -> Option<Numbers<'static>> {
    match cells.first()? {
        CellValue::Float(_) => only!(cells, Float).map(Numbers::F64),
        CellValue::Float32(_) => only!(cells, Float32).map(Numbers::F32),
        _ => {
            let unsigned = |cell| match cell {
                CellValue::Int(value) => u64::try_from(value).ok(),
                CellValue::Large(value) => Some(value),
                _ => None,
            };
            let signed = only!(cells, Int).map(Numbers::I64);
            signed.or_else(|| all(cells, unsigned).map(Numbers::U64))
        }
    }
}

/// Returns what all cells have; `None` if one has something else.
fn all<'a, T: Copy>(cells: &[CellValue<'a>], number: impl Fn(CellValue<'a>) -> Option<T>) -> Option<Cow<'static, [T]>> {
    cells.iter().map(|&cell| number(cell)).collect()
}
