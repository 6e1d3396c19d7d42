//! [`Statistics`]: what an index says about the values of a block (`spec/container.md` section 4).

use super::comparable::Comparable;
use super::path::RowPath;
use crate::options::DecodeOptions;
use crate::value::{Tree, Value, ValueRef};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The most bytes of a str in statistics.
const MAX_STR: usize = 64;

/// What is known of the values at one path in the rows of a block.
///
/// ```
/// use packord::container::{Reader, Writer};
/// use packord::Value;
/// use std::io::Cursor;
///
/// let mut writer = Writer::new(Vec::new(), &Default::default())?;
/// for id in 5..10 {
///     writer.write(&Value::from([("id", id)]))?;
/// }
/// let mut file = writer.finish()?;
/// let reader = Reader::seekable(Cursor::new(file), &Default::default())?;
/// let statistics = reader.index().unwrap().entries()[0].statistics().unwrap();
/// let id = statistics.get("id").unwrap();
/// assert_eq!((id.nulls, id.min.as_ref().unwrap(), id.max.as_ref().unwrap()), (0, &5.into(), &9.into()));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathStatistics {
    /// The number of rows in which the value is nil or missing.
    pub nulls: u64,
    /// The smallest value; of a str, its first 64 bytes. `None` says nothing.
    pub min: Option<Value>,
    /// The largest value, or a str that is larger. `None` says nothing.
    pub max: Option<Value>,
}

/// What is known of the values in the rows of a block, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    paths: Vec<(Box<str>, PathStatistics)>,
}

impl Statistics {
    /// Returns what is known of the values at a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&PathStatistics> {
        let mut paths = self.paths.iter();
        paths.find(|(known, _)| **known == *path).map(|(_, of)| of)
    }

    /// Returns all paths with what is known of them, in the order of the file.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &PathStatistics)> {
        self.paths.iter().map(|(path, of)| (&**path, of))
    }

    /// Returns statistics of these paths, each once.
    pub(super) fn of(paths: &[RowPath], collected: Vec<PathCollector>) -> Statistics {
        let mut statistics = Statistics::default();
        for (path, column) in paths.iter().zip(collected) {
            if statistics.get(path.as_str()).is_none() {
                let entry = (path.as_str().into(), column.finish());
                statistics.paths.push(entry);
            }
        }
        statistics
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Reads statistics. What has another form says nothing.
    pub(super) fn from_value(value: &ValueRef<'_>) -> Option<Statistics> {
        let (mut seen, mut paths) = (BTreeSet::new(), Vec::new());
        // Of equal keys the last one holds.
        for (path, of) in value.as_map()?.iter().rev() {
            let Some(path) = path.as_str().filter(|path| seen.insert(*path)) else {
                continue;
            };
            if let Some(statistics) = PathStatistics::from_value(of) {
                paths.push((path.into(), statistics));
            }
        }
        paths.reverse();
        Some(Statistics { paths })
    }

    /// Returns the value that is written; nil if there are no paths.
    pub(super) fn to_value(&self) -> Value {
        if self.paths.is_empty() {
            return Tree::Nil;
        }
        let bound = |bound: &Option<Value>| bound.clone().unwrap_or_default();
        let entry = |(path, of): &(Box<str>, PathStatistics)| {
            let list = [Value::from(of.nulls), bound(&of.min), bound(&of.max)];
            (Tree::Str(path.clone()), Tree::Array(list.into_iter().collect()))
        };
        Tree::Map(self.paths.iter().map(entry).collect())
    }
}

impl PathStatistics {
    fn from_value(value: &ValueRef<'_>) -> Option<PathStatistics> {
        let [nulls, min, max, ..] = value.as_array()? else {
            return None;
        };
        let family = |bound: &ValueRef<'_>| match bound {
            Tree::Nil => Some(0),
            Tree::Int(_) => Some(1),
            Tree::F32(float) => (!float.is_nan()).then_some(1),
            Tree::F64(float) => (!float.is_nan()).then_some(1),
            Tree::Str(_) => Some(2),
            Tree::Timestamp(_) => Some(3),
            _ => None,
        };
        let (a, b) = (family(min)?, family(max)?);
        if a != b && a != 0 && b != 0 {
            return None;
        }
        let known = |bound: &ValueRef<'_>| (!bound.is_nil()).then(|| Value::from(bound.clone()));
        Some(PathStatistics {
            nulls: nulls.as_u64()?,
            min: known(min),
            max: known(max),
        })
    }
}

/// Collects what is known of the values at one path in the rows of a block.
#[derive(Debug, Default)]
pub(super) struct PathCollector {
    pub nulls: u64,
    /// Whether there are values whose bounds are not known.
    pub is_mixed: bool,
    /// The smallest and the largest value.
    pub bounds: Option<(Value, Value)>,
}

impl PathCollector {
    /// Adds a value that is packed, or missing.
    #[inline]
    pub fn add(&mut self, value: Option<&[u8]>) {
        let Some(bytes) = value else {
            self.nulls += 1;
            return;
        };
        let value = Comparable::of(bytes);
        match value {
            Comparable::Nil => self.nulls += 1,
            _ if self.is_mixed => {}
            Comparable::Int(_) | Comparable::Str(_) | Comparable::Timestamp(_) => {
                self.bound(value, bytes);
            }
            Comparable::Float(float) if !float.is_nan() => self.bound(value, bytes),
            _ => self.mix(),
        }
    }

    /// Notes that the bounds are not known.
    pub fn mix(&mut self) {
        self.is_mixed = true;
        self.bounds = None;
    }

    fn bound(&mut self, value: Comparable<'_>, bytes: &[u8]) {
        let own = || {
            let read = DecodeOptions::new().decode_prefix(bytes);
            read.map(|(value, _)| value).unwrap_or_default()
        };
        self.widen((value, own), (value, own));
    }

    /// Makes the bounds hold for other ones too: each with what returns it as a value. Returns whether none of them is
    /// equal to one that was there.
    #[inline]
    fn widen(
        &mut self,
        (low, own_low): (Comparable<'_>, impl Fn() -> Value),
        (high, own_high): (Comparable<'_>, impl Fn() -> Value),
    ) -> bool {
        let Some((min, max)) = &mut self.bounds else {
            self.bounds = Some((own_low(), own_high()));
            return true;
        };
        let compare = |value: Comparable<'_>, bound: &Value| value.compare(Comparable::of_value(bound)?);
        let (Some(with_min), Some(with_max)) = (compare(low, min), compare(high, max)) else {
            self.mix();
            return true;
        };
        // Of equal values the first one is kept.
        if with_min.is_lt() {
            *min = own_low();
        }
        if with_max.is_gt() {
            *max = own_high();
        }
        with_min.is_ne() && with_max.is_ne()
    }

    /// Adds what was collected of other rows. Returns `false`, and is of no use then, if it depends on their order which of
    /// two equal values is the bound.
    pub fn add_all(&mut self, other: PathCollector) -> bool {
        self.nulls += other.nulls;
        if self.is_mixed || other.is_mixed {
            self.mix();
            return true;
        }
        let Some((min, max)) = &other.bounds else {
            return true;
        };
        match Comparable::of_value(min).zip(Comparable::of_value(max)) {
            Some((low, high)) => self.widen((low, || min.clone()), (high, || max.clone())),
            None => true,
        }
    }

    pub fn finish(self) -> PathStatistics {
        let (min, max) = match self.bounds {
            None => (None, None),
            Some((min, max)) => (Some(shortest(min)), larger(max)),
        };
        PathStatistics {
            nulls: self.nulls,
            min,
            max,
        }
    }
}

/// Returns the beginning of a str, at most 64 bytes.
fn beginning(text: &str) -> &str {
    let mut end = text.len().min(MAX_STR);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns a lower bound for a value.
fn shortest(value: Value) -> Value {
    match &value {
        Tree::Str(text) if text.len() > MAX_STR => Tree::Str(beginning(text).into()),
        _ => value,
    }
}

/// Returns an upper bound for a value: of a long str, one that is larger than all with the same beginning.
fn larger(value: Value) -> Option<Value> {
    let text = match &value {
        Tree::Str(text) if text.len() > MAX_STR => beginning(text),
        _ => return Some(value),
    };
    let mut rest = text;
    while let Some(last) = rest.chars().next_back() {
        rest = &rest[..rest.len() - last.len_utf8()];
        let next = match last {
            '\u{d7ff}' => Some('\u{e000}'),
            _ => char::from_u32(last as u32 + 1),
        };
        if let Some(next) = next.filter(|next| rest.len() + next.len_utf8() <= MAX_STR) {
            let mut bound = alloc::string::String::from(rest);
            bound.push(next);
            return Some(Tree::Str(bound.into_boxed_str()));
        }
    }
    None
}
