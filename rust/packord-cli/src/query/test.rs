//! Whether a test holds for a value.

use std::cmp::Ordering;

use memchr::memmem;
use packord::container::Comparable;
use packord::document::Node;
use packord::{Integer, Value};

use super::grammar::{Comparator, Operand, QueryPath, QueryStep, Test};
use super::raw::RawPart;
use crate::path::PathStep;

/// A value that is tested: of an index, or in the bytes of a message.
pub trait Part: Copy {
    /// Returns the first value at a path from here: of a key that occurs twice, the last one.
    fn first(self, path: &QueryPath) -> Option<Self>;
    /// Returns the value as container files compare it.
    fn comparable(&self) -> Comparable<'_>;
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
    fn comparable(&self) -> Comparable<'_> {
        match self.bytes() {
            // The id of a record is not an integer.
            bytes if self.is_map() => Comparable::Other(bytes),
            bytes => Comparable::of(bytes),
        }
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
    fn comparable(&self) -> Comparable<'_> {
        RawPart::comparable(*self)
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
            Test::Matches(text, pattern) => {
                let text = text.side(value);
                let text = text.as_ref().and_then(Compared::as_text);
                text.is_some_and(|text| pattern.is_match(text))
            }
        }
    }

    /// Returns whether all paths have names only, so that no index is needed.
    #[must_use]
    pub fn has_plain_paths(&self) -> bool {
        let mut is_plain = true;
        self.each_path(&mut |path| is_plain &= path.is_plain());
        is_plain
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
                let count = match part.comparable() {
                    Comparable::Str(text) => Some(characters(text)),
                    _ => part.count(),
                };
                count.map(Compared::Length)
            }
        }
    }
}

impl<P: Part> Compared<'_, P> {
    fn as_text(&self) -> Option<&[u8]> {
        match self.comparable()? {
            Comparable::Str(text) => Some(text),
            _ => None,
        }
    }

    fn comparable(&self) -> Option<Comparable<'_>> {
        match self {
            Compared::Literal(value) => Comparable::of_value(value),
            Compared::Part(part) => Some(part.comparable()),
            Compared::Length(len) => Some(Comparable::Int(Integer::from(*len as u64))),
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

/// Returns how two values compare: as in the predicates of container files, and two values of other types, or a
/// part of one, if they are equal.
fn compare<P: Part>(left: Compared<'_, P>, right: Compared<'_, P>) -> Option<Ordering> {
    let (a, b) = (left.comparable()?, right.comparable()?);
    let is_same = || left.to_value() == right.to_value();
    match (a, b) {
        (Comparable::Int(_) | Comparable::Float(_), Comparable::Int(_) | Comparable::Float(_))
        | (Comparable::Str(_), Comparable::Str(_))
        | (Comparable::Timestamp(_), Comparable::Timestamp(_)) => a.compare(b),
        _ => is_same().then_some(Ordering::Equal),
    }
}
