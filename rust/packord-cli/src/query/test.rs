//! Whether a test holds for a value.

use std::cmp::Ordering;

use memchr::memmem;
use packord::Integer;
use packord::container::Comparable;

use super::grammar::{Comparator, Operand, Test};
use super::part::Part;

impl Test {
    /// Returns whether the test holds for a value.
    #[must_use]
    pub fn holds(&self, value: Part<'_>) -> bool {
        match self {
            Test::Or(tests) => tests.iter().any(|test| test.holds(value)),
            Test::And(tests) => tests.iter().all(|test| test.holds(value)),
            Test::Not(test) => !test.holds(value),
            Test::Exists(path) => path.first(value).is_some(),
            Test::Compare(left, comparator, right) => comparator.holds(left.side(value), right.side(value)),
            Test::Contains(whole, part) => {
                let (Some(part), Some(whole)) = (part.side(value), whole.side(value)) else {
                    return false;
                };
                match whole {
                    Comparable::Other(whole) if Part::of_message(whole).is_array() => {
                        let mut elements = Part::of_message(whole).children();
                        elements.any(|element| compare(element.part.comparable(), part) == Some(Ordering::Equal))
                    }
                    whole => both_str(whole, part, |whole, part| memmem::find(whole, part).is_some()),
                }
            }
            Test::StartsWith(whole, part) => {
                let sides = whole.side(value).zip(part.side(value));
                sides.is_some_and(|(whole, part)| both_str(whole, part, <[u8]>::starts_with))
            }
            Test::EndsWith(whole, part) => {
                let sides = whole.side(value).zip(part.side(value));
                sides.is_some_and(|(whole, part)| both_str(whole, part, <[u8]>::ends_with))
            }
            Test::Matches(text, pattern) => match text.side(value) {
                Some(Comparable::Str(text)) => pattern.is_match(text),
                _ => false,
            },
        }
    }
}

fn both_str(whole: Comparable<'_>, part: Comparable<'_>, test: impl FnOnce(&[u8], &[u8]) -> bool) -> bool {
    match (whole, part) {
        (Comparable::Str(whole), Comparable::Str(part)) => test(whole, part),
        _ => false,
    }
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

impl Operand {
    /// Returns one side of a comparison, if there is a value for it.
    #[inline]
    fn side<'v>(&'v self, value: Part<'v>) -> Option<Comparable<'v>> {
        match self {
            Operand::Literal(value) => Comparable::of_value(value),
            Operand::At(path) => path.first(value).map(Part::comparable),
            Operand::Length(path) => {
                let part = path.first(value)?;
                let count = match part.comparable() {
                    Comparable::Str(text) => characters(text),
                    _ => part.count()?,
                };
                Some(Comparable::Int(Integer::from(count as u64)))
            }
        }
    }
}

impl Comparator {
    /// Compares as RFC 9535 does: values of different types are unequal, and a missing value is equal to a
    /// missing value only.
    #[inline]
    fn holds(self, left: Option<Comparable<'_>>, right: Option<Comparable<'_>>) -> bool {
        let order = match (left, right) {
            (Some(left), Some(right)) => compare(left, right),
            (None, None) => Some(Ordering::Equal),
            _ => None,
        };
        match self {
            Comparator::Equal => order == Some(Ordering::Equal),
            Comparator::Unequal => order != Some(Ordering::Equal),
            Comparator::Less => order == Some(Ordering::Less),
            Comparator::Greater => order == Some(Ordering::Greater),
            Comparator::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Comparator::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// Returns how two values compare: as in the predicates of container files, and two values of other types if they
/// are equal.
#[inline]
fn compare(left: Comparable<'_>, right: Comparable<'_>) -> Option<Ordering> {
    let is_same = match (left, right) {
        (Comparable::Nil, Comparable::Nil) => true,
        (Comparable::Bool(a), Comparable::Bool(b)) => a == b,
        (Comparable::Bin(a), Comparable::Bin(b)) => a == b,
        (Comparable::Other(a), Comparable::Other(b)) => are_same(a, b),
        _ => return left.compare(right),
    };
    is_same.then_some(Ordering::Equal)
}

#[cold]
fn are_same(a: &[u8], b: &[u8]) -> bool {
    Part::of_message(a).to_value() == Part::of_message(b).to_value()
}
