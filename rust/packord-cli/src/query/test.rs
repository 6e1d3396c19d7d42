//! Whether a test holds for a value.

use std::cmp::Ordering;

use memchr::memmem;
use packord::Value;
use packord::document::Node;

use super::grammar::{Comparator, Operand, QueryPath, QueryStep, Test};
use super::number::Number;
use super::raw::RawPart;
use crate::path::PathStep;

/// A value that is tested: of an index, or in the bytes of a message.
pub trait Part: Copy {
    /// Returns the first value at a path from here.
    fn first(self, path: &QueryPath) -> Option<Self>;
    /// Returns the string of a str, as bytes: they were checked before, and have the same order.
    fn as_text(&self) -> Option<&[u8]>;
    /// Returns a number.
    fn as_number(self) -> Option<Number>;
    /// Returns the number of elements or entries of a container.
    fn count(self) -> Option<usize>;
    /// Returns the elements of an array.
    fn elements(self) -> Option<impl Iterator<Item = Self>>;
    /// Returns the value.
    fn to_value(self) -> Value;
}

impl Part for Node<'_, '_> {
    fn first(self, path: &QueryPath) -> Option<Self> {
        path.first(self)
    }
    fn as_text(&self) -> Option<&[u8]> {
        Node::as_str(*self).map(str::as_bytes)
    }
    fn as_number(self) -> Option<Number> {
        let int = self.as_int().map(Number::from);
        int.or_else(|| self.as_f64().map(Number::Float))
    }
    fn count(self) -> Option<usize> {
        (self.is_array() || self.is_map()).then(|| self.len())
    }
    fn elements(self) -> Option<impl Iterator<Item = Self>> {
        self.is_array().then(|| Node::elements(self))
    }
    fn to_value(self) -> Value {
        Node::to_value(self)
    }
}

impl Part for RawPart<'_> {
    /// Knows the paths of [`Test::has_plain_paths`] only.
    fn first(self, path: &QueryPath) -> Option<Self> {
        let mut keys = path.0.iter().map(|step| match step {
            QueryStep::Into(PathStep::Key(key)) => Some(key),
            _ => None,
        });
        keys.try_fold(self, |part, key| part.entry(key?))
    }
    fn as_text(&self) -> Option<&[u8]> {
        RawPart::as_text(*self)
    }
    fn as_number(self) -> Option<Number> {
        let int = self.as_int().map(Number::from);
        int.or_else(|| self.as_float().map(Number::Float))
    }
    fn count(self) -> Option<usize> {
        RawPart::count(self)
    }
    fn elements(self) -> Option<impl Iterator<Item = Self>> {
        RawPart::elements(self)
    }
    fn to_value(self) -> Value {
        RawPart::to_value(self)
    }
}

impl Test {
    /// Returns whether the test holds for a value.
    #[must_use]
    pub fn holds<P: Part>(&self, value: P) -> bool {
        match self {
            Test::Or(tests) => tests.iter().any(|test| test.holds(value)),
            Test::And(tests) => tests.iter().all(|test| test.holds(value)),
            Test::Not(test) => !test.holds(value),
            Test::Exists(path) => value.first(path).is_some(),
            Test::Compare(left, comparator, right) => {
                comparator.holds(left.side(value), right.side(value))
            }
            Test::Contains(whole, part) => {
                let (whole, part) = (whole.side(value), part.side(value));
                let elements = match whole {
                    Some(Compared::Part(whole)) => whole.elements(),
                    _ => None,
                };
                match (elements, part) {
                    (Some(mut elements), Some(part)) => elements.any(|element| {
                        compare(Compared::Part(element), part) == Some(Ordering::Equal)
                    }),
                    _ => both_str(whole, part, |whole, part| {
                        memmem::find(whole, part).is_some()
                    }),
                }
            }
            Test::StartsWith(whole, part) => {
                let (whole, part) = (whole.side(value), part.side(value));
                both_str(whole, part, <[u8]>::starts_with)
            }
            Test::EndsWith(whole, part) => {
                let (whole, part) = (whole.side(value), part.side(value));
                both_str(whole, part, <[u8]>::ends_with)
            }
        }
    }

    /// Returns whether all paths have names only, so that no index is needed.
    #[must_use]
    pub fn has_plain_paths(&self) -> bool {
        match self {
            Test::Or(tests) | Test::And(tests) => tests.iter().all(Test::has_plain_paths),
            Test::Not(test) => test.has_plain_paths(),
            Test::Exists(path) => path.is_plain(),
            Test::Compare(left, _, right)
            | Test::Contains(left, right)
            | Test::StartsWith(left, right)
            | Test::EndsWith(left, right) => left.is_plain() && right.is_plain(),
        }
    }
}

impl Operand {
    fn is_plain(&self) -> bool {
        match self {
            Operand::Literal(_) => true,
            Operand::At(path) | Operand::Length(path) => path.is_plain(),
        }
    }
}

impl QueryPath {
    fn is_plain(&self) -> bool {
        let is_key = |step: &QueryStep| matches!(step, QueryStep::Into(PathStep::Key(_)));
        self.0.iter().all(is_key)
    }
}

fn both_str<P: Part>(
    whole: Option<Compared<'_, P>>,
    part: Option<Compared<'_, P>>,
    test: impl FnOnce(&[u8], &[u8]) -> bool,
) -> bool {
    let left = whole.as_ref().and_then(Compared::as_text);
    left.zip(part.as_ref().and_then(Compared::as_text))
        .is_some_and(|(whole, part)| test(whole, part))
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// One side of a comparison, as it is found.
#[derive(Clone, Copy)]
enum Compared<'t, P> {
    Literal(&'t Value),
    Part(P),
    Length(usize),
}

impl Operand {
    fn side<P: Part>(&self, value: P) -> Option<Compared<'_, P>> {
        match self {
            Operand::Literal(value) => Some(Compared::Literal(value)),
            Operand::At(path) => value.first(path).map(Compared::Part),
            Operand::Length(path) => {
                let part = value.first(path)?;
                let count = part.as_text().map(characters);
                Some(Compared::Length(count.or_else(|| part.count())?))
            }
        }
    }
}

impl<P: Part> Compared<'_, P> {
    fn as_text(&self) -> Option<&[u8]> {
        match self {
            Compared::Literal(value) => value.as_str().map(str::as_bytes),
            Compared::Part(part) => part.as_text(),
            Compared::Length(_) => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        match self {
            Compared::Literal(value) => Number::of(value),
            Compared::Part(part) => part.as_number(),
            Compared::Length(len) => Some(Number::Int(*len as i128)),
        }
    }

    fn to_value(self) -> Value {
        match self {
            Compared::Literal(value) => value.clone(),
            Compared::Part(part) => part.to_value(),
            Compared::Length(len) => Value::from(len as u64),
        }
    }
}

impl Comparator {
    /// Compares as RFC 9535 does: values of different types are unequal, and a missing value is equal to a
    /// missing value only.
    fn holds<P: Part>(self, left: Option<Compared<'_, P>>, right: Option<Compared<'_, P>>) -> bool {
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

/// Returns how two values compare, or `None` if they are neither equal nor two numbers or two str. `1`
/// equals `1.0`, and all numbers are compared exactly.
fn compare<P: Part>(left: Compared<'_, P>, right: Compared<'_, P>) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (left.as_text(), right.as_text()) {
        return Some(left.cmp(right));
    }
    if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
        return left.compare(right);
    }
    (left.to_value() == right.to_value()).then_some(Ordering::Equal)
}
