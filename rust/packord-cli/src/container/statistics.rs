//! The statistics of all blocks together.

use std::cmp::Ordering;

use packord::Value;
use packord::container::{Comparable, IndexEntry, PathStatistics, Statistics};

/// What is known of the values at each path in all blocks.
#[derive(Default)]
pub struct WholeStatistics {
    paths: Vec<(String, WholePath)>,
    /// The number of blocks so far.
    blocks: u64,
}

/// What is known of one path.
struct WholePath {
    blocks: u64,
    nulls: u64,
    min: Extreme,
    max: Extreme,
}

/// The smallest or the largest value so far.
enum Extreme {
    /// No block has had values.
    Open,
    /// A block with values says nothing of it, or their types differ.
    Unknown,
    Known(Value),
}

impl WholeStatistics {
    /// Adds a block.
    pub fn add(&mut self, entry: &IndexEntry) {
        self.blocks += 1;
        for (path, of) in entry.statistics().into_iter().flat_map(Statistics::iter) {
            let known = self.paths.iter_mut().find(|(name, _)| name == path);
            match known {
                Some((_, whole)) => whole.add(of, entry.count()),
                None => {
                    let mut whole = WholePath {
                        blocks: 0,
                        nulls: 0,
                        min: Extreme::Open,
                        max: Extreme::Open,
                    };
                    whole.add(of, entry.count());
                    self.paths.push((path.to_owned(), whole));
                }
            }
        }
    }

    /// Returns what is known of the paths that all blocks say something of: how many values are nil or missing, the least and
    /// the greatest.
    pub fn paths(&self) -> impl Iterator<Item = (&str, u64, Option<&Value>, Option<&Value>)> {
        let paths = self.paths.iter();
        let known = paths.filter(|(_, whole)| whole.blocks == self.blocks);
        known.map(|(path, whole)| {
            let (min, max) = (whole.min.value(), whole.max.value());
            (path.as_str(), whole.nulls, min, max)
        })
    }
}

impl Extreme {
    fn value(&self) -> Option<&Value> {
        match self {
            Extreme::Known(value) => Some(value),
            Extreme::Open | Extreme::Unknown => None,
        }
    }
}

impl WholePath {
    fn add(&mut self, of: &PathStatistics, count: u64) {
        self.blocks += 1;
        self.nulls += of.nulls;
        if of.nulls < count {
            merge(&mut self.min, of.min.as_ref(), Ordering::Less);
            merge(&mut self.max, of.max.as_ref(), Ordering::Greater);
        }
    }
}

/// Replaces a bound by one that compares so with it. The bounds of values of several types are not known.
fn merge(known: &mut Extreme, bound: Option<&Value>, wanted: Ordering) {
    let order = match (&*known, bound) {
        (Extreme::Open, _) => Some(wanted),
        (Extreme::Unknown, _) => return,
        (Extreme::Known(known), Some(bound)) => compare(bound, known),
        (Extreme::Known(_), None) => None,
    };
    match (order, bound) {
        (Some(order), Some(bound)) if order == wanted => *known = Extreme::Known(bound.clone()),
        (Some(_), Some(_)) => {}
        _ => *known = Extreme::Unknown,
    }
}

/// Compares two values as statistics do. `None` if their types have no common order.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    Comparable::of_value(a)?.compare(Comparable::of_value(b)?)
}
