//! The total order of values, which agrees with their equality. Containers are compared by their
//! normal forms, so no depth can overflow the stack.

use super::normal_form;
use crate::ext::Timestamp;
use crate::value::{Integer, Tree};
use crate::walk::{Token, Walker};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Values of different types are in this order: nil, bool, int, float, str, bin, array, map, ext,
/// timestamp. Of one type:
///
/// - `false` is before `true`, numbers have their order, and floats that of `f64::total_cmp`,
/// - strs and bins are compared byte by byte,
/// - arrays are compared element by element, and a shorter one is before one that it begins,
/// - maps are compared as arrays of their keys and values, in the order of the canonical encoding,
/// - exts are compared by their types, then by their payloads,
/// - timestamps have the order of time.
///
/// ```
/// use packord::value;
/// let mut values = [value!([1]), value!("b"), value!(300), value!("a"), value!(-1), value!([])];
/// values.sort();
/// assert_eq!(values, [value!(-1), value!(300), value!("a"), value!("b"), value!([]), value!([1])]);
/// ```
impl<S: AsRef<str>, B: AsRef<[u8]>> Ord for Tree<S, B> {
    fn cmp(&self, other: &Tree<S, B>) -> Ordering {
        match (Scalar::of_value(self), Scalar::of_value(other)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => in_normal_form(&normal_form(self), &normal_form(other)),
        }
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> PartialOrd for Tree<S, B> {
    fn partial_cmp(&self, other: &Tree<S, B>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A value without those that it holds. The order of the variants is that of the types.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Scalar<'v> {
    Nil,
    Bool(bool),
    Int(Integer),
    Float(TotalFloat),
    Str(&'v str),
    Bin(&'v [u8]),
    Array,
    Map,
    Ext(i8, &'v [u8]),
    Timestamp(Timestamp),
}

#[derive(PartialEq, Eq)]
struct TotalFloat(u64);

impl Ord for TotalFloat {
    fn cmp(&self, other: &TotalFloat) -> Ordering {
        f64::from_bits(self.0).total_cmp(&f64::from_bits(other.0))
    }
}

impl PartialOrd for TotalFloat {
    fn partial_cmp(&self, other: &TotalFloat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'v> Scalar<'v> {
    fn of_value<S: AsRef<str>, B: AsRef<[u8]>>(value: &'v Tree<S, B>) -> Option<Scalar<'v>> {
        Some(match value {
            Tree::Nil => Scalar::Nil,
            Tree::Bool(value) => Scalar::Bool(*value),
            Tree::Int(value) => Scalar::Int(*value),
            Tree::F32(_) | Tree::F64(_) => Scalar::Float(TotalFloat(super::float_bits(value)?)),
            Tree::Str(text) => Scalar::Str(text.as_ref()),
            Tree::Bin(bytes) => Scalar::Bin(bytes.as_ref()),
            Tree::Ext(ext) => Scalar::Ext(ext.kind(), ext.payload()),
            Tree::Timestamp(at) => Scalar::Timestamp(*at),
            Tree::Array(_) | Tree::Map(_) => return None,
        })
    }

    /// Returns the scalar of a token, and the number of values that the container announces.
    fn of_token(token: Token<'v>) -> (Scalar<'v>, usize) {
        let scalar = match token {
            Token::Array(count) => return (Scalar::Array, count),
            Token::Map(count) => return (Scalar::Map, 2 * count),
            Token::Bool(value) => Scalar::Bool(value),
            Token::Int(value) => Scalar::Int(value),
            Token::F32(value) => Scalar::Float(TotalFloat(crate::wire::canonical::widen(value.to_bits()))),
            Token::F64(value) => Scalar::Float(TotalFloat(value.to_bits())),
            Token::Str(text) => Scalar::Str(text),
            Token::Bin(bytes) => Scalar::Bin(bytes),
            Token::Ext(kind, payload) => Scalar::Ext(kind, payload),
            Token::Timestamp(at) => Scalar::Timestamp(at),
            _ => Scalar::Nil,
        };
        (scalar, 0)
    }
}

/// Returns the next value, without the ends of containers.
fn next<'b>(walker: &mut Walker<'b>) -> Option<(Scalar<'b>, usize)> {
    loop {
        match walker.next().ok()??.token {
            Token::End(_) => {}
            token => return Some(Scalar::of_token(token)),
        }
    }
}

fn in_normal_form(a: &[u8], b: &[u8]) -> Ordering {
    let options = crate::DecodeOptions::new().max_depth(u32::MAX);
    let (mut a, mut b) = (Walker::with_options(a, &options), Walker::with_options(b, &options));
    // How many values are left in the containers that are open in both.
    let mut open: Vec<(usize, usize)> = Vec::from([(1, 1)]);
    while let Some((left_a, left_b)) = open.last_mut() {
        if *left_a == 0 || *left_b == 0 {
            let order = (*left_a).cmp(left_b);
            if order.is_ne() {
                return order;
            }
            open.pop();
            continue;
        }
        *left_a -= 1;
        *left_b -= 1;
        // Normal forms are valid, so both have a value.
        let (Some((a, count_a)), Some((b, count_b))) = (next(&mut a), next(&mut b)) else {
            return Ordering::Equal;
        };
        let order = a.cmp(&b);
        if order.is_ne() {
            return order;
        }
        if matches!(a, Scalar::Array | Scalar::Map) {
            open.push((count_a, count_b));
        }
    }
    Ordering::Equal
}
