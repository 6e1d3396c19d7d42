//! What the statistics of a block say about a test.

use packord::Value;
use packord::container::{Comparison, IndexEntry, Predicate};

use crate::query::{Bound, Comparator};

/// A test in the terms of container files.
#[derive(Clone)]
pub enum RowBound {
    /// Says nothing.
    Open,
    All(Vec<RowBound>),
    Any(Vec<RowBound>),
    One(Predicate),
}

impl From<Comparator> for Comparison {
    fn from(comparator: Comparator) -> Comparison {
        match comparator {
            Comparator::Equal => Comparison::Equal,
            Comparator::Unequal => Comparison::NotEqual,
            Comparator::Less => Comparison::Less,
            Comparator::AtMost => Comparison::LessOrEqual,
            Comparator::Greater => Comparison::Greater,
            Comparator::AtLeast => Comparison::GreaterOrEqual,
        }
    }
}

/// Returns a predicate that all rows match which meet a bound; `None` if it says nothing.
pub fn predicate(bound: &Bound) -> Option<Predicate> {
    let mut predicate = Predicate::new();
    add(bound, &mut predicate);
    (!predicate.conditions().is_empty()).then_some(predicate)
}

fn add(bound: &Bound, predicate: &mut Predicate) {
    let (path, comparison, constant) = match bound {
        Bound::All(bounds) => return bounds.iter().for_each(|bound| add(bound, predicate)),
        Bound::Always | Bound::Any(_) => return,
        Bound::Nil(path) => (path, Comparison::IsNull, Value::Nil),
        Bound::Compared(path, comparator, constant) => (path, Comparison::from(*comparator), constant.clone()),
    };
    if let Ok(more) = predicate.clone().and(path, comparison, constant) {
        *predicate = more;
    }
}

impl RowBound {
    /// Converts a bound. A path that container files cannot have says nothing.
    pub fn new(bound: &Bound) -> RowBound {
        let all = |bounds: &[Bound]| bounds.iter().map(RowBound::new).collect();
        let one = |path: &str, comparison, constant: Value| match Predicate::new().and(path, comparison, constant) {
            Ok(predicate) => RowBound::One(predicate),
            Err(_) => RowBound::Open,
        };
        match bound {
            Bound::Always => RowBound::Open,
            Bound::All(bounds) => RowBound::All(all(bounds)),
            Bound::Any(bounds) => RowBound::Any(all(bounds)),
            Bound::Nil(path) => one(path, Comparison::IsNull, Value::Nil),
            Bound::Compared(path, comparator, constant) => one(path, Comparison::from(*comparator), constant.clone()),
        }
    }

    /// Returns whether the statistics show that the test holds for no row of a block.
    pub fn rules_out(&self, entry: &IndexEntry) -> bool {
        match self {
            RowBound::Open => false,
            RowBound::All(bounds) => bounds.iter().any(|bound| bound.rules_out(entry)),
            RowBound::Any(bounds) => bounds.iter().all(|bound| bound.rules_out(entry)),
            RowBound::One(predicate) => entry
                .statistics()
                .is_some_and(|known| predicate.rules_out(known, entry.count())),
        }
    }
}
