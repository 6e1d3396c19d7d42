//! [`Comparable`]: a packed value, for comparison with others.

use crate::ext::Timestamp;
use crate::options::DecodeOptions;
use crate::value::{Integer, Tree, Value};
use crate::wire::item::{Item, item};
use core::cmp::Ordering;

/// A value as statistics and predicates see it (`spec/container.md` section 4).
///
/// ```
/// use packord::container::Comparable;
/// use std::cmp::Ordering;
///
/// // 2^53 + 1, which no float has, and 2^53.
/// let odd = Comparable::of(b"\xcf\0\x20\0\0\0\0\0\x01");
/// let float = packord::Value::from(9_007_199_254_740_992.0);
/// let float = Comparable::of_value(&float).unwrap();
/// assert_eq!(odd.compare(float), Some(Ordering::Greater));
/// assert_eq!(odd.compare(Comparable::Str(b"a")), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub enum Comparable<'a> {
    /// A nil.
    Nil,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(Integer),
    /// A float of 32 or 64 bits.
    Float(f64),
    /// A str: its bytes, which are UTF-8 if the value is valid.
    Str(&'a [u8]),
    /// A bin.
    Bin(&'a [u8]),
    /// A timestamp.
    Timestamp(Timestamp),
    /// An array, a map or another ext, packed.
    Other(&'a [u8]),
}

impl<'a> Comparable<'a> {
    /// Reads the value at the start of the bytes. An array, a map or another ext is [`Other`](Comparable::Other) with
    /// all bytes, and so are bytes that begin with no whole value.
    #[inline]
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Comparable<'a> {
        Self::read(bytes).unwrap_or(Comparable::Other(bytes))
    }

    #[inline]
    fn read(bytes: &'a [u8]) -> Option<Comparable<'a>> {
        Some(match item(bytes, 0)?.0 {
            Item::Nil => Comparable::Nil,
            Item::Bool(value) => Comparable::Bool(value),
            Item::Int(value) => Comparable::Int(Integer::from_i64(value)),
            Item::Uint(value) => Comparable::Int(Integer::from_u64(value)),
            Item::Float32(value) => Comparable::Float(f64::from(value)),
            Item::Float(value) => Comparable::Float(value),
            Item::Str(text) => Comparable::Str(text),
            Item::Bin(payload) => Comparable::Bin(payload),
            Item::Ext(Timestamp::EXT_TYPE, payload) => Comparable::Timestamp(Timestamp::from_payload(payload)?),
            Item::Ext(..) | Item::Array(_) | Item::Map(_) => Comparable::Other(bytes),
        })
    }

    /// Returns the value as one to compare; `None` for an array, a map and other exts.
    #[must_use]
    pub fn of_value(value: &'a Value) -> Option<Comparable<'a>> {
        Some(match value {
            Tree::Nil => Comparable::Nil,
            Tree::Bool(value) => Comparable::Bool(*value),
            Tree::Int(value) => Comparable::Int(*value),
            Tree::F32(value) => Comparable::Float(f64::from(*value)),
            Tree::F64(value) => Comparable::Float(*value),
            Tree::Str(text) => Comparable::Str(text.as_bytes()),
            Tree::Bin(bytes) => Comparable::Bin(bytes),
            Tree::Timestamp(at) => Comparable::Timestamp(*at),
            Tree::Ext(_) | Tree::Array(_) | Tree::Map(_) => return None,
        })
    }

    /// Compares values that have an order: numbers, strings and timestamps of one type. `None` for
    /// others, and for a NaN.
    #[inline]
    #[must_use]
    pub fn compare(self, other: Comparable<'_>) -> Option<Ordering> {
        match (self, other) {
            (Comparable::Int(a), Comparable::Int(b)) => Some(a.as_i128().cmp(&b.as_i128())),
            (Comparable::Float(a), Comparable::Float(b)) => a.partial_cmp(&b),
            (Comparable::Int(a), Comparable::Float(b)) => int_with_float(a, b),
            (Comparable::Float(a), Comparable::Int(b)) => int_with_float(b, a).map(Ordering::reverse),
            (Comparable::Str(a), Comparable::Str(b)) => Some(a.cmp(b)),
            (Comparable::Timestamp(a), Comparable::Timestamp(b)) => Some(a.cmp(&b)),
            _ => None,
        }
    }

    pub(super) fn equals(self, constant: &Value) -> bool {
        let Some(other) = Comparable::of_value(constant) else {
            return match self {
                Comparable::Other(bytes) => {
                    let read = DecodeOptions::new().decode_prefix(bytes);
                    read.is_ok_and(|(value, _)| value == *constant)
                }
                _ => false,
            };
        };
        match (self, other) {
            (Comparable::Bool(a), Comparable::Bool(b)) => a == b,
            (Comparable::Bin(a), Comparable::Bin(b)) => a == b,
            (a, b) => a.compare(b) == Some(Ordering::Equal),
        }
    }
}

/// Compares an integer with a float exactly: neither is rounded.
fn int_with_float(int: Integer, float: f64) -> Option<Ordering> {
    // Every float from here on is beyond all integers.
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    if float.is_nan() {
        return None;
    }
    if float >= BEYOND {
        return Some(Ordering::Less);
    }
    if float < -BEYOND {
        return Some(Ordering::Greater);
    }
    // Exact: both are below 2^65.
    let whole = float as i128;
    let fraction = float - whole as f64;
    let by_whole = int.as_i128().cmp(&whole);
    Some(by_whole.then_with(|| 0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        let compare = |int: i64, float: f64| int_with_float(Integer::from_i64(int), float);
        assert_eq!(compare(1, 1.0), Some(Ordering::Equal));
        assert_eq!(compare(1, 1.5), Some(Ordering::Less));
        assert_eq!(compare(-1, -1.5), Some(Ordering::Greater));
        assert_eq!(compare(0, -0.0), Some(Ordering::Equal));
        // 2^53 + 1 is not a float.
        assert_eq!(compare((1 << 53) + 1, 9_007_199_254_740_992.0), Some(Ordering::Greater));
        assert_eq!(compare(i64::MAX, 9_223_372_036_854_775_808.0), Some(Ordering::Less));
        assert_eq!(compare(i64::MIN, f64::NEG_INFINITY), Some(Ordering::Greater));
        assert_eq!(compare(0, f64::NAN), None);
        let largest = Integer::from_u64(u64::MAX);
        assert_eq!(
            int_with_float(largest, 18_446_744_073_709_551_616.0),
            Some(Ordering::Less)
        );
    }
}
